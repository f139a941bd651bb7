"""What is known of the page the person stands on, before anything is filled."""
