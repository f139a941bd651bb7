"""How postings come in and are judged, and what runs all background work."""
