"""Figures of a whole job search: applications and answers by week, and how long answers took."""
