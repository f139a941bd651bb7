"""What an operator may see of the queue and do to it; the command line and the pages call the same."""
