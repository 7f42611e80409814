"""The layouts of the docks: as designed, following the size of the window, or as a person changed them, which is kept.

Knows docks and lengths, nothing of what the panes show.
"""

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QMainWindow

from ..session.debounce import Debounce
from ..session.settings import Settings
from ..style.theme import Theme
from ..widgets.titles import RANK
from .dock_places import AREAS, Place, place, places_of, put, stretch
from .docks import Dock, Slot

_NARROW = 1400
_SMALL = 1120
_BELOW = (140, 240)
"""The height of a dock that joins another one below it, a fifth of the window, at the least and at the most."""

_TINY = (960, 600)
"""Width and height below which all lengths shrink with the window: on a small screen, or with large text."""

_LEAST_OF_RIGHT = 0.85
"""Forms, and the buttons below them, shrink no further; alone beside the centre they keep their width."""

_GIVES_WAY = 120
_LOWEST_ABOVE = 158
_ACTOR = 14
_MOST_ACTORS = 4
"""What the upper one gives to it, and what stays: of the timeline its transport, overview, ruler, three lanes, and
actors, one more in a window that is so much higher than `_TINY`."""

_HIGHER = 50

_LOWEST_COLUMN = 207
_LEAST_ABOVE = 72
_LEAST_BELOW = 64
"""What both leave to the columns, where there is so much: a few packets and their bytes; and what they keep of it: of
the timeline its transport and overview, of the other one a curve."""

_LOWEST_TABS = 128
_LOWEST_RIGHT = 90
"""Of the columns the upper docks keep this: at the left their title, a line to search in and three rows."""

_CENTRE = 360
"""So wide the centre stays while a column is wider than designed."""

_AS_DRAGGED = 0
_FOLLOWING = 1
"""Versions of a kept layout: whether a person dragged its lines."""

_OWN = "own"
"""The layout of the workspace that a person saved and has chosen."""


class Widths(NamedTuple):
    """Lengths of a layout in pixels of the design: columns and the dock at the bottom; `below` and `lower_right` are
    the heights of the lower docks at the left and right."""

    left: int
    right: int
    bottom: int
    below: int = 198
    lower_right: int = 64

    def within(self, across: float, down: float) -> "Widths":
        """The same in a window that has this share of `_TINY`, at most 1; the lower one at the left gives way most."""
        least_of_right = _LEAST_OF_RIGHT if self.left else 1
        return Widths(
            left=round(self.left * across),
            right=round(self.right * max(across, least_of_right)),
            bottom=round(self.bottom * down),
            below=round(self.below * down**2),
            lower_right=self.lower_right,
        )


class Preset(NamedTuple):
    """A designed layout; which docks stand in it is told by their placement.

    Attributes: `name`, `wide` (from 1,400 pixels on), `narrow`, `small` (below 1,120), `shows_range` (in the status
    bar), `is_close` (a new recording is shown with its hero in the middle, closely).
    """

    name: str
    wide: Widths
    narrow: Widths
    small: Widths
    shows_range: bool = False
    is_close: bool = False

    def widths(self, width: int) -> Widths:
        """The lengths for a window so wide."""
        if width >= _NARROW:
            return self.wide
        if width >= _SMALL:
            return self.narrow
        return self.small


PRESETS = {
    preset.name: preset
    for preset in (
        Preset("inspect", Widths(500, 292, 228), Widths(340, 268, 214, 179), Widths(310, 252, 200, 150)),
        Preset("scene", Widths(479, 0, 196, 252), Widths(427, 0, 190, 236), Widths(340, 0, 180, 190), is_close=True),
        Preset("trim", Widths(0, 344, 368), Widths(0, 320, 320), Widths(0, 272, 250), shows_range=True),
        Preset("repair", Widths(560, 352, 244, 290), Widths(440, 300, 212, 240), Widths(340, 252, 180, 170)),
    )
}


