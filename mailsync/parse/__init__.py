"""From the bytes of one message to a struct. Pure: no files, no clock, no database; no input raises."""
