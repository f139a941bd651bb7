"""How long the catalog keeps what it does not need for ever."""
