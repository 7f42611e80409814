"""The Signals pane: fields of records and what is computed of them, on the time axis of the timeline."""
