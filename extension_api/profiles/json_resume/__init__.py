"""JSON Resume 1.0 in and out of the profile, with nothing lost in silence."""
