"""Consent: asking for it, keeping it, noticing that it is gone, giving it back."""
