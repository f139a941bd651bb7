"""HTTP itself: refusals as answers, the outer wrapper, sessions of a request, rendering, live hints."""
