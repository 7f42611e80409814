"""How the window looks: theme, colours, icons, spacing, painting of boxes and texts."""
