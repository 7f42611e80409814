"""An actor on the clipboard: the file it is in and which one it is, so that any window of any program can take it.

Its bytes stay where they are; whoever pastes reads them there: in the window that has it open, or in the file. Knows
nothing of how an actor is pasted.
"""

import json
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtGui import QGuiApplication

from ...errors import EditError
from ...format import JsonError, read_json
from ...progress import Progress
from ...reading import Actors, Life
from ...recording import Snapshot, open_recording
from ...texts import say
from . import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

KIND = "application/x-recorder-editor-actor"
Source = AbstractContextManager[Snapshot]
"""The recording it is in, open for a while."""


@dataclass(frozen=True, slots=True)
class CopiedActor:
    """A life of a recording, by what finds it again there.

    Attributes: `file` (its path), `map`, `actor` (id), `born` (index of the frame of its EventAdd), `blueprint`.
    """

    file: str
    map: str
    actor: int
    born: int
    blueprint: str

    @property
    def path(self) -> Path:
        """The file it is in."""
        return Path(self.file)

    def life_in(self, snapshot: Snapshot) -> Life:
        """That life; raises `EditError` where the recording has none such any more."""
        of_id = [life for life in Actors.of(snapshot).of_id(self.actor) if life.blueprint == self.blueprint]
        if not of_id:
            gone = {"name": self.path.name, "blueprint": self.blueprint, "actor": self.actor}
            raise EditError(say("{name} holds no {blueprint} {actor} any more; copy it again.", **gone))
        return min(of_id, key=lambda life: abs(life.born - self.born))


def map_of(snapshot: Snapshot) -> str:
    """The name of a recording's map without its folders; empty where it has none that can be read."""
    name = snapshot.header.map_name if snapshot.header is not None else ""
    if isinstance(name, str):
        return name.rpartition("/")[2]
    return ""


def copy_actor(session: Session, life: Life) -> None:
    """Put an actor on the clipboard; as text it is its id and blueprint."""
    recording = session.recording
    assert recording is not None
    path = recording.path.absolute()
    copied = CopiedActor(str(path), map_of(session.snapshot_or_refuse()), life.actor, life.born, life.blueprint)
    data = QMimeData()
    data.setData(KIND, json.dumps(asdict(copied)).encode())
    data.setText(f"{life.actor} {life.blueprint}")
    QGuiApplication.clipboard().setMimeData(data)


def copied_actor() -> CopiedActor | None:
    """The actor on the clipboard, or None."""
    data = _held()
    if data is None or not data.hasFormat(KIND):
        return None
    try:
        told = read_json(bytes(data.data(KIND).data()))
        kinds = {"file": str, "map": str, "actor": int, "born": int, "blueprint": str}
        if not all(isinstance(told[name], kind) for name, kind in kinds.items()):
            return None
        return CopiedActor(**{name: told[name] for name in kinds})
    except (JsonError, KeyError, TypeError):
        # Another program may write what it likes.
        return None


def _held() -> QMimeData | None:
    # Nothing at all on some systems, whatever Qt promises.
    return QGuiApplication.clipboard().mimeData()


class ActorClipboard(QObject):
    """The actor on the clipboard, looked at when that changes: to ask the system each time would take too long.

    Attributes: `actor` (None where there is none). Signal: `changed`.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.actor = copied_actor()
        QGuiApplication.clipboard().dataChanged.connect(self._look)

    def _look(self) -> None:
        self.actor = copied_actor()
        self.changed.emit()


def source_of(copied: CopiedActor, sessions: Iterable[Session]) -> Callable[[Progress], Source]:
    """Opens the recording of a copied actor, for a job: that of one of the sessions as it is now, else its file."""
    for session in sessions:
        recording = session.recording
        snapshot = session.snapshot
        if recording is not None and snapshot is not None and recording.path.absolute() == copied.path:
            return _held_open(snapshot)
    return lambda progress: _opened(copied.path, progress)


def _held_open(snapshot: Snapshot) -> Callable[[Progress], Source]:
    return lambda _progress: nullcontext(snapshot)


@contextmanager
def _opened(path: Path, progress: Progress) -> "Iterator[Snapshot]":
    with closing(open_recording(path, progress=progress)) as recording:
        yield recording.snapshot
