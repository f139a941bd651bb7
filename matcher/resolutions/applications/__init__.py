"""An application to be split, or put together with another, answered in the way of every question."""
