"""What a pull of a board would do, found out by reading it once and writing nothing of it."""
