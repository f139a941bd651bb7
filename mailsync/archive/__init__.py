"""Mail archives as streams of messages: mbox, folders of eml, Maildir, Takeout zip. Never writes a file."""
