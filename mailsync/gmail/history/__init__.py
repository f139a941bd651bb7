"""Changes of a mailbox as Gmail tells them, folded into what the ledger has to do."""
