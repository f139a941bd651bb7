"""Statuses that follow the mail by themselves, where the person said so stage by stage."""
