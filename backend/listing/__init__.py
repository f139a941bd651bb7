"""The list of applications as its address asks for it."""
