"""Completions of the command line for shells, made from the parsers of all verbs."""
