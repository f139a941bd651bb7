"""The same opening seen on two platforms: a suggestion with its evidence, never a merge."""
