"""Signals as they are dragged from pane to pane."""

from collections.abc import Iterable

from PySide6.QtCore import QMimeData

from ...views.signal_key import MIME, Key, packed


def dragged(keys: Iterable[Key]) -> QMimeData:
    """What is dragged with these signals: nothing where there are none."""
    data = QMimeData()
    different = tuple(dict.fromkeys(keys))
    if different:
        data.setData(MIME, packed(different))
    return data
