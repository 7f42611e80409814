"""The timeline: the current frame, events, actors, and the range."""
