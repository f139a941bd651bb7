"""Secrets at rest: tokens and provider keys, encrypted under keys that never enter the database."""
