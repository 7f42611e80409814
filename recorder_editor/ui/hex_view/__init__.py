"""The bytes of the recording: offset, hex and text, with packets and fields told apart."""

from .pane import HexPane

__all__ = ["HexPane"]
