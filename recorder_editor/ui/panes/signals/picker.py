"""Choosing signals from a list that narrows while one types: words of the actor and of the signal together."""

from collections.abc import Iterator
from itertools import islice

from PySide6.QtCore import QObject, QRect, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from ....reading import Actors, Life
from ....recording import Snapshot
from ....texts import listed, say
from ....views.describe import icon_of
from ....views.signal_catalog import name_of, offered, offered_of_frames, words_of
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
_KEY, _DETAIL = int(Qt.ItemDataRole.UserRole), int(Qt.ItemDataRole.UserRole) + 1
_WIDTH = 540
_BESIDE = 44  # the icon, and what keeps text and detail apart


_Entry = tuple[Key, str, str]
"""A signal, what it is called, and what stands behind it: `location x`, `Position, cm`."""

_Line = tuple[Life | None, tuple[Key, ...], str, str]
"""Whose signal it is, the signal (of several actors: one of each), its text with the actor, and what stands behind."""


class Picker(SessionDialog):
    """Signals: `picked(tuple)` of keys, `expression_asked` (one that is to be typed)."""

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
        """Take what is selected."""
        keys = tuple(dict.fromkeys(key for item in self.list.selectedItems() for key in item.data(_KEY)))
        if keys:
            self.accept()
            self.picked.emit(keys)

    def _select_next(self) -> None:
        self.list.setCurrentRow(min(self.list.currentRow() + 1, self.list.count() - 1))

    def _ask_expression(self) -> None:
        self.reject()
        self.expression_asked.emit()

    def keys(self) -> list[Key]:
        """What stands in the list."""
        items = (self.list.item(row) for row in range(self.list.count()))
        return [key for item in items for key in item.data(_KEY) or ()]

    def _enable(self) -> None:
        self.go.setEnabled(bool(self.list.selectedItems()))

    # --- the list ---------------------------------------------------------------------------------------

    def _fill(self, typed: str) -> None:
        snapshot = self.session.snapshot
        actors = self.session.actors
        self.list.clear()
        if snapshot is None or actors is None:
            return
        found = list(islice(self._found(snapshot, actors, typed.lower().split()), MOST + 1))
        for life, keys, text, detail in found[:MOST]:
            item = QListWidgetItem(text)
            if life is not None:
                name = icon_of(life)
            else:
                name = "clock"
            item.setIcon(self.theme.icons.icon(name))
            item.setToolTip(words_of(keys[0], snapshot.dialect).meaning)
            item.setData(_KEY, keys)
            item.setData(_DETAIL, detail)
            if keys[0].kind == "traffic" and self._lacks:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
                item.setData(_KEY, None)
                item.setToolTip(self._lacks)
            self.list.addItem(item)
        self._say(more=len(found) > MOST)
        first = next((row for row in range(self.list.count()) if self.list.item(row).data(_KEY) is not None), None)
        if first is not None:
            self.list.setCurrentRow(first)
        self._enable()

    def _say(self, *, more: bool) -> None:
        items = [self.list.item(row) for row in range(self.list.count())]
        if not items:
            self.note.setText(say("No signal matches."))
        elif self._lacks and any(item.data(_KEY) is None for item in items):
            self.note.setText(self._lacks)
        elif more:
            self.note.setText(say("The first {most:,}; type more to narrow the list.", most=MOST))
        else:
            self.note.setText(say("Ctrl or Shift choose several; a field can be dragged here from other panes."))

    def _found(self, snapshot: Snapshot, actors: Actors, parts: list[str]) -> Iterator[_Line]:
        """The signals of which actor and words hold all parts: of the selected actors first, and of each actor those
        first that begin like that."""
        yield from self._found_of_several(snapshot, actors, parts)
        for life in self._lives(actors, parts):
            who = name_of(life)
            rest = []
            for part in parts:
                if part not in f"{who} {life.class_}".lower():
                    rest.append(part)
            for key, what, detail in _ranked(self._of(snapshot, actors, life), rest):
                if rest or "[" not in key.path:
                    yield life, (key,), f"{who}   {what}", detail
        for key, what, detail in _ranked(self._of(snapshot, actors, None), parts):
            yield None, (key,), what, detail

    def _found_of_several(self, snapshot: Snapshot, actors: Actors, parts: list[str]) -> Iterator[_Line]:
        """The signals that the selected actors share, of all of them at once."""
        ids = self.session.selection.actors[:_MOST_ACTORS]
        lives: list[Life] = []
        for actor in ids:
            lives.extend(actors.of_id(actor)[:1])
        if len(lives) < 2:
            return
        who = say("{count} selected actors", count=len(lives))
        has = []
        for life in lives:
            has.append({entry[0]._replace(actor=None) for entry in self._of(snapshot, actors, life)})
        rest = [part for part in parts if part not in who.lower()]
        for key, what, detail in _ranked(self._of(snapshot, actors, lives[0]), rest):
            shared = key._replace(actor=None)
            if key.other is None and all(shared in one for one in has) and (rest or "[" not in key.path):
                yield lives[0], tuple(key._replace(actor=life.actor) for life in lives), f"{who}   {what}", detail

    def _lives(self, actors: Actors, parts: list[str]) -> list[Life]:
        """Whom the parts may mean: the selected, the hero, then others whose words hold at least one part."""
        if self.session.selection.life is not None:
            first = [self.session.selection.life]
        else:
            first = []
        for actor in self.session.selection.actors[1:]:
            first += actors.of_id(actor)[:1]
        first += [life for life in actors if life.is_hero][:2]
        lives = {life.actor: life for life in reversed(first)}
        lives = dict(reversed(lives.items()))
        most = len(lives) + _MOST_ACTORS
        for life in actors:
            if parts and life.actor not in lives and len(lives) < most:
                text = f"{life.actor} {life.class_} {life.blueprint} {life.role_name}".lower()
                if any(part in text for part in parts):
                    lives[life.actor] = life
        if not lives and not parts:
            return [life for life in actors if life.is_road_user][:4]
        return sorted(lives.values(), key=lambda life: str(life.actor) not in parts)

    def _of(self, snapshot: Snapshot, actors: Actors, life: Life | None) -> list[_Entry]:
        """What there is of an actor, or of the frames."""
        actor = life.actor if life is not None else None
        frame = self.session.selection.frame_index
        if actor not in self._offered:
            if actor is None:
                keys = offered_of_frames(snapshot, frame)
            else:
                heroes = [other.actor for other in actors if other.is_hero][:1]
                keys = offered(snapshot, actors, actor, frame, (*self.session.selection.actors, *heroes))
            self._offered[actor] = [_entry(key, snapshot) for key in keys]
        return self._offered[actor]


