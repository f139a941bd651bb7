"""Loads the fixtures, one file per theme; `fixtures/database.py` starts the PostgreSQL of the run."""

pytest_plugins = ["fixtures.database", "fixtures.people", "fixtures.shared_data", "fixtures.worker"]
