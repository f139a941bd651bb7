"""When a posting counts as gone: what is remembered of a board, and what one more reading decides."""
