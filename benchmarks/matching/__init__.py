"""How fast messages find their applications, and that it does not depend on how many there are."""
