"""What was decided, by whom, what it replaced, and the way back."""
