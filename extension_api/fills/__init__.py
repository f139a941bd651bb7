"""One fill of one form: its plan, its report, and the application it became."""
