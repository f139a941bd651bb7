"""Whole mailboxes with known answers, drawn from a seed, to fit and measure the matcher."""
