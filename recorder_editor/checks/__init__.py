"""Checks: rules that look at a state of a recording and say what is wrong with it, and edits that mend it."""

from .checking import RULES, check, fix, fixable, is_fixable, mend, rule
from .incremental import followed
from .rule import Rule
from .structure import diagnosis

__all__ = ["RULES", "Rule", "check", "diagnosis", "fix", "fixable", "followed", "is_fixable", "mend", "rule"]
