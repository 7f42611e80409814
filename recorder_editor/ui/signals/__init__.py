"""Numbers over time: fields of records and what follows from them, on the time axis of the timeline.

Nothing is imported here: the tree and the panel need `catalog` alone, and the pane needs the tree.
"""
