"""No connection outlives its receiver: what is called through a signal goes with the widget that it belongs to.

Qt takes a connection away with its receiver, where that is known: for a method of a QObject, a slot or a signal of Qt.
A lambda, a partial or a function in another one has no receiver. Connected to something that lives longer than a pane
or a dialog, it is called when that is gone: "Internal C++ object already deleted".
"""

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMetaMethod, QObject, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

import recorder_editor.ui
from recorder_editor import edits
from recorder_editor.recording import Change, Edit
from recorder_editor.recording.note import Note
from recorder_editor.ui.app import settle, wait_for_jobs
from recorder_editor.ui.panes.timeline.timeline_pane import TimelinePane
from recorder_editor.ui.session import Session
from recorder_editor.ui.session.jobs import Notifier
from recorder_editor.ui.session.new_actors import PlacedInside
from recorder_editor.ui.session.preferences import LENGTH
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.style.theme import Theme

from ..recording.films import COLLISIONS, beginning
from .windows import OpenWindow, ask_nobody, idle

SIGNAL, SLOT = QMetaMethod.MethodType.Signal, QMetaMethod.MethodType.Slot
PACKAGE = Path(recorder_editor.ui.__file__).parent

OUTLIVING = frozenset(
    {
        *("session", "selection", "range", "segments", "lost", "matched", "notes", "editing", "path_editing"),
        *("background", "comparison", "traffic", "roads", "rule_colors", "drawing", "jobs", "job", "_job", "state"),
        *("settings", "theme", "player", "documents", "watcher", "recovery", "registry", "actions", "panes", "layout"),
        *("services", "application", "app", "clipboard", "program", "library", "signal", "changed"),
    }
)
"""What senders are called that live as long as the window, the program or a job: longer than panes and dialogs."""

IN_ONE_LIFE = {
    "shell/main_window.py: library.back_button.clicked": "the library's own button",
    "shell/main_window.py: documents.import_asked": "the window's own documents",
}
"""Connections of such a sender to what has no receiver, and why they end in time."""


def names_in(expression: ast.expr) -> set[str]:
    """The names that a sender goes through, without that of its signal."""
    assert isinstance(expression, ast.Attribute | ast.Name | ast.Call | ast.Subscript), ast.unparse(expression)
    inner = expression.value if isinstance(expression, ast.Attribute) else expression
    found = {node.id for node in ast.walk(inner) if isinstance(node, ast.Name)}
    return found | {node.attr for node in ast.walk(inner) if isinstance(node, ast.Attribute)}


def is_method(receiver: ast.expr) -> bool:
    """A method or a signal, by the look of it; with arguments of its own, too, where a job is connected to."""
    return isinstance(receiver, ast.Attribute) and receiver.attr != "emit"


def is_method_of_a_job(receiver: ast.expr) -> bool:
    """Jobs look into partials, too: see `Notifier`."""
    if isinstance(receiver, ast.Call) and ast.unparse(receiver.func) == "partial":
        receiver = receiver.args[0]
    return is_method(receiver)


@cache
def connections(source: str) -> tuple[tuple[ast.expr, ast.expr], ...]:
    """The sender's signal and the receiver of each connection in a module."""
    return tuple(
        (node.func.value, node.args[0])
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "connect"
    )


def without_receiver(source: str) -> Iterator[str]:
    """The signals of senders that outlive widgets which are connected to something without a receiver."""
    for sender, receiver in connections(source):
        name = ast.unparse(sender)
        of_job = name.endswith(("job.ended", "job.progressed"))
        if names_in(sender) & OUTLIVING and not (is_method_of_a_job(receiver) if of_job else is_method(receiver)):
            yield name


def test_what_lives_long_is_connected_to_methods_only() -> None:
    found = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        found |= {f"{place}: {name}" for name in without_receiver(path.read_text(encoding="utf-8"))}
    assert found - IN_ONE_LIFE.keys() == set()


@pytest.mark.parametrize(
    ("line", "is_found"),
    [
        ("session.editing.changed.connect(lambda _: self.go())", True),
        ("self.session.opened.connect(partial(self.go, 1))", True),
        ("theme.changed.connect(go)", True),
        ("job.ended.connect(self.changed.emit)", True),
        ("job.ended.connect(lambda: self.go())", True),
        ("job.ended.connect(partial(self.go, job))", False),
        ("theme.changed.connect(self.go)", False),
        ("session.jobs.changed.connect(self.changed)", False),
        ("self.button.clicked.connect(lambda: self.go())", False),
    ],
)
def test_the_look_at_connections_finds_them(line: str, is_found: bool) -> None:
    assert bool(list(without_receiver(line))) == is_found


