"""The log of tasks: tries that did not end well, and what operators did."""
