"""What hosts of other people allow: when each is asked, what its robots.txt forbids, who is never asked."""
