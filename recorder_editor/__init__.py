"""Recorder Editor: open, inspect, edit and save recordings of the driving simulator CARLA.

For example:

    import recorder_editor
    from recorder_editor import edits

    with recorder_editor.open("town.log") as recording:
        where = edits.place(recording, frame=0, packet="Position", actor=214, field="rotation.yaw")
        recording.apply(edits.set_field(recording, where, 92.5))
        recording.save("turned.log")
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import edits as edits
    from . import errors as errors
    from .api.recording import Recording as Recording
    from .api.recording import create_recording as create
    from .api.recording import open_recording as open
    from .recording.findings import Finding as Finding
    from .recording.history import Edit as Edit
    from .recording.recording import Change as Change
    from .recording.snapshot import Frame as Frame
    from .recording.snapshot import Packet as Packet
    from .recording.snapshot import Row as Row
    from .recording.snapshot import Snapshot as Snapshot

__version__ = "0.3.0.dev0"

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
    "create",
    "edits",
    "errors",
    "open",
]

_PLACES = {
    "Change": ("recording.recording", "Change"),
    "Edit": ("recording.history", "Edit"),
    "Finding": ("recording.findings", "Finding"),
    "Frame": ("recording.snapshot", "Frame"),
    "Packet": ("recording.snapshot", "Packet"),
    "Recording": ("api.recording", "Recording"),
    "Row": ("recording.snapshot", "Row"),
    "Snapshot": ("recording.snapshot", "Snapshot"),
    "edits": ("edits", ""),
    "errors": ("errors", ""),
    "create": ("api.recording", "create_recording"),
    "open": ("api.recording", "open_recording"),
}
"""The module of each name, and the name there; empty for the module itself."""


def __getattr__(name: str) -> Any:
    # Loaded when it is asked for: the window paints its first picture without the fifty modules of `edits`.
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module_name, attribute = _PLACES[name]
    module = import_module(f"{__name__}.{module_name}")
    if not attribute:
        return module
    return getattr(module, attribute)


def __dir__() -> list[str]:
    return sorted(__all__)
