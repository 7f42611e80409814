"""The Repair pane: a preview of what can be recovered of a damaged recording, and the edit that recovers it."""
