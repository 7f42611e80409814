"""The Trim pane: what stays of a recording, looked at before, and the edits that make it so."""
