"""What boards showed, row by row, whatever became of it."""
