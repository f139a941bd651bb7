"""How often the person agreed with the machine, by pattern of evidence."""
