"""Stage 3: a small linear model over hashed words, read where the rules left a message open."""
