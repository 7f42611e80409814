"""Checks: rules that look at a state of a recording and say what is wrong with it."""

from .structure import check, diagnosis

__all__ = ["check", "diagnosis"]
