"""Résumés and cover letters: kept whole, handed to the person and to their devices."""
