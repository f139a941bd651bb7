"""What speaks for and against each application, and when that is enough to decide."""