def _ranked(entries: list[_Entry], parts: list[str]) -> list[_Entry]:
    """The entries in which all parts are found; those with a word that begins like the first part come first."""
    if not parts:
        return entries
    found = [entry for entry in entries if all(part in f"{_names(entry)} {entry[2]}".lower() for part in parts)]
    return sorted(found, key=lambda entry: not any(word.startswith(parts[0]) for word in _names(entry).lower().split()))


def _names(entry: _Entry) -> str:
    """By what it is found: its title, and its name, which is English in every language."""
    return f"{entry[1]} {entry[0].path if entry[0].kind == 'field' else entry[0].name}"


def _entry(key: Key, snapshot: Snapshot) -> _Entry:
    words = words_of(key, snapshot.dialect)
    kinds = {"motion": say("computed"), "traffic": say("analysis"), "frame": say("frame")}
    if key.kind == "field":
        title = words.title.removeprefix(f"{say(key.name)} ")
    else:
        title = words.title
    kind = kinds.get(key.kind, say(key.name))
    return key, title, listed((kind, words.unit), "clauses")


class _Delegate(QStyledItemDelegate):
    """What a signal is called at the left, where it comes from at the right, muted."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.theme = theme

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        detail = str(index.data(_DETAIL) or "")
        taken = self.theme.metrics(self.theme.small).horizontalAdvance(detail) + _BESIDE
        room = QRect(option.rect).width() - taken
        option.text = self.theme.metrics().elidedText(option.text, Qt.TextElideMode.ElideRight, room)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        palette = self.theme.palette
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        ink = palette.on_selection if is_selected else palette.muted
        place = option.rect.adjusted(0, 0, -8, 0)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        draw_text(painter, place, str(index.data(_DETAIL) or ""), self.theme.small, ink, right)
