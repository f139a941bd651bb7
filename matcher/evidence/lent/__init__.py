"""What settled messages say about those that continue them."""
