"""Which lists of a mailbox are walked, in which order, and what each is for."""
