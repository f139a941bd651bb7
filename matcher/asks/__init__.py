"""What an employer waits for: opened by one message, settled by a later one or by the person."""
