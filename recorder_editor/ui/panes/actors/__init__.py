"""The actors of the recording as a table."""
