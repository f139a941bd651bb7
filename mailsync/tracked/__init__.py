"""Mail whose only sign of being about a job is that it names an application the person recorded."""
