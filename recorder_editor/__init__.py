"""Recorder Editor: open, inspect, edit and save recordings of the driving simulator CARLA.

For example:

    import recorder_editor
    from recorder_editor import edits

    with recorder_editor.open("town.log") as recording:
        where = edits.place(recording, frame=0, packet="Position", actor=214, field="rotation.yaw")
        recording.apply(edits.set_field(recording, where, 92.5))
        recording.save("turned.log")
"""

from . import edits, errors
from .recording.findings import Finding
from .recording.history import Edit
from .recording.recording import Change, Recording
from .recording.recording import open_recording as open
from .recording.snapshot import Snapshot
from .recording.views import Frame, Packet, Row

__version__ = "0.1.0"

__all__ = [
    "Change",
    "Edit",
    "Finding",
    "Frame",
    "Packet",
    "Recording",
    "Row",
    "Snapshot",
    "__version__",
    "edits",
    "errors",
    "open",
]
