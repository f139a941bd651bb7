"""People: how an account comes to be, how its owner is known again, and how guessing is slowed."""
