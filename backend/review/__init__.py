"""What the review pages say of the matcher's doubt, in plain words, and how much work is left."""
