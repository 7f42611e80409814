"""The window around the panes: docks, layouts, menus, start page, Library, tour, status bar, documents."""
