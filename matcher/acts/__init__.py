"""What a person decides besides one message at a time, as one log with its way back."""
