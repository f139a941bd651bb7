"""What the browser extension may ask."""
