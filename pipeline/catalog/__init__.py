"""The shared catalog as people read it: lists, one posting with its trail, and what they saved."""
