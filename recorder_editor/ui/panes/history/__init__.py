"""The steps of undo by name."""
