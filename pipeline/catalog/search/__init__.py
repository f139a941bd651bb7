"""Finding postings among hundreds of thousands, the newest first, by words and filters."""
