"""What the pages about one application show, put together from what the matcher knows."""
