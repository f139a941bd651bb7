"""A doubtful message as a question: why it asks, what may be answered, and the answer."""
