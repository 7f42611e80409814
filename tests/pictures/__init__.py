"""Pictures of all panes and dialogs, to compare two versions of the program."""
