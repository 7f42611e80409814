"""The packets of a frame, or of the whole recording, as a tree: frame, packet, record, field."""
