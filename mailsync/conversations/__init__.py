"""Mail whose only sign of being about a job is the conversation it stands in."""
