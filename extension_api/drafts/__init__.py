"""Texts for one question of one posting: written by a machine or the person, never overwritten."""
