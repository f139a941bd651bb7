"""What the person corrects in an application: the employer, the role, the address, the day."""
