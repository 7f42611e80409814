"""What people import: an open recording with what is read of it. Names no Qt."""

from .recording import Recording, open_recording

__all__ = ["Recording", "open_recording"]
