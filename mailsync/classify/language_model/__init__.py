"""Stage 4: what the stages before left open is put to a language model, when there is one and it may read."""
