"""What every kind of item shows alike: applications in short, and messages with the stretches that matter."""
