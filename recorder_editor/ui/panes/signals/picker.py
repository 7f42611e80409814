"""The dialog that chooses signals from a list, filtered by words of the actor and of the signal."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from PySide6.QtCore import QObject, QRect, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from ....reading import Actors, Life
from ....recording import Snapshot
from ....texts import listed, say
from ....views.describe import icon_of
from ....views.signal_catalog import name_of, signals_of_actor, signals_of_frames, texts_of
from ....views.signal_key import Key
from ...dialogs.base import SessionDialog
from ...dialogs.widgets import framed_list
from ...session import Session
from ...style.painting import draw_text
from ...style.theme import Theme
from ...widgets import Label, SearchField
from ...widgets.rows_model import Index

MOST = 300
_MOST_ACTORS = 24
_KEY = int(Qt.ItemDataRole.UserRole)
_DETAIL = _KEY + 1
_WIDTH = 540
_BESIDE = 44  # the icon, and the space between text and detail


class _Entry(NamedTuple):
    """A signal that is offered.

    Attributes:
        key: The signal.
        title: Its title without the actor: `location x`.
        detail: Its packet and unit: `Position, cm`.
    """

    key: Key
    title: str
    detail: str

    @property
    def searched(self) -> str:
        """Its title, and its name, which is English in every language."""
        if self.key.kind == "field":
            return f"{self.title} {self.key.path}".lower()
        return f"{self.title} {self.key.name}".lower()


class _Line(NamedTuple):
    """A line of the list.

    Attributes:
        life: A life of the actor; None for signals of frames.
        keys: The signal; for several actors that of each.
        text: Its title with the actor.
        detail: Its packet and unit.
    """

    life: Life | None
    keys: tuple[Key, ...]
    text: str
    detail: str


class Picker(SessionDialog):
    """Chooses signals.

    Attributes:
        filter: The search.
        list: The list of signals.
        note: The line below it.
        expression: The button for an expression.

    Signals: `picked(tuple)` of keys, `expression_asked`.
    """

    picked = Signal(object)
    expression_asked = Signal()

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, "signalPicker", parent, _WIDTH)
        self.say(say("Plot signals"), say("Plot signals over time"))
        self.filter = SearchField(theme, say("Search by actor and signal: 3890 speed, hero steering"))
        self.filter.textChanged.connect(self._fill)
        self.list = framed_list(say("Signals"))
        self.filter.lead_to(self.list, Qt.Key.Key_Down)
        self.filter.left.connect(self._select_next)
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.list.setUniformItemSizes(True)
        self.list.setMinimumHeight(theme.px(330))
        self.list.setItemDelegate(_Delegate(theme, self.list))
        self.list.itemDoubleClicked.connect(lambda _item: self.pick())
        self.list.itemSelectionChanged.connect(self._enable)
        self.note = Label(theme, "", "small", "muted", wraps=True)
        for widget in (self.filter, self.list, self.note):
            self.body.addWidget(widget)
        self.expression = self.add_button(say("Expression..."), self._ask_expression, left=True)
        self.add_answers(say("Plot"), self.pick)
        self._offered: dict[int | None, list[_Entry]] = {}
        self._lacks = session.traffic.lacks()
        self._fill("")
        self.filter.setFocus()

    def pick(self) -> None:
        """Emit the selected signals, and close."""
        keys: dict[Key, None] = {}
        for item in self.list.selectedItems():
            keys.update(dict.fromkeys(item.data(_KEY)))
        if keys:
            self.accept()
            self.picked.emit(tuple(keys))

    def _select_next(self) -> None:
        self.list.setCurrentRow(min(self.list.currentRow() + 1, self.list.count() - 1))

    def _ask_expression(self) -> None:
        self.reject()
        self.expression_asked.emit()

    def keys(self) -> list[Key]:
        """Return the signals in the list that can be selected."""
        keys: list[Key] = []
        for item in self._items():
            keys += item.data(_KEY) or ()
        return keys

    def _items(self) -> list[QListWidgetItem]:
        return [self.list.item(row) for row in range(self.list.count())]

    def _enable(self) -> None:
        self.go.setEnabled(bool(self.list.selectedItems()))

    # --- the list ---------------------------------------------------------------------------------------

    def _fill(self, typed: str) -> None:
        snapshot = self.session.snapshot
        actors = self.session.actors
        self.list.clear()
        if snapshot is None or actors is None:
            return
        lines = list(islice(self._matching_lines(snapshot, actors, typed.lower().split()), MOST + 1))
        for line in lines[:MOST]:
            item = QListWidgetItem(line.text)
            icon = icon_of(line.life) if line.life is not None else "clock"
            item.setIcon(self.theme.icons.icon(icon))
            item.setData(_DETAIL, line.detail)
            if line.keys[0].kind == "traffic" and self._lacks:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
                item.setToolTip(self._lacks)
            else:
                item.setData(_KEY, line.keys)
                item.setToolTip(texts_of(line.keys[0], snapshot.dialect).meaning)
            self.list.addItem(item)
        self._update_note(has_more=len(lines) > MOST)
        for row, item in enumerate(self._items()):
            if item.data(_KEY) is not None:
                self.list.setCurrentRow(row)
                break
        self._enable()

    def _update_note(self, *, has_more: bool) -> None:
        items = self._items()
        if not items:
            self.note.setText(say("No signal matches."))
        elif self._lacks and any(item.data(_KEY) is None for item in items):
            self.note.setText(self._lacks)
        elif has_more:
            self.note.setText(say("The first {most:,}; type more to narrow the list.", most=MOST))
        else:
            self.note.setText(say("Ctrl or Shift choose several; a field can be dragged here from other panes."))

    def _matching_lines(self, snapshot: Snapshot, actors: Actors, parts: list[str]) -> Iterator[_Line]:
        """Yield the signals that hold all typed parts in the texts of actor and signal.

        Those of the selected actors come first, and of each actor those with a word that begins like the first part.
        """
        yield from self._shared_lines(snapshot, actors, parts)
        for life in self._matching_lives(actors, parts):
            name = name_of(life)
            searched = f"{name} {life.class_}".lower()
            rest = [part for part in parts if part not in searched]
            for entry in _matching_entries(self._entries_of(snapshot, actors, life), rest):
                # Elements of arrays are shown only where they are searched for.
                if rest or "[" not in entry.key.path:
                    yield _Line(life, (entry.key,), text=f"{name}   {entry.title}", detail=entry.detail)
        for entry in _matching_entries(self._entries_of(snapshot, actors, None), parts):
            yield _Line(None, (entry.key,), text=entry.title, detail=entry.detail)

    def _shared_lines(self, snapshot: Snapshot, actors: Actors, parts: list[str]) -> Iterator[_Line]:
        """Yield the signals that the selected actors share, each for all of them."""
        lives: list[Life] = []
        for actor in self.session.selection.actors[:_MOST_ACTORS]:
            lives.extend(actors.of_id(actor)[:1])
        if len(lives) < 2:
            return
        name = say("{count} selected actors", count=len(lives))
        rest = [part for part in parts if part not in name.lower()]
        shared = self._shared_keys(snapshot, actors, lives)
        for entry in _matching_entries(self._entries_of(snapshot, actors, lives[0]), rest):
            is_offered = entry.key.other is None and entry.key._replace(actor=None) in shared
            if is_offered and (rest or "[" not in entry.key.path):
                keys = tuple(entry.key._replace(actor=life.actor) for life in lives)
                yield _Line(lives[0], keys, text=f"{name}   {entry.title}", detail=entry.detail)

    def _shared_keys(self, snapshot: Snapshot, actors: Actors, lives: list[Life]) -> set[Key]:
        """Return the signals that all of some lives have, without the actor."""
        keys_of_lives = []
        for life in lives:
            entries = self._entries_of(snapshot, actors, life)
            keys_of_lives.append({entry.key._replace(actor=None) for entry in entries})
        return set.intersection(*keys_of_lives)

    def _matching_lives(self, actors: Actors, parts: list[str]) -> list[Life]:
        """Return the lives of actors that typed parts may mean, one for each actor.

        These are the selected ones, the heroes, and others that hold at least one part in their texts.
        """
        first: list[Life] = []
        if self.session.selection.life is not None:
            first.append(self.session.selection.life)
        for actor in self.session.selection.actors[1:]:
            first += actors.of_id(actor)[:1]
        first += [life for life in actors if life.is_hero][:2]
        lives: dict[int, Life] = {}
        for life in first:
            # The first life of an actor counts, at the place of its last one.
            earlier = lives.pop(life.actor, life)
            lives[life.actor] = earlier
        most = len(lives) + _MOST_ACTORS
        for life in actors:
            if parts and life.actor not in lives and len(lives) < most:
                text = f"{life.actor} {life.class_} {life.blueprint} {life.role_name}".lower()
                if any(part in text for part in parts):
                    lives[life.actor] = life
        if not lives and not parts:
            return [life for life in actors if life.is_road_user][:4]
        return sorted(lives.values(), key=lambda life: str(life.actor) not in parts)

    def _entries_of(self, snapshot: Snapshot, actors: Actors, life: Life | None) -> list[_Entry]:
        """Return the signals of an actor, or of the frames; they are kept."""
        actor = life.actor if life is not None else None
        if actor not in self._offered:
            frame = self.session.selection.frame_index
            if actor is None:
                keys = signals_of_frames(snapshot, frame)
            else:
                heroes = [other.actor for other in actors if other.is_hero]
                others = list(self.session.selection.actors) + heroes[:1]
                keys = signals_of_actor(snapshot, actors, actor, frame, others)
            self._offered[actor] = [_entry(key, snapshot) for key in keys]
        return self._offered[actor]


def _matching_entries(entries: list[_Entry], parts: list[str]) -> list[_Entry]:
    """Return the entries that hold all parts; those with a word that begins like the first part come first."""
    if not parts:
        return entries
    first = []
    others = []
    for entry in entries:
        text = f"{entry.searched} {entry.detail.lower()}"
        if not all(part in text for part in parts):
            continue
        if any(word.startswith(parts[0]) for word in entry.searched.split()):
            first.append(entry)
        else:
            others.append(entry)
    return first + others


def _entry(key: Key, snapshot: Snapshot) -> _Entry:
    words = texts_of(key, snapshot.dialect)
    title = words.title
    match key.kind:
        case "motion" | "pair":
            kind = say("computed")
        case "traffic":
            kind = say("analysis")
        case "frame":
            kind = say("frame")
        case _:
            kind = say(key.name)
    if key.kind == "field":
        title = title.removeprefix(f"{kind} ")
    return _Entry(key, title, detail=listed((kind, words.unit), "clauses"))


class _Delegate(QStyledItemDelegate):
    """Draws the title of a signal at the left, and its detail at the right, muted."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.theme = theme

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        detail = str(index.data(_DETAIL) or "")
        detail_width = self.theme.metrics(self.theme.small).horizontalAdvance(detail)
        room = QRect(option.rect).width() - detail_width - _BESIDE
        option.text = self.theme.metrics().elidedText(option.text, Qt.TextElideMode.ElideRight, room)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        color = self.theme.palette.muted
        if option.state & QStyle.StateFlag.State_Selected:
            color = self.theme.palette.on_selection
        rect = option.rect.adjusted(0, 0, -8, 0)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        draw_text(painter, rect, str(index.data(_DETAIL) or ""), self.theme.small, color, right)
