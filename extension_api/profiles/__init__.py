"""What a person says about themself: typed, kept in revisions, imported from and exported to JSON Resume."""
