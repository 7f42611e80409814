"""Recordings from and to other forms: tables, scenarios, importers, and a demonstration made from nothing."""
