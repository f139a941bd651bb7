"""What keeps one installation's processes running: its folder, its database server, its children."""
