"""What is done to a recording, kept on the disk until it is saved or given up, and done again after a crash."""

from .leftovers import Leftover, Restored, Step, found, others, sweep_state
from .writing import Journal

__all__ = ["Journal", "Leftover", "Restored", "Step", "found", "others", "sweep_state"]
