"""Numbers over time: fields of records and what follows from them, on the time axis of the timeline."""
