"""Recording: its header, and how it is read."""

from functools import partial

from PySide6.QtGui import QGuiApplication

from ...recording import Place
from ..actions import ActionSpec
from ..panes import Services
from ..scene import SCENE
from ..selection import HEADER
from ..session import Session


def header_actions(services: Services) -> list[ActionSpec]:
    """The actions of Recording that are about the file and how it is read."""
    session, action = services.session, services.action

    def copy_replay_call() -> None:
        QGuiApplication.clipboard().setText(replay_call(session, services.panes.get(SCENE).view.followed))

    return [
        action("recording.header", partial(session.selection.select, Place(HEADER))),
        action("recording.replay", copy_replay_call),
        action("recording.convert", services.opener("convert", "ConvertDialog")),
        action("dialect.why", services.opener("dialect", "DialectDialog")),
    ]


def replay_call(session: Session, followed: int | None = None) -> str:
    """`client.replay_file(name, start, duration, follow_id)` for the file, the range and the followed actor.

    Without a range it starts at the current moment; who is selected stands in for one that is followed. A duration of 0
    means all the rest, an id of 0 nobody.
    """
    recording, snapshot = session.recording, session.snapshot
    assert recording is not None
    start, duration = 0.0, 0.0
    if snapshot is not None and len(snapshot):
        elapsed, chosen = snapshot.elapsed, session.range.frames
        start = float(elapsed[chosen.start if session.range.is_set else session.selection.frame_index])
        if session.range.is_set:
            duration = float(elapsed[min(chosen.stop, len(elapsed) - 1)]) - start
    actor = followed or session.selection.actor or 0
    return f"client.replay_file({str(recording.path.absolute())!r}, {start:.3f}, {duration:.3f}, {actor})"
