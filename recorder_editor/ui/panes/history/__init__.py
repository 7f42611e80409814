"""The History pane: the steps of undo by name."""
