"""The Trim pane: a preview of what stays of a recording, and the edits that trim and cut it."""
