"""What is bought from language models: the ledger of paid requests, the price table, and the switch."""
