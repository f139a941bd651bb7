"""A stage that newer mail proposes over what the person set: taken over or declined."""
