"""What panes compute of a recording, as texts, rows and numbers. Names no Qt."""
