"""The Events pane: the traffic events as a table, and what can be done with one."""
