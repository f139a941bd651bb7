"""Where each application stands: its events in order of sending, and what the person said."""
