"""The shared catalog at full size: what a pull costs, and what everything else costs beside it."""
