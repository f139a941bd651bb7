"""Other names of an employer: entered by the person, or learned from what the person confirmed."""
