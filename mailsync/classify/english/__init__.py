"""English as data: phrase families per kind of event, and the clauses that only suppose something."""
