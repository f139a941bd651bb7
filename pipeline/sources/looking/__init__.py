"""Looking at postings one by one: for the text their lists leave out, and whether they still stand."""
