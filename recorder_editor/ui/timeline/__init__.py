"""The timeline: when it is, what happens, who is there, what stays."""

from .pane import TimelinePane

__all__ = ["TimelinePane"]
