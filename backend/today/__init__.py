"""What the page Today shows, read together: what needs the person, what changed, what runs."""
