"""The journal: unsaved edits on the disk, from which `recovery` restores them after a crash."""

from .writing import Journal

__all__ = ["Journal"]
