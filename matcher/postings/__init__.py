"""What the shared catalog knows of a posting that somebody applied to."""
