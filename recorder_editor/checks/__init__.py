"""Checks: rules that find what is wrong with a state of a recording, and edits that fix it."""

from .checking import RULES, check, fix, fix_all, fixable, is_fixable, rule, updated_findings
from .structure import diagnosis

__all__ = ["RULES", "check", "diagnosis", "fix", "fix_all", "fixable", "is_fixable", "rule", "updated_findings"]
