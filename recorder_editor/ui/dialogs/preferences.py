"""All preferences in one dialog: groups at the left, what can be chosen at the right; it takes effect at once."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QShowEvent
from PySide6.QtWidgets import QFileDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from ...errors import RecorderError, error_sentence
from ...recording.recovery import choose_state_folder, find_leftovers, state_use
from ...recording.store import state_folder
from ...recording.user_folders import usual_state_folder
from ...texts import say
from ...views.units import size_text
from ..session.preferences import FOLDER, KEYS, PREFERENCES, AnyPreference
from ..session.settings import Settings
from ..style.boxes import Stretch, fill, make_scrolling, push_button, set_spacing
from ..style.look import TEXT_SIZE
from ..style.theme import Theme
from ..widgets import ElidedLabel, GroupHeading, Label, SearchField, TextEdit
from ..widgets.actions import Actions
from .base import BaseDialog
from .fields import Fields, FieldSpec
from .key_table import KeysRow
from .widgets import framed_list, reset_button

_SIZE = QSize(760, 540)
_LIST_WIDTH = 152
_EDITOR_WIDTH = 148


class PreferenceRow(QWidget):
    """A title above a sentence, the editor, and *Reset* while another value than the default is chosen.

    Attributes: `preference`, `editor`, `reset`.
    """

    def __init__(self, settings: Settings, theme: Theme, fields: Fields, preference: AnyPreference) -> None:
        super().__init__()
        self.preference = preference
        self._settings = settings
        self._fields = fields
        said = preference.texts
        title = say(said.title)
        sentence = said.explanation
        value = settings[preference]
        names = dict(enumerate(say(text) for text in said.choices.values()))
        spec = partial(FieldSpec, preference.name, title, tip=sentence, width=_EDITOR_WIDTH)
        if names:
            self.editor = fields.add(spec("choice", 0, choices=names))
        elif isinstance(preference.default, bool):
            self.editor = fields.add(spec("check", value))
        elif isinstance(preference.default, str):
            self.editor = fields.add(spec("text", value))
        else:
            low = preference.low
            high = preference.high
            step = preference.step
            kind: Literal["number", "whole"] = "whole" if isinstance(preference.default, int) else "number"
            self.editor = fields.add(spec(kind, value, said.unit, low=low, high=high, step=step))
        self.reset = reset_button(say("Reset"), title, self._reset)
        words = Label(theme, sentence, "small", "muted", wraps=True)
        grid = set_spacing(QGridLayout(self), 12, 2, (0, 4, 0, 4))
        grid.addWidget(Label(theme, title), 0, 0)
        grid.addWidget(words, 1, 0)
        if isinstance(self.editor, TextEdit):
            grid.addWidget(self.editor, 2, 0, 1, 2)
        else:
            grid.addWidget(self.editor, 0, 1, 2, 1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        grid.addWidget(self.reset, 0, 2, 2, 1, Qt.AlignmentFlag.AlignVCenter)
        grid.setColumnStretch(0, 1)
        self.refresh()

    def matches(self, words: Sequence[str]) -> bool:
        """Whether it has all these words."""
        return all(word in self.preference.search_text for word in words)

    def focus_editor(self) -> None:
        """Give the editor the keyboard."""
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh(self) -> None:
        """Show what is chosen."""
        preference = self.preference
        value = self._settings[self.preference]
        choices = preference.choices
        if choices:
            self._fields.set_value(preference.name, choices.index(value))
        else:
            self._fields.set_value(preference.name, value)
        self.reset.setVisible(value != preference.default)

    def take(self) -> None:
        """Choose what the editor shows now."""
        value = self._fields.values[self.preference.name]
        preference = self.preference
        if preference.choices:
            self._settings[preference] = preference.choices[value]
        else:
            self._settings[preference] = value

    def _reset(self) -> None:
        self.focus_editor()  # or it goes with the button to another row
        self._settings[self.preference] = self.preference.default


_OWN_FOLDER = "recorder-editor"


class FolderRow(QWidget):
    """Attributes: `path`, `use` and `words` (labels), `choose`, `open`, `empty` and `reset` (buttons)."""

    preference = FOLDER

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.path = ElidedLabel(theme, "", "mono")
        self.path.setAccessibleName(say(FOLDER.texts.title))
        self.use = Label(theme, "", "small", "muted")
        self.words = Label(theme, "", "small", wraps=True)
        sentence = Label(theme, say(FOLDER.texts.sentence), "small", "muted", wraps=True)
        self.choose = push_button(say("Choose..."), self._ask)
        self.open = push_button(say("Open"), self._open)
        tip = say("Remove files of ended programs that no unsaved edits need")
        self.empty = push_button(say("Clean up"), self._empty, tip)
        self.reset = reset_button(say("Reset"), say(FOLDER.texts.title), lambda: self._choose(None))
        buttons = fill(QHBoxLayout(), self.choose, self.open, self.empty, Stretch(), self.reset, spacing=8)
        parts = (Label(theme, say(FOLDER.texts.title)), sentence, 4, self.path, self.use, 4, buttons, self.words)
        fill(QVBoxLayout(self), *parts, spacing=2, margins=(0, 4, 0, 4))

    def matches(self, words: Sequence[str]) -> bool:
        """Whether it has all these words."""
        return all(word in FOLDER.search_text for word in words)

    def focus_editor(self) -> None:
        """Give the first button the keyboard."""
        self.choose.setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh(self) -> None:
        """Show the folder and how much it holds now."""
        folder = state_folder()
        use = state_use()
        self.path.setText(str(folder))
        self.path.setToolTip(str(folder))
        sizes = say(
            "Scratch files {scratch}, journals {journals}",
            scratch=size_text(use.scratch),
            journals=size_text(use.journals),
        )
        self.use.setText(sizes)
        self.reset.setVisible(folder != usual_state_folder())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.words.setText("")
        self.refresh()

    def _ask(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, say("Folder of unsaved edits"), self.path.text())
        if chosen:
            folder = Path(chosen)
            if folder.name != _OWN_FOLDER:
                folder /= _OWN_FOLDER
            self._choose(folder)

    def _choose(self, folder: Path | None) -> None:
        try:
            choose_state_folder(folder)
        except (RecorderError, OSError) as error:
            self.words.setText(error_sentence(error))
        else:
            self.words.setText(say("Edits of recordings that are opened from now on are kept here."))
        self.refresh()

    def _open(self) -> None:
        folder = state_folder()
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def _empty(self) -> None:
        before = sum(state_use())
        find_leftovers()  # removes what belongs to no running program and to no unsaved edits
        after = sum(state_use())
        freed = say("Removed {size}. ", size=size_text(max(0, before - after)))
        kept = ""
        if after:
            kept = say("{size} belong to open recordings or to unsaved edits.", size=size_text(after))
        self.words.setText(freed + kept)
        self.refresh()


class PreferencesDialog(BaseDialog):
    """Does not stop work in the window.

    Attributes: `search`, `groups` (the list at the left), `rows` (by the name of the preference).
    """

    def __init__(self, settings: Settings, theme: Theme, actions: Actions, parent: QWidget | None = None) -> None:
        """`actions` have the keys that may be chosen."""
        super().__init__(theme, parent, "preferencesDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.say(say("Preferences"), say("Preferences"))
        self.search = SearchField(theme, say("Search the preferences"))
        self.search.textChanged.connect(self._filter)
        self.groups = framed_list(say("Groups"))
        self._fields = Fields(theme, self)
        self._fields.hide()  # its editors stand in rows of their own
        self.rows: dict[str, PreferenceRow | KeysRow | FolderRow] = {}
        self._headings: dict[str, GroupHeading] = {}
        self._page = fill(QVBoxLayout(), spacing=8, margins=(0, 0, 12, 0))
        keys = KeysRow(settings, theme, actions)
        self._add_rows(settings, keys)
        self._none = Label(theme, say("No preference matches."), "font", "muted")
        self._page.addWidget(self._none)
        self._rest = QWidget()
        self._page.addWidget(self._rest, 1)
        holder = QWidget()
        holder.setProperty("ground", "none")
        holder.setLayout(self._page)
        self.area = make_scrolling(holder)
        keys.asked.connect(partial(self.area.ensureWidgetVisible, keys.words))
        columns = fill(QHBoxLayout(), self.groups, (self.area, 1), spacing=16)
        self.body.addWidget(self.search)
        self.body.addLayout(columns, 1)
        note = Label(
            theme, say("Choices are remembered, and all but the language take effect at once."), "small", "muted"
        )
        self.add_left(note)
        self.add_button(say("Close"), self.close)
        self._fields.changed.connect(self._take)
        settings.changed.connect(self._refresh)
        self.groups.currentRowChanged.connect(lambda _row: self._show_group())
        self.groups.itemClicked.connect(lambda _item: self._show_group())
        self.groups.setCurrentRow(0)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.resize(_SIZE * (theme.text_size / TEXT_SIZE))
        self.search.setFocus()

    def _add_rows(self, settings: Settings, keys: KeysRow) -> None:
        """Add a row for each preference, below the heading of its group."""
        for preference in PREFERENCES:
            group = preference.texts.group
            if group not in self._headings:
                self._headings[group] = GroupHeading(self.theme, say(group))
                self._page.addWidget(self._headings[group])
                self.groups.addItem(say(group))
            row: PreferenceRow | KeysRow | FolderRow
            if preference is KEYS:
                row = keys
            elif preference is FOLDER:
                row = FolderRow(self.theme)
            else:
                row = PreferenceRow(settings, self.theme, self._fields, preference)
            self.rows[preference.name] = row
            self._page.addWidget(row, 1 if row is keys else 0)

    def show_preference(self, preference: AnyPreference) -> None:
        """Show the group of a preference, and give its editor the keyboard."""
        self.search.clear()
        self.groups.setCurrentRow(list(self._headings).index(preference.texts.group))
        row = self.rows[preference.name]
        row.focus_editor()
        self.area.ensureWidgetVisible(row)

    def _take(self, name: str) -> None:
        row = self.rows[name]
        assert isinstance(row, PreferenceRow)
        row.take()

    def _refresh(self, changed: AnyPreference) -> None:
        if changed.name in self.rows:
            self.rows[changed.name].refresh()

    def _show_group(self) -> None:
        if self.search.text():
            self.search.clear()  # which shows the group
        else:
            self._filter("")

    def _filter(self, text: str) -> None:
        """Show the rows of the group, or those of all groups that have the words."""
        words = text.lower().split()
        group = list(self._headings)[self.groups.currentRow()]
        shown: set[str] = set()
        for row in self.rows.values():
            if words:
                is_shown = row.matches(words)
            else:
                is_shown = row.preference.texts.group == group
                if isinstance(row, KeysRow):
                    row.matches([])
            row.setVisible(is_shown)
            if is_shown:
                shown.add(row.preference.texts.group)
        for name, heading in self._headings.items():
            heading.setVisible(name in shown)
        self._none.setVisible(not shown)
        self._rest.setVisible(KEYS.texts.group not in shown)  # the table of keys takes the room

    def _restyle(self) -> None:
        self.groups.setFixedWidth(self.theme.px(_LIST_WIDTH))
