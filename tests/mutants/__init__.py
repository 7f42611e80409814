"""Mistakes that are planted in a copy of the program, to see that the tests find them (`python -m tests.mutants`)."""
