"""A posting the person keeps from the page they stand on."""
