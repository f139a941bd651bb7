"""Units of quota, spent by all processes from the same buckets."""
