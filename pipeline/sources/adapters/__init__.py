"""One file per platform: its endpoints, its fields, its quirks."""
