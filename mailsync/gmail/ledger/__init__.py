"""Every message id of a mailbox, with what became of it."""