class DockLayout(QObject):
    """The layout of the docks of one window.

    Signals: `settled()` (the docks have the lengths they keep), `named()` (the workspace is another one, or has another
    name). Attributes: `preset` (name of the layout), `name` (of the workspace: that of the preset, or of one that a
    person saved), `places` (of the docks in that), `is_laid_out` (the docks stand in it).
    """

    settled = Signal()
    named = Signal()

    def __init__(self, window: QMainWindow, docks: Mapping[str, Dock], settings: Settings, theme: Theme) -> None:
        super().__init__(window)
        self.name = "inspect"
        self.preset = "inspect"
        self.places: list[Place] = []
        self.is_laid_out = False
        self._is_selected = False
        self._closed: set[Dock] = set()  # by hand, of those that are shown with a selection
        self._window = window
        self._docks = docks
        self._settings = settings
        self._theme = theme
        self._is_designed = False  # no dock was moved, opened or closed by hand
        self._follows = False  # no line was dragged and no dock moved by hand: the lengths follow the window
        self._soon = Debounce(self, self.measure, 0)
        for dock in docks.values():
            dock.closed.connect(self.opened_or_closed)
            dock.closed.connect(partial(self._closed.add, dock))
            dock.topLevelChanged.connect(self.opened_or_closed)
            if dock.placement.joins == "below":
                dock.topLevelChanged.connect(self.make_room)
            dock.dockLocationChanged.connect(self._docked)

    def lay_out(self) -> None:
        """Put the docks where the layout has them: as they were kept, else as they were designed."""
        window = self._window
        self.is_laid_out = False
        self._is_designed = False
        self._follows = False
        kept = self._settings.layout(self._key)
        places: list[Place] = []
        if kept is None and self._key == _OWN:
            places = self.places
        self._arrange(places)
        follows = kept is not None and window.restoreState(kept, _FOLLOWING)
        is_restored = follows or (kept is not None and window.restoreState(kept, _AS_DRAGGED))
        is_designed = not places and not is_restored
        self._show_selected()
        self._settle_now()
        if is_designed or places:
            for _ in range(2):  # the heights of a column hold once the one of the dock at the bottom does
                if places:
                    stretch(window, self._docks, places)
                else:
                    self._measure()
                self._settle_now()
        # Panes are made at the size that they will have, and may ask for more room then.
        for dock in self._docks.values():
            dock.look()
        if is_designed:
            self._settle_now()
            self._measure()
        # Qt settles the tabs of new docks only once its events have run: the lengths hold from then on.
        QTimer.singleShot(0, self, partial(self._settle, self.name, is_designed, is_designed or follows))
        self.is_laid_out = True

    def _settle_now(self) -> None:
        layout = self._window.layout()
        if layout is not None:
            layout.activate()

    def _settle(self, name: str, is_designed: bool, follows: bool) -> None:
        if self.is_laid_out and name == self.name:
            self._is_designed = is_designed
            self._follows = follows
            self.measure()
        self.settled.emit()

    def measure(self) -> None:
        """Give the panes the designed lengths for a window of this size; where a person gave them others, only what the
        centre needs."""
        if self._follows:
            self._measure()
        elif self.is_laid_out:
            self._spare_the_centre()

    def measure_soon(self) -> None:
        """The same when Qt has laid the window out."""
        self._soon.start()

    def make_room(self) -> None:
        """A dock that joins another one below it was opened or closed, or needs another height.

        The upper one gives way, or takes its room.
        """
        if self.is_laid_out:
            for dock in self._docks.values():
                dock.take_room()
            self._settle_now()
            if self._follows:
                self._measure()
            else:
                self._measure_bottom()

    def forget_closed(self) -> None:
        """Show all docks with a selection again, as they were designed."""
        self._closed.clear()

    def select(self, is_selected: bool) -> None:
        """Something is selected, or nothing any more: open what is shown with a selection alone, or close it.

        What a person saved as a workspace stays as it was saved.
        """
        if is_selected != self._is_selected:
            self._is_selected = is_selected
            if self.is_laid_out and self._in("selected"):
                self._show_selected()
                self.make_room()

    def _show_selected(self) -> None:
        if self._key == _OWN:
            return
        docks = [dock for dock in self._in("selected") if dock not in self._closed]
        for dock in docks:
            dock.setVisible(self._is_selected)
        for dock in docks[:1]:
            dock.raise_()

    def opened_by_hand(self, dock: Dock, on: bool) -> None:
        """A person opened a dock, or closed it: with a selection it comes no more."""
        if on:
            self._closed.discard(dock)
        else:
            self._closed.add(dock)

    def _docked(self, area: Qt.DockWidgetArea) -> None:
        if area != Qt.DockWidgetArea.NoDockWidgetArea:  # it floats
            self.moved_by_hand()

    def moved_by_hand(self) -> None:
        """A person gave the panes other places or lengths: they stay."""
        self._is_designed = False
        self._follows = False

    def heighten(self, dock: Dock, pixels: int) -> None:
        """Make a dock at the bottom so much higher, as if a person dragged its line."""
        if dock.isFloating():
            dock.resize(dock.width(), dock.height() + pixels)
            return
        docks = [other for other in self._docks.values() if _is_shown(other) and other.placement.side == "bottom"]
        heights = [other.height() for other in docks]
        heights[docks.index(dock)] += pixels
        self._window.resizeDocks(docks, heights, Qt.Orientation.Vertical)
        self.moved_by_hand()

    def opened_or_closed(self) -> None:
        """A person opened, closed or floated a dock: the others have the designed lengths all the same."""
        self._is_designed = False

    def keep(self) -> None:
        """Remember what a person made of the layout."""
        if self.is_laid_out:
            state = None
            if not self._is_designed:
                state = self._window.saveState(_FOLLOWING if self._follows else _AS_DRAGGED)
            self._settings.keep_layout(self._key, state)

    @property
    def _key(self) -> str:
        """Under which the settings keep what a person made of the layout."""
        if self.name in PRESETS:
            return self.name
        return _OWN

    def use(self, preset: str, name: str = "", places: list[Place] | None = None) -> None:
        """Have another layout from now on; `places`: of a workspace as it was saved, not as it was left."""
        if (name or preset) != self.name:
            self.keep()
        self.preset = preset
        if places is not None:
            self.places = places
            self._settings.keep_layout(_OWN, None)
        self.rename(name or preset)

    def rename(self, name: str) -> None:
        """Give the workspace another name."""
        self.name = name
        self.named.emit()

    def described(self) -> list[Place]:
        """Where the docks stand; nothing while they are as designed, the first of the tabs in front."""
        is_designed = self._is_designed and all(dock.is_in_front() for dock in self._in("tabs")[:1])
        if is_designed and (self._is_selected or not self._in("selected")):
            return []
        return places_of(self._window, self._docks.values())

    def raise_first(self) -> None:
        """Bring the first of the tabs to the front, unless a person chose which one that is."""
        if self._key != _OWN:
            for dock in self._in("tabs")[:1]:
                dock.raise_()

    def _in(self, slot: Slot) -> list[Dock]:
        """The docks in a slot of this layout, in their order."""
        orders: dict[Dock, int] = {}
        for dock in self._docks.values():
            slot_and_order = dock.placement.places.get(self.preset)
            if slot_and_order is not None and slot_and_order[0] == slot:
                orders[dock] = slot_and_order[1]
        return sorted(orders, key=orders.__getitem__)

    def _shown_in(self, slot: Slot) -> list[Dock]:
        return list(filter(_is_shown, self._in(slot)))

    def _arrange(self, places: list[Place]) -> None:
        """Put the docks into these places, or without any where the design wants them, the others out of sight."""
        window = self._window
        for dock in self._docks.values():
            dock.setFloating(False)
            window.removeDockWidget(dock)
        places = places or self._designed_places()
        put(window, self._docks, places)
        shown = [self._docks[one["pane"]] for one in places]
        for dock in self._docks.values():
            if dock not in shown:
                put(window, self._docks, [self._hidden_place(dock, shown)])
        ranked = dict.fromkeys(self._in("tabs") + list(self._docks.values()))
        for rank, dock in enumerate(ranked):
            dock.setVisible(dock in shown)
            dock.setProperty(RANK, rank)
        self.raise_first()

    def _designed_places(self) -> list[Place]:
        tabs = self._in("tabs")
        places = []
        for dock in self._in("bottom") + tabs[:1] + self._in("right"):
            places.append(place(dock, dock.placement.side))
        for dock in self._in("below"):
            places.append(place(dock, "below", tabs[0]))
        selected = self._in("selected")
        for dock in selected[:1]:
            places.append(place(dock, "below", tabs[0]))
        for tab in tabs[1:]:
            places.append(place(tab, "behind", tabs[0]))
        for tab in selected[1:]:
            places.append(place(tab, "behind", selected[0]))
        return places

    def _hidden_place(self, dock: Dock, shown: list[Dock]) -> Place:
        """The place that a hidden dock is to have when it is opened: at the last shown one in its area, if it joins."""
        side = dock.placement.side
        joins = dock.placement.joins
        if joins:
            for host in reversed(shown):
                if self._window.dockWidgetArea(host) == AREAS[side]:
                    return place(dock, joins, host)
        return place(dock, side)

    def _measure(self) -> None:
        """Give the docks their designed lengths; the window must have been laid out."""
        window = self._window
        px = self._theme.px
        widths = self._widths()
        tabs = self._shown_in("tabs")
        below = self._shown_in("below") + self._shown_in("selected")
        right = self._shown_in("right")
        self._measure_bottom()
        self._settle_now()  # what it leaves to the columns
        for docks, width in ((tabs or below, widths.left), (right, widths.right)):
            if docks:
                window.resizeDocks(docks[:1], [px(width)], Qt.Orientation.Horizontal)
        if tabs and below:
            self._split(tabs[0], below[0], px(widths.below), px(_LOWEST_TABS))
        if len(right) > 1:
            self._split(right[0], right[1], px(widths.lower_right), px(_LOWEST_RIGHT))

    def _spare_the_centre(self) -> None:
        """Take what the centre lacks from columns that are wider than designed."""
        px = self._theme.px
        widths = self._widths()
        centre = self._window.centralWidget()
        lacks = 0
        if centre is not None:
            lacks = px(_CENTRE) - centre.width()
        left = self._shown_in("tabs") + self._shown_in("below") + self._shown_in("selected")
        right = self._shown_in("right")
        for docks, width in ((left, widths.left), (right, widths.right)):
            dock = next((dock for dock in docks if dock.is_in_front()), None)
            if dock is None:
                continue
            spare = min(lacks, dock.width() - px(width))
            if spare > 0:
                self._window.resizeDocks([dock], [dock.width() - spare], Qt.Orientation.Horizontal)
                lacks -= spare

    def _widths(self) -> Widths:
        width = round(self._window.width() / self._theme.px(100) * 100)
        return PRESETS[self.preset].widths(width).within(min(1.0, width / _TINY[0]), self._down())

    def _down(self) -> float:
        """The share of `_TINY` that the window has in height, at most 1."""
        return min(1.0, self._window.height() / self._theme.px(_TINY[1]))

    def _measure_bottom(self) -> None:
        """Give the dock at the bottom its height, and where another one joins it below a part of that to it."""
        px = self._theme.px
        height = self._widths().bottom
        upper = self._shown_in("bottom")[:1]
        below = []
        for dock in self._docks.values():
            if dock.placement.joins == "below" and _is_shown(dock):
                below.append(dock)
        down = self._down()
        actors = max(0, min(round(self._window.height() / px(100) * 100 - _TINY[1]) // _HIGHER, _MOST_ACTORS))
        stays = height
        if below:
            stays = max(height - _GIVES_WAY, round(_LOWEST_ABOVE * down) + _ACTOR * actors)
        lower = min(max(self._window.height() // 5, px(round(_BELOW[0] * down))), px(_BELOW[1]))
        stays = px(stays)
        least = max((_least_height(dock) for dock in below), default=0)
        if least > lower:
            lower = least
            stays = min(stays, px(round(_LOWEST_ABOVE * down)))
        centre = self._window.centralWidget()
        if upper and centre is not None and self._shown_in("tabs"):
            column = centre.height() + sum(dock.height() for dock in upper + below) - stays
            if below:
                column -= lower
            lacks = px(_LOWEST_COLUMN) - column
            taken = 0
            if below:
                taken = max(0, min(lacks // 2, lower - max(px(_LEAST_BELOW), least)))
            lower -= taken
            stays -= max(0, min(lacks - taken, stays - px(_LEAST_ABOVE)))
        heights = [stays] * len(upper) + [lower] * len(below)
        self._window.resizeDocks(upper + below, heights, Qt.Orientation.Vertical)

    def _split(self, upper: Dock, lower: Dock, height: int, least: int = 1) -> None:
        both = upper.height() + lower.height()
        height = max(1, min(height, both - least))
        self._window.resizeDocks([upper, lower], [both - height, height], Qt.Orientation.Vertical)


def _is_shown(dock: Dock) -> bool:
    """It is open, and stands in the window."""
    return not dock.isHidden() and not dock.isFloating()


def _least_height(dock: Dock) -> int:
    """What its pane needs at the least, with the title."""
    if dock.pane is None:
        return 0
    return dock.title.sizeHint().height() + dock.pane.minimumHeight()
