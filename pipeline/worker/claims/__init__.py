"""Which tasks a worker takes next."""
