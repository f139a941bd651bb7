"""The Gmail door: consent, a ledger of every message id, and the sync that brings mail in by itself."""
