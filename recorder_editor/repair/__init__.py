"""Repair: what can be recovered from a damaged recording, as one edit and a report of what is lost."""

from .proposal import STEPS, TITLES, Proposal, RepairStep, propose
from .report import Tally, find_errors, find_errors_in_file

__all__ = ["STEPS", "TITLES", "Proposal", "RepairStep", "Tally", "find_errors", "find_errors_in_file", "propose"]
