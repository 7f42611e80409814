"""What is along X and Y: a signal, or the same signal of several actors; the two fields in the title."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSizePolicy, QWidget

from ....texts import say
from ....views.signal_key import Key
from ...style.boxes import fill
from ...style.theme import Theme
from ...widgets.base import Label, WheelFilter
from .series import Trace

_WIDTH = 92
_WIDEST = 150
_ARROW = 30
"""The edges of a field, and its arrow."""

_BETWEEN = 6


class SignalGroup(NamedTuple):
    """An entry of X and Y.

    Attributes:
        key: The signal; of several actors without the actor.
        title: Its title; with the actor where other actors are shown as well.
        traces: The signal of each actor.
    """

    key: Key
    title: str
    traces: tuple[Trace, ...]


class Pair(NamedTuple):
    """Two signals that are plotted against each other."""

    x: Trace
    y: Trace


def groups_of(traces: Sequence[Trace]) -> list[SignalGroup]:
    """Return what can be chosen for X and Y: a signal of several actors first together, then of each."""
    families: dict[Key, list[Trace]] = {}
    for trace in traces:
        families.setdefault(trace.key._replace(actor=None), []).append(trace)
    has_several = len({trace.key.actor for trace in traces}) > 1
    groups = []
    for family, members in families.items():
        if len(members) > 1:
            groups.append(SignalGroup(family, members[0].texts.title, tuple(members)))
        for trace in members:
            title = trace.title if has_several else trace.texts.title
            groups.append(SignalGroup(trace.key, title, (trace,)))
    return groups


def pairs_of(x: SignalGroup | None, y: SignalGroup | None) -> list[Pair]:
    """Return the signals that are plotted against each other: of one actor each, or one against all."""
    if x is None or y is None:
        return []
    if len(x.traces) == 1:
        return [Pair(x.traces[0], trace) for trace in y.traces]
    if len(y.traces) == 1:
        return [Pair(trace, y.traces[0]) for trace in x.traces]
    of_actors = {trace.key.actor: trace for trace in y.traces}
    pairs = []
    for trace in x.traces:
        other = of_actors.get(trace.key.actor)
        if other is not None:
            pairs.append(Pair(trace, other))
    return pairs


def _group_with(groups: Sequence[SignalGroup], key: Key | None) -> SignalGroup | None:
    for group in groups:
        if group.key == key:
            return group
    return None


class AxisChoice(QWidget):
    """The fields for X and Y.

    Attributes:
        theme: The theme.
        fields: The field of each axis, "x" and "y".
        wanted: The signals that a person chose, by axis; they are kept while they are not shown.

    Signal: `changed` (a person chose another one).
    """

    changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.wanted: dict[str, Key] = {}
        self.fields: dict[str, QComboBox] = {}
        self._groups: list[SignalGroup] = []
        names = {"x": say("Signal along X"), "y": say("Signal along Y")}
        row = fill(QHBoxLayout(self), spacing=_BETWEEN)
        for axis, name in names.items():
            field = QComboBox()
            field.setAccessibleName(name)
            field.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            field.installEventFilter(WheelFilter(field))
            field.activated.connect(lambda index, axis=axis: self.choose(axis, self._groups[index].key))
            self.fields[axis] = field
            row.addWidget(Label(theme, axis.upper(), "small", "muted"))
            row.addWidget(field)
        theme.changed.connect(self._refill)

    def set_traces(self, traces: Sequence[Trace]) -> None:
        """Offer these signals."""
        self._groups = groups_of(traces)
        self._refill()

    def _refill(self) -> None:
        for axis, field in self.fields.items():
            group = self.group(axis)
            titles = [field.fontMetrics().horizontalAdvance(entry.title) for entry in self._groups]
            needed = max(titles, default=0) + self.theme.px(_ARROW)
            width = min(max(self.theme.px(_WIDTH), needed), self.theme.px(_WIDEST))
            field.setFixedWidth(width)
            with QSignalBlocker(field):
                field.clear()
                room = width - self.theme.px(_ARROW)
                for index, entry in enumerate(self._groups):
                    cut = field.fontMetrics().elidedText(entry.title, Qt.TextElideMode.ElideMiddle, room)
                    # The list has the whole title, the field as much of it as it has room for.
                    field.addItem(entry.title if entry != group else cut)
                    field.setItemData(index, entry.title, Qt.ItemDataRole.ToolTipRole)
                    field.setItemData(index, entry.title, Qt.ItemDataRole.AccessibleTextRole)
                if group is not None:
                    field.setCurrentIndex(self._groups.index(group))
                    field.setToolTip(group.title)
                else:
                    field.setCurrentIndex(-1)
                    field.setToolTip("")
                field.setPlaceholderText("–")
            field.view().setMinimumWidth(field.view().sizeHintForColumn(0) + self.theme.px(_ARROW))

    @property
    def groups(self) -> list[SignalGroup]:
        """What can be chosen."""
        return self._groups

    def choose(self, axis: str, key: Key) -> None:
        """Put a signal along an axis, "x" or "y"."""
        if self.wanted.get(axis) != key:
            self.wanted[axis] = key
            self._refill()
            self.changed.emit()

    def group(self, axis: str) -> SignalGroup | None:
        """Return what is along an axis: what a person chose, else for Y the first signal, for X the next other one."""
        chosen = _group_with(self._groups, self.wanted.get(axis))
        if chosen is not None:
            return chosen
        if axis == "y":
            return self._groups[0] if self._groups else None
        y = self.group("y")
        if y is None:
            return None
        family = y.key._replace(actor=None)
        actors = {trace.key.actor for trace in y.traces}
        others = [group for group in self._groups if group.key._replace(actor=None) != family]
        for group in others:
            if {trace.key.actor for trace in group.traces} == actors:
                return group
        return others[0] if others else None

    def kept(self) -> list[list[object]]:
        """Return what a person chose, as workspaces keep it: X and Y, an empty list for none."""
        return [list(self.wanted.get(axis, ())) for axis in self.fields]

    def restore(self, keys: Sequence[Key | None]) -> None:
        """Choose signals for X and Y; None: none."""
        self.wanted = {}
        for axis, key in zip(self.fields, keys, strict=True):
            if key is not None:
                self.wanted[axis] = key
        self._refill()
        self.changed.emit()
