"""Edits of whole actors: who is there, when, as what, under which id, and copies of them."""
