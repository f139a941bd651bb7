"""How mail comes in, and what each message says."""
