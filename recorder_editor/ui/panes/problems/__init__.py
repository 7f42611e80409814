"""The Problems pane: the findings of the checks as a list."""
