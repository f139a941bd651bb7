"""How right the stages are on a folder of labelled mail. Reads files, and neither network nor database."""
