"""All waiting messages with one pattern of evidence: looked at by a sample, answered as one act."""
