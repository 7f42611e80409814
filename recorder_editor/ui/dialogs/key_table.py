"""The keys of all commands and panes in one table, and the line that gives the selected command another key."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QKeySequenceEdit, QLineEdit, QTableWidget, QVBoxLayout, QWidget

from ...texts import listed, say
from ..session.preferences import KEYS
from ..session.settings import Settings
from ..style.boxes import Stretch, fill, push_button
from ..style.theme import Theme
from ..widgets import ElidedLabel, Label
from ..widgets.actions import Actions, ActionSpec
from ..widgets.keyboard import ViewKeys
from ..widgets.rows import set_read_only
from .widgets import reset_button, show_matching, table_item

_LEAST_HEIGHT = 220
_KEYS_WIDTH = 220
_EDITOR_WIDTH = 148


class KeysRow(QWidget):
    """All commands with their keys, then the keys that panes take themselves.

    A key that another command has is offered to be taken over; one that a pane takes itself cannot be.

    Attributes: `table`, `edit`, `words` (the sentence below), `take_over`, `reset`, `reset_all`. Signal: `asked()` (a
    key is to be typed).
    """

    preference = KEYS
    asked = Signal()

    def __init__(self, settings: Settings, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self._settings = settings
        self._actions = actions
        self._wanted = ""
        self._id = ""
        self._specs = [spec for spec in actions if spec.menu or spec.shortcut]
        self._gestures = [gesture for gesture in actions.gestures if gesture.action]
        self.table = QTableWidget(len(self._specs) + len(self._gestures), 2)
        self.table.setHorizontalHeaderLabels([say("Action"), say("Key")])
        set_read_only(self.table, theme, say(KEYS.texts.title))
        self.table.setSelectionMode(QTableWidget.SelectionMode.SingleSelection)
        self.table.setMinimumHeight(theme.px(_LEAST_HEIGHT))
        self.table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.table.setColumnWidth(1, theme.px(_KEYS_WIDTH))
        self.edit = QKeySequenceEdit()
        self.edit.setAccessibleName(say("Key"))
        for line_edit in self.edit.findChildren(QLineEdit):
            line_edit.setAccessibleName(say("Key"))
        self.edit.setMaximumSequenceLength(1)
        self.edit.setClearButtonEnabled(True)
        self.edit.setFixedWidth(theme.px(_EDITOR_WIDTH))
        self.edit.editingFinished.connect(self._typed)
        ViewKeys(self.edit, {"Esc": self._give_up})
        self.name = ElidedLabel(theme, "")
        self.words = Label(theme, "", "small", "muted", wraps=True)
        self.take_over = push_button(say("Reassign"), lambda: self._choose(self._wanted))
        designed = say("this key")
        table = say(KEYS.texts.title)
        self.reset = reset_button(say("Reset"), designed, lambda: self._choose(actions.designed_keys(self._id)))
        self.reset_all = reset_button(say("Reset all"), table, self._reset_all)
        line = fill(QHBoxLayout(), (self.name, 1), self.edit, self.reset, spacing=8)
        below = fill(QHBoxLayout(), (self.words, 1), self.take_over, Stretch(0), self.reset_all, spacing=8)
        fill(QVBoxLayout(self), (self.table, 1), line, below, spacing=8)
        actions.keys_changed.connect(self.refresh)
        self.table.itemSelectionChanged.connect(self._show_selected)
        ViewKeys(self.table, {"Return; Enter; F2": self._type})
        self.table.doubleClicked.connect(lambda _index: self._type())
        self.refresh()
        self.table.selectRow(0)

    @property
    def spec(self) -> ActionSpec | None:
        """The selected command; None where a pane takes the key itself."""
        row = max(0, self.table.currentRow())
        if row < len(self._specs):
            return self._actions.spec(self._specs[row].id)
        return None

    def matches(self, words: Sequence[str]) -> bool:
        """Show the commands that have all these words; all of them where the words are about the table itself."""
        if all(word in KEYS.search_text for word in words):
            return show_matching(self.table, ())
        return show_matching(self.table, words)

    def focus_editor(self) -> None:
        """Give the table the keyboard."""
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh(self) -> None:
        """Show the current keys; chosen ones in semi-bold."""
        chosen = self._actions.chosen_keys
        for row, shown in enumerate(self._specs):
            spec = self._actions.spec(shown.id)
            keys = listed(key.toString(QKeySequence.SequenceFormat.NativeText) for key in spec.keys)
            path = [say(part) for part in spec.menu.split("/") if part]
            path.append(spec.plain_text)
            self._set_row(row, " > ".join(filter(None, path)), keys, spec.where_text, is_chosen=spec.id in chosen)
        for row, gesture in enumerate(self._gestures, len(self._specs)):
            self._set_row(row, say(gesture.action), say(gesture.keys), say(gesture.where), is_chosen=False)
        self.reset_all.setVisible(bool(chosen))
        self._show_selected()

    def _set_row(self, row: int, action: str, keys: str, where: str, *, is_chosen: bool) -> None:
        if keys and where:
            keys = say("{keys} ({where})", keys=keys, where=where.lower())
        for column, text in enumerate((action, keys)):
            item = table_item(text)
            font = item.font()
            font.setBold(column == 1 and is_chosen)
            item.setFont(font)
            self.table.setItem(row, column, item)

    def _show_selected(self) -> None:
        spec = self.spec
        self._wanted = ""
        if spec is None:
            self._id = ""
            self.name.setText("")
            self.edit.setKeySequence(QKeySequence())
        else:
            self._id = spec.id
            self.name.setText(spec.plain_text)
            self.edit.setKeySequence(_first_key(spec))
        is_fixed = spec is None or spec.has_fixed_key
        self.edit.setEnabled(not is_fixed)
        self.reset.setVisible(self._id in self._actions.chosen_keys)
        if is_fixed:
            self._say(say("This key belongs to the pane; it cannot be changed."))
        else:
            self._say("")

    def _say(self, sentence: str, *, offers: bool = False) -> None:
        self.words.setText(sentence or say("{sentence}.", sentence=say(KEYS.texts.sentence)))
        self.take_over.setVisible(offers)

    def _type(self) -> None:
        """The next key that is pressed is meant: in a low dialog the field is scrolled to."""
        self.edit.setFocus()
        self.asked.emit()

    def _typed(self) -> None:
        key = self.edit.keySequence()
        spec = self.spec
        if spec is None:
            return
        holder = None
        if not key.isEmpty():
            holder = self._actions.holder_of(key, spec)
        if key == _first_key(spec):
            self._say("")
        elif holder is None or holder.id == spec.id:
            self._choose(key.toString(QKeySequence.SequenceFormat.PortableText))
        else:
            self._wanted = key.toString(QKeySequence.SequenceFormat.PortableText)
            text = key.toString(QKeySequence.SequenceFormat.NativeText)
            action = holder.plain_text
            sentence = say("{key} is the key of “{action}”.", key=text, action=action)
            if holder.has_fixed_key:
                sentence = say(
                    "{key} is the key of “{action}” ({panes}) and cannot be reassigned.",
                    key=text,
                    action=action,
                    panes=holder.where_text.lower(),
                )
            self._say(sentence, offers=not holder.has_fixed_key)

    def _give_up(self) -> None:
        self._show_selected()
        self.focus_editor()

    def _choose(self, keys: str) -> None:
        self._settings.keys = self._actions.keys_with(self._id, keys)

    def _reset_all(self) -> None:
        self._settings.keys = {}


def _first_key(spec: ActionSpec) -> QKeySequence:
    """The first key of an action; an empty one where it has none."""
    if spec.keys:
        return spec.keys[0]
    return QKeySequence()
