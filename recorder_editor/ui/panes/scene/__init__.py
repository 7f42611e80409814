"""The scene: the recording from above, in metres."""
