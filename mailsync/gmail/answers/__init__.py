"""What Google answers when it refuses, in our words."""
