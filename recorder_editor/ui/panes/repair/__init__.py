"""The Repair pane: what can be saved of a damaged recording, looked at before, and the edit that saves it."""
