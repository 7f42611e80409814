"""Notes on frames and actors as a table."""
