"""What was made of mail and why: samples, what nobody can tell, what could not be read."""
