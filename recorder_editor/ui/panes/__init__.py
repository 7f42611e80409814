"""The panes, a folder each. A pane imports no other pane and nothing of the shell."""
