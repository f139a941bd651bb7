"""What a person takes along, and the end of an account."""
