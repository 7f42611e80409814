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
    """`pane` (name of a dock), `at` (an area, or `below`, `beside` or `behind` another dock), `of` (that one, or
    empty), `size` (width and height in pixels)."""

    pane: str
    at: str
    of: str
    size: list[int]


def place(dock: Dock, at: str, of: Dock | None = None) -> Place:
    """A dock in an area, or at another dock."""
    return {"pane": dock.name, "at": at, "of": of.name if of is not None else "", "size": [dock.width(), dock.height()]}


def places_of(window: QMainWindow, docks: Iterable[Dock]) -> list[Place]:
    """Where the docks stand that are open and do not float; each comes after the one it stands by."""
    shown = []
    for dock in docks:
        if not dock.isHidden() and not dock.isFloating():
            shown.append(dock)
    fronts = [dock for dock in shown if dock.is_in_front()]
    found = []
    for name, area in AREAS.items():
        inside = []
        for dock in fronts:
            if window.dockWidgetArea(dock) == area:
                inside.append(dock)
        if inside:
            found += [place(_corner(inside), name), *_parts(inside)]
    pairs = ((dock, front) for front in fronts for dock in window.tabifiedDockWidgets(front))
    return found + [place(dock, _TAB, front) for dock, front in pairs if dock in shown]


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
                return [place(_corner(rest), at, _corner(first)), *_parts(first), *_parts(rest)]
    return []


def are_places(value: Sequence[object], names: Collection[str]) -> bool:
    """Whether docks of these names can be put so."""
    known: list[str] = []
    for each in value:
        match each:
            case {"pane": str(name), "at": str(at), "of": str(of), "size": [int(), int()]} if (
                name in names and name not in known and (of in known if at in _SPLITS or at == _TAB else at in AREAS)
            ):
                known.append(name)
            case _:
                return False
    return True


def put(window: QMainWindow, docks: Mapping[str, Dock], places: Iterable[Place]) -> None:
    """Put docks that stand nowhere into these places."""
    for each in places:
        dock = docks[each["pane"]]
        at = each["at"]
        if at in AREAS:
            window.addDockWidget(AREAS[at], dock)
        elif at == _TAB:
            window.tabifyDockWidget(docks[each["of"]], dock)
        else:
            window.splitDockWidget(docks[each["of"]], dock, _SPLITS[at])


def stretch(window: QMainWindow, docks: Mapping[str, Dock], places: Iterable[Place]) -> None:
    """Give docks in these places their lengths, and bring those to the front that stand behind no other one."""
    fronts = [each for each in places if each["at"] != _TAB]
    inside = [docks[each["pane"]] for each in fronts]
    for side, way in enumerate((Qt.Orientation.Horizontal, Qt.Orientation.Vertical)):
        window.resizeDocks(inside, [max(1, min(each["size"][side], _LARGEST)) for each in fronts], way)
    for dock in inside:
        dock.raise_()
