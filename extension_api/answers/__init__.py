"""Which value goes into which field of a form, by which rule, and why some are left alone."""