def method_name(method: QMetaMethod) -> str:
    return bytes(method.name().data()).decode()


def classes() -> Iterator[type[QObject]]:
    """The classes of the window that are Qt objects."""
    for module in pkgutil.walk_packages(recorder_editor.ui.__path__, "recorder_editor.ui."):
        for each in vars(importlib.import_module(module.name)).values():
            if inspect.isclass(each) and issubclass(each, QObject) and each.__module__ == module.name:
                yield each


def slots_of_qt(kind: type[QObject]) -> set[str]:
    """The slots of Qt that a class overrides: PySide calls them after the object is gone, too."""
    base = next(each for each in kind.__mro__ if each.__module__.startswith("PySide6."))
    meta = base.staticMetaObject
    methods = [meta.method(number) for number in range(meta.methodCount())]
    return {method_name(each) for each in methods if each.methodType() == SLOT} & vars(kind).keys()


def test_what_lives_long_is_connected_to_no_slot_of_qt_that_python_overrides() -> None:
    overridden = {name for kind in classes() for name in slots_of_qt(kind)}
    wrong = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        for sender, receiver in connections(path.read_text(encoding="utf-8")):
            if names_in(sender) & OUTLIVING and isinstance(receiver, ast.Attribute) and receiver.attr in overridden:
                wrong.add(f"{path.relative_to(PACKAGE)}: {ast.unparse(sender)}: {receiver.attr}")
    assert wrong == set()


# --- what happens -------------------------------------------------------------------------------------------

ASK = {
    "restore_asked",
    "library_asked",
    "window_asked",
    "began",
    "grew",
    "guide_asked",
    "failed",
    "made",
    "told",
    "added",
}
"""Signals that a window is asked for something by, or is told of what this test has not."""


def signals_of(sender: QObject) -> dict[str, int]:
    """The signals that the program declares of an object, and how many values each carries."""
    own = {
        name for kind in type(sender).__mro__ if kind.__module__.startswith("recorder_editor") for name in vars(kind)
    }
    meta = sender.metaObject()
    methods = [meta.method(number) for number in range(meta.methodCount())]
    counts = {method_name(each): each.parameterCount() for each in methods if each.methodType() == SIGNAL}
    return {name: count for name, count in counts.items() if name in own}


def emit_all(senders: list[QObject], session: Session) -> int:
    """Emit every signal of these; returns how many there are."""
    change = Change(session.snapshot_or_refuse(), session.snapshot_or_refuse(), ())
    carried: dict[str, tuple[object, ...]] = {
        "Editing.changed": (change,),
        "Editing.followed": (change,),
        "Editing.applied": (Edit("Nothing", change.before.version, ()), change),
        "NewActors.found": (PlacedInside(1, 0, "1 stands in 2"),),
        "CurrentSelection.changed": (session.selection.value,),
        "CurrentSelection.rested": (session.selection.value,),
        "CurrentSelection.pointed": (700,),
        "Session.written": (session.path,),
        "PathDrawing.switched": (True,),
        "Segments.list_changed": ("a.log", "[]", "[]"),
        "Settings.changed": (LENGTH,),
        "Actions.ran": ("edit.undo",),
    }
    emitted = 0
    for sender in senders:
        for name, count in signals_of(sender).items():
            if name in ASK:
                continue
            words = (name,) if name in ("refused", "informed", "warned", "announced") else ()
            values = carried[f"{type(sender).__name__}.{name}"] if count and not words else words
            getattr(sender, name).emit(*values)
            emitted += 1
    return emitted


def parts_of(session: Session) -> list[QObject]:
    """The session and its parts."""
    return [session, *(each for each in vars(session).values() if isinstance(each, QObject))]


