"""Two records that may be one application: proposed to the person, never merged by a machine."""
