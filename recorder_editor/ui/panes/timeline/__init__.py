"""The timeline: when it is, what happens, who is there, what stays."""
