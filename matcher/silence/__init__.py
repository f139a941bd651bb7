"""Days without news, beside what this person is used to."""
