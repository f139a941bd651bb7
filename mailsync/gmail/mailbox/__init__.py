"""The row of a connected mailbox: its grant, its cursors, its troubles."""
