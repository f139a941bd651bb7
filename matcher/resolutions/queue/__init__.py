"""What waits for a person's word, of all kinds in one order."""
