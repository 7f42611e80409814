"""The Bytes pane: the view, the file map, the inspector, the find bar, one line for what was refused."""

from functools import partial
from html import escape

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractScrollArea, QHBoxLayout, QInputDialog, QMenu, QVBoxLayout, QWidget

from ....errors import RecorderError, error_sentence
from ....texts import N_, say, say_count
from ....views.describe import describe, guide_place
from ....views.selection import look_up, place_at
from ...session import Session
from ...session.debounce import Debounce
from ...session.jobs import LatestJob
from ...style.boxes import fill
from ...style.theme import Theme
from ...widgets import Label, ToggleChip
from ...widgets.copied import Copied, picture_of
from ...widgets.hover_card import Explanation
from ...widgets.menus import make_checkable
from ...widgets.pane import CopyPart, Pane
from .copied_bytes import LARGEST, as_text
from .filemap import FileMap
from .find_bytes import FindBar, find, pattern_of
from .hex_view import HexView
from .inspector import Inspector

_NOTE_MS = 6000
_LEAST_BESIDE_VALUES = 80  # the header and three rows of bytes


class HexPane(Pane):
    """The bytes, and what is known of the one at the caret."""

    guide_topic = Pane.packet_topic
    lowest = 1  # folded to its title where Packets needs the room

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.view = HexView(session, theme)
        self.map = FileMap(session, theme)
        self.inspector = Inspector(session, theme)
        self.inspector.hide()
        self.find_bar = FindBar(theme)
        self.search = self.find_bar.line
        self.note = Label(theme, "", font="small", color="text", wraps=True)
        self.note.setContentsMargins(theme.px(10), theme.px(3), theme.px(10), theme.px(3))
        self.note.hide()
        self._finding = LatestJob(self, session.jobs)
        self._note_timer = Debounce(self, self.note.hide, _NOTE_MS)
        self._values = ToggleChip(say("Data inspector"))
        self._values.setToolTip(say("The bytes at the caret as each data type"))
        self._values.toggled.connect(self._show_inspector)
        self.switches = (self._values,)
        middle = fill(QHBoxLayout(), (self.view, 1), self.map, spacing=0)
        fill(QVBoxLayout(self), (middle, 1), self.note, self.inspector, self.find_bar, spacing=0)
        self.setFocusProxy(self.view)
        self.give(self.view, self.copied_bytes)
        self.view.informed.connect(self.show_note)
        self.view.caret_moved.connect(self._show_position)
        self.view.inserting_changed.connect(self._show_mode)
        self.view.inserting_changed.connect(self._announce_mode)
        self.view.row_length_changed.connect(self._update_caption)
        self.offer_menu(self.view, lambda _point: self.context_menu())
        self.map.asked.connect(self.view.go_to)
        self.find_bar.asked.connect(self.find_bytes)
        self.find_bar.closed.connect(self.view.setFocus)
        session.editing.changed.connect(self._show_caret)
        self._update_caption()
        self._show_mode()

    def _update_caption(self) -> None:
        if self.is_raw:
            template = N_("{number} per row, raw")
        else:
            template = N_("{number} per row")
        caption = say(template, number=self.view.per_row)
        self.set_caption(caption, short=caption)  # whole or not at all

    def _show_mode(self) -> None:
        if self.is_inserting:
            self.status = say("INS")
        else:
            self.status = say("OVR")
        self.changed.emit()

    def _announce_mode(self, inserts: bool) -> None:
        if inserts:
            self.session.announced.emit(say("Typing inserts"))
        else:
            self.session.announced.emit(say("Typing overwrites"))

    @property
    def is_inserting(self) -> bool:
        """Whether typing inserts."""
        return self.view.inserting

    def set_inserting(self, on: bool) -> None:
        """Let typing insert, or overwrite."""
        self.view.set_inserting(on)

    @property
    def is_raw(self) -> bool:
        """Whether inserting changes neither sizes nor counts."""
        return self.view.byte_editor.raw

    def set_raw(self, on: bool) -> None:
        """Turn raw mode on or off: in it bytes are inserted anywhere, without sizes and counts that follow."""
        self.view.byte_editor.raw = on
        self._update_caption()

    def show_note(self, sentence: str) -> None:
        """Show for a few seconds why something was not done."""
        self.note.setText(sentence)
        self.session.announced.emit(sentence)
        self.note.show()
        self._note_timer.start()

    def _show_caret(self, _change: object) -> None:
        self._show_position(self.view.caret)

    def _show_position(self, position: int) -> None:
        self.map.set_caret(position)
        self.inspector.show_at(position)

    def _show_inspector(self, shown: bool) -> None:
        self.inspector.setVisible(shown)
        self.inspector.show_at(self.view.caret)
        if shown:
            self.keep_height(self.inspector.sizeHint().height() + self.theme.px(_LEAST_BESIDE_VALUES))
        else:
            self.keep_height(0)

    # --- finding ----------------------------------------------------------------------------------------

    def open_find(self) -> bool:
        self.find_bar.show()
        return super().open_find()

    def toggle_values(self) -> None:
        """Show the bytes at the caret as every type, or hide them."""
        self._values.toggle()

    def find_bytes(self, kind: str, text: str, backward: bool = False) -> None:
        """Look for a value from the caret on, as a job; what is found becomes selected."""
        snapshot = self.session.snapshot
        if snapshot is None:
            return
        try:
            pattern = pattern_of(kind, text)
        except ValueError as error:
            self.show_note(str(error))
            return
        caret = self.view.caret
        span = self.session.selection.value.span
        if backward:
            start = caret - 1
        elif span == (caret, caret + len(pattern)):
            start = caret + 1  # what is selected as the last match is not found once more
        else:
            start = caret

        def done(position: int | None) -> None:
            if self.session.snapshot is not snapshot:
                self.find_bar.note.setText(say("changed meanwhile"))
            elif position is None:
                self.find_bar.note.setText(say("not found"))
            else:
                self.find_bar.note.setText(f"0x{position:06x}")
                self.session.selection.select_span(position, position + len(pattern))
                self.view.scroll_to(position)

        def failed(error: Exception) -> None:
            self.show_note(error_sentence(error))

        self._finding.run(say("Finding bytes"), partial(find, snapshot, pattern, start, backward), done, failed)

    # --- copying and filling ----------------------------------------------------------------------------

    def copied_bytes(self) -> Copied | None:
        """Return the selected bytes as the column shows them that the caret is in."""
        return self._copied_as("text" if self.view.in_text else "hex")

    def _copied_as(self, form: str) -> Copied | None:
        data = self.view.selected_bytes()
        start, stop = self.session.selection.span
        if not data:
            return None
        told = say_count("Copied 1 byte", "Copied {count:,} bytes", count=len(data))
        if stop - start > LARGEST:
            told = say(
                "The first {copied:,} of {size:,} bytes were copied; export the rest to a file.",
                copied=LARGEST,
                size=stop - start,
            )
            self.show_note(told)
        return Copied(as_text(data, form, start), told)

    def copy(self, form: str = "hex") -> None:
        """Copy the selected bytes to the clipboard, as `hex`, `dump` (with offsets), `text` or `python`."""
        self.copy_content(CopyPart(self.view, partial(self._copied_as, form), partial(picture_of, self.view)))

    def fill(self) -> None:
        """Ask for a pattern and fill the selected bytes with it."""
        start, stop = self.session.selection.span
        if stop <= start:
            return
        dialog = QInputDialog(self)
        dialog.setObjectName("fillBytes")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(say("Fill"))
        dialog.setLabelText(say("Fill {count:,} bytes with (hex):", count=stop - start))
        dialog.setTextValue("00")
        dialog.setOkButtonText(say("Fill"))
        dialog.textValueSelected.connect(self._fill_with)
        dialog.open()

    def _fill_with(self, text: str) -> None:
        try:
            pattern = bytes.fromhex(text)
        except ValueError:
            pattern = b""
        if pattern:
            self.view.fill(pattern)
        else:
            self.show_note(say("Enter hex bytes, such as 00 or de ad."))

    # --- events -----------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Paste):
            self.view.paste()
        elif event.matches(QKeySequence.StandardKey.Find):
            self.open_find()
        elif event.key() == Qt.Key.Key_F3:
            self.find_bar.ask(backward=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_all()
        else:
            super().keyPressEvent(event)

    def select_all(self) -> None:
        """Select every byte of the recording."""
        if self.session.snapshot is not None:
            self.session.selection.select_span(0, self.session.snapshot.size)

    def explained_at(self, view: QAbstractScrollArea, point: QPoint) -> Explanation | None:
        snapshot = self.session.snapshot
        if view is not self.view or snapshot is None:
            return None
        spot = self.view.position_at(point)
        if spot is None:
            return None
        position, _ = spot
        legend = say("grey: packet header; two tints: alternating fields; hatched: damage; underlined: edited")
        guide = ""
        try:
            place = place_at(snapshot, position)
            about = describe(snapshot, place, self.session.actors, self.theme.units)
            guide = guide_place(look_up(snapshot, place).packet)
        except (RecorderError, OSError) as error:
            about = escape(error_sentence(error))
        text = f"{about}<br><small>{legend}</small>"
        return Explanation(text, guide, self.view.rect_of(position))

    def context_menu(self) -> QMenu:
        """Make the menu of what can be done with the selected bytes."""
        menu = QMenu(self)
        self.offer_copies(menu, self.view)
        has_bytes = self.session.snapshot is not None
        can_edit = self.session.is_complete
        for text, function, action, is_enabled in (
            (say("Copy as hex"), partial(self.copy, "hex"), "edit.copy_hex", has_bytes),
            (say("Copy as hex with offsets"), partial(self.copy, "dump"), "", has_bytes),
            (say("Copy as text"), partial(self.copy, "text"), "", has_bytes),
            (say("Copy as Python bytes"), partial(self.copy, "python"), "edit.copy_python", has_bytes),
            (say("Paste"), self.view.paste, "edit.paste", can_edit),
            (say("Fill..."), self.fill, "edit.fill", can_edit),
            (say("Find..."), self.open_find, "edit.find", has_bytes),
        ):
            self.offer(menu, text, function, action).setEnabled(is_enabled)
        self.offer(menu, say("Select all"), self.select_all, key="Ctrl+A").setEnabled(has_bytes)
        menu.addSeparator()
        insert_mode = self.offer(
            menu, say("Insert mode"), partial(self.set_inserting, not self.is_inserting), "tools.insert"
        )
        make_checkable(insert_mode, self.is_inserting)
        raw_mode = self.offer(menu, say("Raw mode"), partial(self.set_raw, not self.is_raw), "tools.raw")
        make_checkable(raw_mode, self.is_raw)
        return menu
