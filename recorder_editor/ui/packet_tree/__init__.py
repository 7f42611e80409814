"""The packets of a frame, or of the whole recording, as a tree: frame, packet, record, field."""

from .pane import PacketPane

__all__ = ["PacketPane"]
