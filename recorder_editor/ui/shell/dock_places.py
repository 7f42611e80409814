"""Where docks stand beside each other, as values of JSON: read from a window, checked, put back into another one.

Qt's own words of it are not read from files of others: it crashes on some that are spoilt.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypedDict

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QMainWindow

from .docks import Dock

AREAS = {side: Qt.DockWidgetArea[f"{side.title()}DockWidgetArea"] for side in ("left", "right", "top", "bottom")}
_SPLITS = {"below": Qt.Orientation.Vertical, "beside": Qt.Orientation.Horizontal}
_TAB = "behind"
_LARGEST = 10_000


class Place(TypedDict):
    """The place of a dock, as JSON has it.

    Attributes:
        pane: The name of the dock.
        at: An area, or `below`, `beside` or `behind` another dock.
        of: The name of that one; empty for an area.
        size: Width and height in pixels.
    """

    pane: str
    at: str
    of: str
    size: list[int]


def place(dock: Dock, at: str, of: Dock | None = None) -> Place:
    """Return the place of a dock in an area, or at another dock."""
    return {"pane": dock.name, "at": at, "of": "" if of is None else of.name, "size": [dock.width(), dock.height()]}


def places_of(window: QMainWindow, docks: Iterable[Dock]) -> list[Place]:
    """Where the docks stand that are open and do not float; each comes after the one it stands by."""
    shown = []
    for dock in docks:
        if not dock.isHidden() and not dock.isFloating():
            shown.append(dock)
    fronts = [dock for dock in shown if dock.is_in_front()]
    places = []
    for name, area in AREAS.items():
        inside = [dock for dock in fronts if window.dockWidgetArea(dock) == area]
        if inside:
            places.append(place(_corner(inside), name))
            places += _parts(inside)
    for front in fronts:
        for tab in window.tabifiedDockWidgets(front):
            if isinstance(tab, Dock) and tab in shown:
                places.append(place(tab, _TAB, front))
    return places


def _corner(docks: list[Dock]) -> Dock:
    return min(docks, key=lambda dock: (dock.y(), dock.x()))


def _parts(docks: list[Dock]) -> list[Place]:
    """Part docks where a line goes through between them, and each part again; the first one of all stands already."""
    for at, begin, end in (("below", QRect.top, QRect.bottom), ("beside", QRect.left, QRect.right)):
        docks = sorted(docks, key=lambda dock: begin(dock.geometry()))
        for cut in range(1, len(docks)):
            first = docks[:cut]
            rest = docks[cut:]
            if max(end(dock.geometry()) for dock in first) < begin(rest[0].geometry()):
                second = place(_corner(rest), at, _corner(first))
                return [second, *_parts(first), *_parts(rest)]
    return []


def are_places(value: Sequence[object], names: Collection[str]) -> bool:
    """Whether a value is a list of places for docks of these names, each at a dock before it."""
    placed: list[str] = []
    for entry in value:
        match entry:
            case {"pane": str(name), "at": str(at), "of": str(of), "size": [int(), int()]}:
                if name not in names or name in placed:
                    return False
                is_at_dock = at in _SPLITS or at == _TAB
                if is_at_dock and of not in placed:
                    return False
                if not is_at_dock and at not in AREAS:
                    return False
                placed.append(name)
            case _:
                return False
    return True


def put(window: QMainWindow, docks: Mapping[str, Dock], places: Iterable[Place]) -> None:
    """Put docks that stand nowhere into these places."""
    for one in places:
        dock = docks[one["pane"]]
        at = one["at"]
        if at in AREAS:
            window.addDockWidget(AREAS[at], dock)
        elif at == _TAB:
            window.tabifyDockWidget(docks[one["of"]], dock)
        else:
            window.splitDockWidget(docks[one["of"]], dock, _SPLITS[at])


def stretch(window: QMainWindow, docks: Mapping[str, Dock], places: Iterable[Place]) -> None:
    """Give docks in these places their lengths, and bring those to the front that stand behind no other one."""
    fronts = [one for one in places if one["at"] != _TAB]
    inside = [docks[one["pane"]] for one in fronts]
    for side, orientation in enumerate((Qt.Orientation.Horizontal, Qt.Orientation.Vertical)):
        lengths = [max(1, min(one["size"][side], _LARGEST)) for one in fronts]
        window.resizeDocks(inside, lengths, orientation)
    for dock in inside:
        dock.raise_()
