"""Repair: what can be saved of a damaged recording, as one edit and a report of what is lost."""

from .proposal import TITLES, Proposal, Step, propose
from .report import LossReport, Tally
from .verify import errors_in, errors_in_file

__all__ = ["TITLES", "LossReport", "Proposal", "Step", "Tally", "errors_in", "errors_in_file", "propose"]
