"""What an employer waits for and interviews with a known time, as a calendar that other programs read."""
