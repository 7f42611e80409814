"""Recording: its header, how it is read, and its replay in a simulator."""

from functools import partial

from PySide6.QtGui import QGuiApplication

from ...recording import Place
from ..actions import ActionSpec
from ..panes import Services
from ..scene import SCENE
from ..selection import HEADER


def header_actions(services: Services) -> list[ActionSpec]:
    """The actions of Recording that are about the file, how it is read and replayed."""
    session, action = services.session, services.action

    def ask_replay() -> None:
        from ..dialogs.replay import ReplayDialog  # the window starts without

        followed = services.panes.get(SCENE).view.followed
        ReplayDialog(session, services.theme, followed, services.window).open_()

    def copy_replay_call() -> None:
        from ..dialogs.replay import replay_of

        assert session.recording is not None
        how = replay_of(session, services.panes.get(SCENE).view.followed)
        QGuiApplication.clipboard().setText(how.call(session.recording.path, session.recording.dialect))

    return [
        action("recording.header", partial(session.selection.select, Place(HEADER))),
        action("recording.simulator", ask_replay),
        action("recording.replay", copy_replay_call),
        action("recording.convert", services.opener("convert", "ConvertDialog")),
        action("dialect.why", services.opener("dialect", "DialectDialog")),
    ]
