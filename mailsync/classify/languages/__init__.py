"""What hiring mail says in each language, as data: one folder a language, the same files in each."""
