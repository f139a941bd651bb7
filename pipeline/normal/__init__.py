"""What a posting means: its title, places, pay and dates as columns that can be searched and compared."""
