"""Fits the numbers of the evidence on mailboxes with known answers, and tells what each kind brings.

Development only: nothing of the product imports it, and it needs what only the development environment has.
"""
