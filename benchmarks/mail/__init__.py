"""What reading mail is held to: how right, how fast, and in how much memory."""
