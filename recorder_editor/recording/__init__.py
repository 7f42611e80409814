"""The document: a recording as a list of frames, each frame a span of bytes."""
