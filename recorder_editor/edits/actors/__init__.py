"""Edits of whole actors: removal, copies, lifetimes, descriptions and ids."""
