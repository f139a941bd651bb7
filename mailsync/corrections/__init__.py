"""A person's word about many messages at once: all of one sender that say the same."""
