"""Short tests of one window, or of one pane: a new one takes longer than what most of them do with it.

Each is a subtest, named as the function is, and begins with a recording of its own: nothing is selected, edited or
noted in it. What belongs to the window (its layout, filters, settings) a part puts back, unless the next ones do not
depend on it.
"""

from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from .windows import HasSession, idle


class Parts:
    """A decorator for functions that are parts of one test, which `run` goes through in their order."""

    def __init__(self) -> None:
        self._parts: list[tuple[Callable[..., None], Mapping[str, Any]]] = []

    def __call__(self, part: Callable[..., None]) -> Callable[..., None]:
        self._parts.append((part, {}))
        return part

    def each(self, name: str, values: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
        """One part for each value of an argument."""

        def add(part: Callable[..., None]) -> Callable[..., None]:
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


def begin_anew(window: HasSession, path: Path, qtbot: QtBot) -> Callable[[], dict[str, Path]]:
    """Opens a copy of a recording in a window, whose dialogs are closed; each copy, `path`, has a folder to itself."""
    data, number = path.read_bytes(), 0

    def begin() -> dict[str, Path]:
        nonlocal number
        number += 1
        for widget in QApplication.topLevelWidgets():
            if isinstance(widget, QDialog):
                widget.close()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # or one that is gone keeps the keyboard
        copy = path.parent / str(number) / path.name
        copy.parent.mkdir()
        copy.write_bytes(data)
        window.session.messages.clear()
        window.session.open(copy)
        idle(window, qtbot)
        return {"path": copy}

    return begin
