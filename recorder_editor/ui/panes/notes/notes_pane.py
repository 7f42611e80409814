"""The Notes pane: notes on frames and actors."""

import re
from functools import partial

from PySide6.QtWidgets import QHeaderView, QPushButton

from ....recording.note import Note
from ....texts import say
from ...session import Session
from ...style.theme import Theme
from ...widgets.copied import table_of_view
from ...widgets.items_table import Column, ItemModel, ItemTable
from ...widgets.pane_parts import FilteredPane

TEXT, TAGS, FRAMES = range(3)
_TAGS_WIDTH = 112


class NotesPane(FilteredPane):
    """The notes as a table.

    Attributes:
        items: The notes.
        table: The table.
        adopt: The button that takes over the notes of another recording.
    """

    def __init__(self, session: Session, theme: Theme) -> None:
        columns = (
            Column(say("Text"), lambda note: note.text, _set_text),
            Column(say("Tags"), lambda note: note.tag_text, _set_tags),
            Column(say("Frames"), _place_text),
        )
        self.items = ItemModel(session, theme, session.notes, columns, numbers=(FRAMES,))
        self.table = ItemTable(self.items, say("Notes"), (say("Delete"), "Del", session.notes.remove))
        super().__init__(session, theme, self.table, say("Filter: brakes #todo"))
        self.table.horizontalHeader().setSectionResizeMode(TAGS, QHeaderView.ResizeMode.Interactive)
        self.table.setColumnWidth(TAGS, theme.px(_TAGS_WIDTH))
        self.give(self.table, partial(table_of_view, self.table))
        self.offer_copies(self.table, self.table)
        self.table.row_changed.connect(self.go_to)
        self.table.clicked.connect(lambda index: self.go_to(index.row()))
        self.adopt = QPushButton(say("Take over"))
        self.adopt.clicked.connect(session.notes.take_over)
        self.empty.add_button(self.adopt)
        self.filter.textChanged.connect(self._filter)
        session.notes.changed.connect(self._filter)
        self._filter()

    def _filter(self) -> None:
        notes = self.session.notes
        shown = 0
        for row, note in enumerate(notes.items):
            is_shown = self._matches(note)
            self.table.setRowHidden(row, not is_shown)
            if is_shown:
                shown += 1
        self.table.resizeColumnToContents(FRAMES)  # Qt leaves it as wide as the rows that were shown before need
        about = say("B in the scene or timeline makes one.")
        if notes.other is not None:
            about = say("{path} has notes of the same content.", path=notes.other.name)
        self.adopt.setVisible(notes.other is not None and not notes.items)
        self.show_counts(shown, len(notes.items), say("No note matches"), say("No notes"), notes.error or about)

    def _matches(self, note: Note) -> bool:
        """Return whether the texts of a note's row hold all words of the filter."""
        text = " ".join(column.text(note) for column in self.items.every).lower()
        return all(word in text for word in self.filter.text().lower().split())

    def go_to(self, row: int) -> None:
        """Go to the first frame of the note of a row, and select its actor."""
        if row < 0:
            return
        note = self.session.notes.items[row]
        if not note.frames:
            return
        self.session.selection.go_to_frame(note.start)
        if note.actor is not None:
            self.session.selection.seek_actor(note.actor)

    def edit(self) -> None:
        """Let a person write the text of the newest note."""
        self.filter.clear()
        for row, note in enumerate(self.session.notes.items):
            if note is self.session.notes.newest:
                self.table.setCurrentIndex(self.items.index(row, TEXT))
                self.table.edit(self.table.currentIndex())


def _set_text(_note: Note, text: str) -> dict[str, object]:
    if not text:
        return {}
    return {"text": text}


def _set_tags(note: Note, text: str) -> dict[str, object]:
    """Return the tags of a text that separates them by `#` or commas, each once."""
    tags: dict[str, None] = {}
    for tag in re.split("[#,]", text):
        tag = tag.strip()
        if tag:
            tags[tag] = None
    return {"tags": note.with_tags(tags)}


def _place_text(note: Note) -> str:
    """Return the frames of a note, and its actor: `11–20 · 3932`."""
    if note.is_gone:
        text = say("gone")
    elif note.stop > note.start + 1:
        text = f"{note.start + 1:,}–{note.stop:,}"
    else:
        text = f"{note.start + 1:,}"
    if note.actor is not None:
        return f"{text} · {note.actor}"
    return text
