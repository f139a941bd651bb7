"""Makes the local model: letters of our own wording, the fit, its calibration and its figures.

Nothing of the product imports it.
"""
