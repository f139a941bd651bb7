"""What every worker does beside the claim path: lost leases, rows whose time has come, what may go."""
