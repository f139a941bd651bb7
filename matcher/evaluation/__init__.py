"""How right messages find their applications, on mailboxes whose answers are known."""
