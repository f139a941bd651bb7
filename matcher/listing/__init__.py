"""The list of applications: which ones a lens shows, in which order, and how many stand where."""
