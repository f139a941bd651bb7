"""How a try ends in the queue, always behind the fence."""
