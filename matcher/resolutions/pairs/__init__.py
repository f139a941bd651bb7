"""Two records that may be one application, as a question: one, or two."""
