"""What an employer waits for, as a question: done, or not yet."""
