"""An actor on the clipboard: its file and its identity in it, so that any window of any program can paste it.

Its bytes are not copied; pasting reads them from the window that has the file open, or from the file. Knows nothing of
how an actor is pasted.
"""

import json
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import asdict, dataclass
from functools import partial
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
"""Gives the snapshot of the recording that holds the actor while the context is open."""


@dataclass(frozen=True, slots=True)
class CopiedActor:
    """A life of a recording, by what finds it again there.

    Attributes:
        file: The path of the recording.
        map: The name of its map, without folders.
        actor: The id.
        born: The index of the frame of its EventAdd.
        blueprint: The id of its blueprint.
    """

    file: str
    map: str
    actor: int
    born: int
    blueprint: str

    @property
    def path(self) -> Path:
        """The path of the recording."""
        return Path(self.file)

    def life_in(self, snapshot: Snapshot) -> Life:
        """Find the life in a state of its recording.

        Returns:
            Of the lives of this id and blueprint, the one that was born nearest to where it was.

        Raises:
            EditError: The recording has no such life any more.
        """
        lives = [life for life in Actors.of(snapshot).of_id(self.actor) if life.blueprint == self.blueprint]
        if not lives:
            message = say(
                "{name} holds no {blueprint} {actor} any more; copy it again.",
                name=self.path.name,
                blueprint=self.blueprint,
                actor=self.actor,
            )
            raise EditError(message)
        return min(lives, key=lambda life: abs(life.born - self.born))


def map_of(snapshot: Snapshot) -> str:
    """Return the name of a recording's map without its folders; empty where it has none that can be read."""
    header = snapshot.header
    if header is not None and isinstance(header.map_name, str):
        return header.map_name.rpartition("/")[2]
    return ""


def copy_actor(session: Session, life: Life) -> None:
    """Put an actor on the clipboard; programs that take text get its id and blueprint."""
    data = QMimeData()
    for form, stored in actor_forms(session, life).items():
        data.setData(form, stored)
    data.setText(f"{life.actor} {life.blueprint}")
    QGuiApplication.clipboard().setMimeData(data)


def actor_forms(session: Session, life: Life) -> dict[str, bytes]:
    """Return an actor as `copied_actor` reads it, by its MIME type; empty for one that belongs to the map."""
    if life.is_of_the_map:
        return {}
    recording = session.recording
    assert recording is not None
    copied = CopiedActor(
        file=str(recording.path.absolute()),
        map=map_of(session.snapshot_or_refuse()),
        actor=life.actor,
        born=life.born,
        blueprint=life.blueprint,
    )
    return {KIND: json.dumps(asdict(copied)).encode()}


def copied_actor() -> CopiedActor | None:
    """Return the actor on the clipboard, or None."""
    data = _clipboard_data()
    if data is None or not data.hasFormat(KIND):
        return None
    try:
        stored = read_json(bytes(data.data(KIND).data()))
        types = {"file": str, "map": str, "actor": int, "born": int, "blueprint": str}
        values = {name: stored[name] for name in types}
    except (JsonError, KeyError, TypeError):
        # Another program may write what it likes.
        return None
    for name, type_ in types.items():
        if not isinstance(values[name], type_):
            return None
    return CopiedActor(**values)


def _clipboard_data() -> QMimeData | None:
    # None on some systems, though Qt promises an object.
    return QGuiApplication.clipboard().mimeData()


class ActorClipboard(QObject):
    """The actor on the clipboard, read when the clipboard changes: reading it at each request would take too long.

    Attributes:
        actor: None where the clipboard holds none.

    Signals:
        changed(): The clipboard has changed.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.actor = copied_actor()
        QGuiApplication.clipboard().dataChanged.connect(self._update)

    def _update(self) -> None:
        self.actor = copied_actor()
        self.changed.emit()


def source_of(copied: CopiedActor, sessions: Iterable[Session]) -> Callable[[Progress], Source]:
    """Return what opens the recording of a copied actor, for a job.

    Args:
        copied: The actor.
        sessions: Where one of them has the recording open, its state of now is taken, with its edits.
    """
    for session in sessions:
        recording = session.recording
        snapshot = session.snapshot
        if recording is not None and snapshot is not None and recording.path.absolute() == copied.path:
            return partial(_use_open, snapshot)
    return partial(_open_file, copied.path)


def _use_open(snapshot: Snapshot, _progress: Progress) -> Source:
    return nullcontext(snapshot)


@contextmanager
def _open_file(path: Path, progress: Progress) -> "Iterator[Snapshot]":
    with closing(open_recording(path, progress=progress)) as recording:
        yield recording.snapshot
