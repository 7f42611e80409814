"""What the checks found, as a table."""
