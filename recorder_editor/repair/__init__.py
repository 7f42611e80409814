"""Repair: what can be recovered from a damaged recording, as one edit and a report of what is lost."""

from .proposal import TITLES, WORDS, Proposal, RepairStep, propose
from .report import Tally, find_errors, find_errors_in_file

__all__ = ["TITLES", "WORDS", "Proposal", "RepairStep", "Tally", "find_errors", "find_errors_in_file", "propose"]
