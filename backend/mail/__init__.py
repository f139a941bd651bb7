"""What was read in the mail and what was made of it, as the pages ask for it."""
