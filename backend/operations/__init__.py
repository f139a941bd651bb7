"""What the operator's pages read beside the queue's own views."""
