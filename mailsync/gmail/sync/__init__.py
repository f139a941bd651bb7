"""The sync of one mailbox: small steps, each committed as a whole behind the fence of its turn."""
