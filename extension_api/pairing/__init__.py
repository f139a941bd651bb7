"""How a browser becomes a person's device, and how each of its requests is known again."""
