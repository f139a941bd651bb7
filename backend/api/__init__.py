"""The JSON API, one file per resource; every refusal is a problem (docs/errors.md)."""
