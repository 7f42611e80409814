"""What people import: an open recording with what is read of it, its tables and signals. Names no Qt."""

from .recording import Contact, Event, Moment, Recording, create_recording, open_recording
from .signal import Signal
from .table import Table

__all__ = ["Contact", "Event", "Moment", "Recording", "Signal", "Table", "create_recording", "open_recording"]
