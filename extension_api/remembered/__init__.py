"""Answers the person had remembered: kept, corrected, taken back, and found again by their question."""
