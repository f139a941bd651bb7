"""How people and processes start Jobtrail and see it."""
