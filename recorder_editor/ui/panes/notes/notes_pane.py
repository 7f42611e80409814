"""The Notes pane: what people wrote about frames and actors."""

import re

from PySide6.QtWidgets import QHeaderView, QPushButton

from ....recording.note import Note
from ....texts import say
from ...session import Session
from ...style.theme import Theme
from ...widgets.items_table import Column, ItemModel, ItemTable
from ...widgets.pane_parts import FilteredPane

_TAGS_WIDTH = 112


class NotesPane(FilteredPane):
    """Attribute: `adopt` (the button that takes over the notes of another recording)."""

    def __init__(self, session: Session, theme: Theme) -> None:
        every = (
            Column(say("Text"), lambda note: note.text, lambda _, text: {"text": text} if text else {}),
            Column(say("Tags"), lambda note: note.tag_text, _tags),
            Column(say("Frames"), _place),
        )
        self.items = ItemModel(session, theme, session.notes, every, (2,))
        self.table = table = ItemTable(self.items, say("Notes"), (say("Delete"), "Del", session.notes.remove))
        super().__init__(session, theme, table, say("Filter: brakes #todo"))
        table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Interactive)
        table.setColumnWidth(1, theme.px(_TAGS_WIDTH))
        table.went.connect(self.go_to)
        table.clicked.connect(lambda index: self.go_to(index.row()))
        self.adopt = QPushButton(say("Take over"))
        self.adopt.clicked.connect(session.notes.take_over)
        self.empty.add_button(self.adopt)
        self.filter.textChanged.connect(self._filter)
        session.notes.changed.connect(self._filter)
        self._filter()

    def _filter(self) -> None:
        words = self.filter.text().lower().split()
        notes = self.session.notes
        texts = []
        for note in notes.items:
            texts.append(" ".join(column.text(note) for column in self.items.every).lower())
        shown = []
        for text in texts:
            shown.append(all(word in text for word in words))
        for row, is_shown in enumerate(shown):
            self.table.setRowHidden(row, not is_shown)
        self.table.resizeColumnToContents(2)  # Qt leaves it as wide as the rows that were shown before need
        if notes.other is not None:
            other = say("{path} has notes of the same content.", path=notes.other.name)
        else:
            other = ""
        about = notes.error or other or say("B in the scene or timeline makes one.")
        self.adopt.setVisible(bool(other and not notes.items))
        self.tell(sum(shown), len(shown), say("No note matches"), say("No notes"), about)

    def go_to(self, row: int) -> None:
        """Go to the first frame of the note of a row, and select its actor."""
        if row >= 0 and (note := self.session.notes.items[row]).frames:
            self.session.selection.go_to_frame(note.start)
            if note.actor is not None:
                self.session.selection.seek_actor(note.actor)

    def edit(self) -> None:
        """Let a person write the text of the newest note."""
        self.filter.clear()
        for row in (row for row, note in enumerate(self.session.notes.items) if note is self.session.notes.newest):
            self.table.setCurrentIndex(self.items.index(row, 0))
            self.table.edit(self.table.currentIndex())


def _tags(note: Note, text: str) -> dict[str, object]:
    tags = dict.fromkeys(filter(None, map(str.strip, re.split("[#,]", text))))
    return {"tags": note.with_tags(tags)}


def _place(note: Note) -> str:
    frames = f"{note.start + 1:,}" + (f"–{note.stop:,}" if note.stop > note.start + 1 else "")
    return (say("gone") if note.is_gone else frames) + ("" if note.actor is None else f" · {note.actor}")
