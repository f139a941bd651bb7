"""Which application a message is about, and where each application stands."""
