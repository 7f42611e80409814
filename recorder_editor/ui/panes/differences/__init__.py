"""The Differences pane: the differences from another recording as a tree."""
