"""The log of which application each message is about, and the projection that holds the one in force."""
