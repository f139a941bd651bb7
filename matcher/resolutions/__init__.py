"""What waits for a person's word, what may be answered, and the one way to answer it."""
