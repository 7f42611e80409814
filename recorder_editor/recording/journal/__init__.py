"""What is done to a recording, kept on the disk until it is saved or given up; `recovery` reads it after a crash."""

from .writing import Journal

__all__ = ["Journal"]
