"""Parts of one test in one window, or in one pane: a new one takes longer than what most of them do with it.

Each part is a function and a subtest of its name, which fails alone. What a part needs comes to it by the names of its
parameters. `Parts` collects functions that are decorated and begin with something of their own, a recording mostly;
`in_turn` takes functions in an order in which none disturbs the next, and their parameters are fixtures. What belongs
to the window (its layout, filters, settings) a part puts back, unless the next ones do not depend on it.
"""

from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from recorder_editor.ui.app import settle, wait_for_jobs
from recorder_editor.ui.shell.main_window import MainWindow

from .windows import HasSession, idle

Part = Callable[..., None]


class Parts:
    """A decorator for functions that are parts of one test, which `run` goes through in their order."""

    def __init__(self) -> None:
        self._parts: list[tuple[Part, Mapping[str, Any]]] = []

    def __call__(self, part: Part) -> Part:
        self._parts.append((part, {}))
        return part

    def each(self, name: str, values: Iterable[Any]) -> Callable[[Part], Part]:
        """One part for each value of an argument."""

        def add(part: Part) -> Part:
            self._parts.extend((part, {name: value}) for value in values)
            return part

        return add

    def run(self, subtests: pytest.Subtests, begin: Callable[[], Mapping[str, Any]], **given: Any) -> None:
        """Go through all parts.

        Args:
            subtests: Those of the test.
            begin: Makes what each part has for itself.
            given: What they share. Either is handed to parts that have an argument of that name.
        """
        assert self._parts
        for part, values in self._parts:
            with subtests.test(part.__name__, **values), pytest.MonkeyPatch.context() as patch:
                arguments = {**given, **begin(), **values, "monkeypatch": patch}
                part(**{name: arguments[name] for name in signature(part).parameters})


def in_turn(
    request: pytest.FixtureRequest,
    window: MainWindow,
    *functions: Part,
    opens: bool = True,
    between: Callable[[], object] = lambda: None,
) -> None:
    """Go through parts whose parameters are fixtures, the first one in the window as it is.

    Args:
        request: Gives each part the fixtures that it names.
        window: With a recording open.
        functions: The parts.
        opens: Open the file again before each but the first; not needed where parts only look.
        between: What else is done then.
    """
    parts = Parts()
    names: set[str] = set()
    for function in functions:
        parts(function)
        names |= signature(function).parameters.keys()
    subtests: pytest.Subtests = request.getfixturevalue("subtests")
    is_first = True

    def begin() -> Mapping[str, Any]:
        nonlocal is_first
        if not is_first:
            _start_again(window, opens=opens)
            between()
        is_first = False
        return {"subtests": subtests}

    given = {name: request.getfixturevalue(name) for name in sorted(names - {"monkeypatch", "subtests"})}
    parts.run(subtests, begin, **given)


def begin_anew(window: HasSession, path: Path, qtbot: QtBot) -> Callable[[], dict[str, Path]]:
    """Opens a copy of a recording in a window, whose dialogs are closed; each copy, `path`, has a folder to itself."""
    data = path.read_bytes()
    number = 0

    def begin() -> dict[str, Path]:
        nonlocal number
        number += 1
        close_dialogs()
        copy = path.parent / str(number) / path.name
        copy.parent.mkdir()
        copy.write_bytes(data)
        window.session.messages.clear()
        window.session.open(copy)
        idle(window, qtbot)
        return {"path": copy}

    return begin


def _start_again(window: MainWindow, *, opens: bool) -> None:
    """Close dialogs, and open the recording again: nothing is selected, edited or compared then."""
    close_dialogs()
    recording = window.session.recording
    assert recording is not None
    if opens:
        window.session.open(recording.path)
    wait_for_jobs(window)
    settle()


def close_dialogs() -> None:
    """Close all dialogs, and destroy those that are gone: one of them would keep the keyboard."""
    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, QDialog):
            widget.close()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
