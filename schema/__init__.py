"""Ground floor: what is stored, and what it is called."""
