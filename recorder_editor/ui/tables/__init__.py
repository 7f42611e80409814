"""Actors and problems as tables."""

from .actors import ActorsTable
from .problems import ProblemsTable

__all__ = ["ActorsTable", "ProblemsTable"]
