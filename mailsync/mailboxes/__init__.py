"""Where mail comes from: one row per account, door and address."""
