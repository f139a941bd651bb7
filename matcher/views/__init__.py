"""Views of the applications that a person keeps under names."""