@pytest.fixture
def window(open_window: OpenWindow, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """A window with every pane made."""
    ask_nobody(monkeypatch)
    window = open_window(path, size=(1400, 900))
    for spec in window.panes.specs.values():
        if spec.name in window.panes.docks:
            window.panes.show(spec.name)
        window.panes.get(spec)
    window.session.selection.select_actor(1)
    wait_for_jobs(window)
    return window


def destroy(widget: QWidget) -> None:
    """Destroy a widget and what belongs to it."""
    widget.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not isValid(widget)


NOT_RUN = ("file.quit", "file.new_window", "help.tour")


def test_what_outlives_dialogs_and_then_the_window_calls_nothing_of_them(
    window: MainWindow, theme: Theme, settings: Settings, qtbot: QtBot
) -> None:
    a_window_outlives_its_dialogs(window, theme, settings, qtbot)
    a_session_outlives_its_window(window, theme, settings, qtbot)


def a_window_outlives_its_dialogs(window: MainWindow, theme: Theme, settings: Settings, qtbot: QtBot) -> None:
    session, registry, panes = window.session, window.registry, window.panes
    senders = [*parts_of(session), window.player, theme, settings, registry, panes, panes.layout, window.recovery]
    shown = 0
    with qtbot.captureExceptions() as errors:
        for spec in tuple(registry):
            asks = spec.text.endswith("...") or spec.id.startswith(("help.", "dialect.why", "tools.reports"))
            if not asks or spec.id in NOT_RUN or not registry.is_enabled(spec.id):
                continue
            registry.run(spec.id)
            settle()
            for dialog in [each for each in window.findChildren(QDialog) if each.isVisible()]:
                shown += 1
                dialog.reject()
                if isValid(dialog):
                    destroy(dialog)
            assert errors == [], spec.id
        assert shown > 20
        idle(window, qtbot)
        emit_all(senders, session)
        session.editing.apply(edits.delete_rows(session.snapshot_or_refuse(), 3))
        idle(window, qtbot)
    assert [str(error) for _, error, _ in errors] == []


def a_session_outlives_its_window(window: MainWindow, theme: Theme, settings: Settings, qtbot: QtBot) -> None:
    session, player = window.session, window.player
    for kept in (session, player):
        kept.setParent(None)
    destroy(window)
    with qtbot.captureExceptions() as errors:
        assert emit_all([*parts_of(session), player, theme, settings], session) > 30
        session.editing.apply(edits.delete_rows(session.snapshot_or_refuse(), 3))
        theme.set_mode("dark")
        settle()
    assert [str(error) for _, error, _ in errors] == []
    session.jobs.cancel_all()
    session.close()
    for kept in (session, player):
        kept.deleteLater()


def test_a_job_tells_no_widget_that_is_gone(qtbot: QtBot) -> None:
    class Teller(QWidget):
        heard = 0

        def take(self, number: int = 1) -> None:
            self.setVisible(False)
            Teller.heard += number

    told, teller = Notifier(), Teller()
    told.connect(teller.take)
    told.connect(partial(teller.take, 10))
    told.emit()
    assert Teller.heard == 11
    destroy(teller)
    told.emit()
    assert Teller.heard == 11


def picture(pane: QWidget) -> QImage:
    """How a pane looks that stands alone and has not the keyboard."""
    pane.resize(900, 500)
    pane.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    pane.show()
    settle()
    focused = pane.focusWidget()
    if focused is not None:
        focused.clearFocus()
        settle()
    shown = pane.canvas if isinstance(pane, TimelinePane) else pane  # its strip measures a button once it was styled
    return shown.grab().toImage()


def test_a_pane_that_is_made_late_shows_what_one_from_the_start_shows(
    open_window: OpenWindow, recordings: Path, tmp_path: Path, subtests: pytest.Subtests, qtbot: QtBot
) -> None:
    path = tmp_path / "town05.log"  # beside which notes are written
    path.write_bytes(beginning(recordings / COLLISIONS, 150))
    window = open_window(size=(1400, 900))
    specs = window.panes.specs
    early = {name: spec.make(window.services) for name, spec in specs.items()}
    window.documents.open(path)
    qtbot.waitUntil(lambda: window.session.background.trajectories is not None)
    window.session.selection.go_to_frame(100)
    window.session.selection.select_actor(3890)
    window.session.range.set(20, 120)
    window.session.notes.set(Note("here", 50, 60))
    wait_for_jobs(window)
    late = {name: spec.make(window.services) for name, spec in specs.items()}
    for name in specs:
        with subtests.test(pane=name):
            for pane in (early[name], late[name]):
                pane.fit(closely=False)
                picture(pane)
            wait_for_jobs(window)
            one, other = picture(early[name]), picture(late[name])
            assert one == other
    for pane in (*early.values(), *late.values()):
        destroy(pane)
