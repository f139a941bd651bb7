"""Applications the person never recorded, but whose mail proves them; marked, and dismissed in one step."""
