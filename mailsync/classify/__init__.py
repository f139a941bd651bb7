"""What each message says, and on which span; stage 1 (structure) and stage 2 (rules) of the reading."""
