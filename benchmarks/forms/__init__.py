"""How well forms are filled: saved ones, rebuilt ones, and what a fill costs a page."""
