"""Signals as they are dragged from pane to pane."""

from collections.abc import Iterable

from PySide6.QtCore import QMimeData

from ...views.signal_key import MIME, Key, packed


def drag_data(keys: Iterable[Key]) -> QMimeData:
    """Return the data of a drag of signals, each once; without signals they are empty."""
    data = QMimeData()
    unique = tuple(dict.fromkeys(keys))
    if unique:
        data.setData(MIME, packed(unique))
    return data
