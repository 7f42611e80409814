"""The Bytes pane: the view, the file map, the inspector, the find bar, one line for what was refused."""

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication, QHelpEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QInputDialog, QMenu, QToolTip, QVBoxLayout, QWidget

from ..describe import describe
from ..icons import Icons
from ..jobs import Cancel, Progress
from ..selection import place_at
from ..session import Session
from ..theme import Theme
from ..widgets import Label, ToggleChip
from .filemap import FileMap
from .find import FindBar, find, pattern_of
from .inspector import Inspector
from .view import HexView

_NOTE_MS = 6000


class HexPane(QWidget):
    """Signals: `caption_changed(str)`, `inserting_changed(bool)`, `caret_moved(int)`."""

    caption_changed = Signal(str)
    inserting_changed = Signal(bool)
    caret_moved = Signal(object)

    def __init__(self, session: Session, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self.view = HexView(session, theme)
        self.map = FileMap(session, theme)
        self.inspector = Inspector(session, theme)
        self.inspector.hide()
        self.find_bar = FindBar(theme)
        self.note = Label(theme, "", font="small", color="text")
        self.note.setContentsMargins(theme.px(10), theme.px(3), theme.px(10), theme.px(3))
        self.note.setWordWrap(True)
        self.note.hide()
        self._note_timer = QTimer(self, singleShot=True, interval=_NOTE_MS)
        self._note_timer.timeout.connect(self.note.hide)
        self._values = ToggleChip(theme, self.tr("Values"))
        self._values.setToolTip(self.tr("The bytes at the caret as every type"))
        self._values.toggled.connect(self._show_inspector)
        self.title_switches: tuple[QWidget, ...] = (self._values,)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.view, 1)
        middle.addWidget(self.map)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(middle, 1)
        layout.addWidget(self.note)
        layout.addWidget(self.inspector)
        layout.addWidget(self.find_bar)
        self.setFocusProxy(self.view)
        self.view.told.connect(self.tell)
        self.view.caret_moved.connect(self._caret)
        self.view.inserting_changed.connect(self.inserting_changed)
        self.view.row_length_changed.connect(lambda: self.caption_changed.emit(self.caption))
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._menu)
        self.view.viewport().installEventFilter(self)
        self.map.asked.connect(self._go)
        self.find_bar.asked.connect(self.find_bytes)
        self.find_bar.closed.connect(self.view.setFocus)
        session.changed.connect(lambda: self.inspector.show_at(self.view.caret))

    @property
    def caption(self) -> str:
        """What stands at the right of the title."""
        return self.tr("%n per row", "", self.view.per_row).replace("%n", str(self.view.per_row))

    @property
    def is_inserting(self) -> bool:
        """Typing inserts."""
        return self.view.inserting

    def tell(self, sentence: str) -> None:
        """Say why something was not done, for a few seconds."""
        self.note.setText(sentence)
        self.note.show()
        self._note_timer.start()

    def go_to(self, position: int) -> None:
        """Select the smallest field that holds a byte, and show it."""
        self._go(position)

    def _go(self, position: int) -> None:
        self.session.select_byte(position)
        self.view.scroll_to(position)

    def _caret(self, position: int) -> None:
        self.map.set_caret(position)
        self.inspector.show_at(position)
        self.caret_moved.emit(position)

    def _show_inspector(self, shown: bool) -> None:
        self.inspector.setVisible(shown)
        self.inspector.show_at(self.view.caret)

    # --- finding ----------------------------------------------------------------------------------------

    def open_find(self) -> None:
        """Open the find bar."""
        self.find_bar.open_bar()

    def find_bytes(self, kind: str, text: str, backward: bool = False) -> None:
        """Look for a value from the caret on, as a job; what is found becomes selected."""
        snapshot = self.session.snapshot
        if snapshot is None:
            return
        try:
            pattern = pattern_of(kind, text)
        except ValueError as error:
            self.tell(str(error))
            return
        start = self.session.span[0] + (-1 if backward else 1)

        def work(progress: Progress, cancel: Cancel) -> int | None:
            return find(snapshot, pattern, start, backward=backward, progress=progress, cancel=cancel)

        def done(position: int | None) -> None:
            if position is None:
                self.find_bar.note.setText(self.tr("not found"))
                return
            self.find_bar.note.setText(f"0x{position:06x}")
            self.session.select_span(position, position + len(pattern))
            self.view.scroll_to(position)

        self.session.jobs.start(self.tr("Finding bytes"), work, done, quiet=True)

    # --- copying and filling ----------------------------------------------------------------------------

    def copy(self, form: str = "hex") -> None:
        """The selected bytes to the clipboard: `hex`, `text`, `python` or `c`."""
        data = self.view.selected_bytes()
        texts = {
            "hex": data.hex(" "),
            "text": data.decode("utf-8", "replace"),
            "python": repr(data),
            "c": "{" + ", ".join(f"0x{byte:02x}" for byte in data) + "}",
        }
        QGuiApplication.clipboard().setText(texts[form])

    def fill(self) -> None:
        """Ask for a pattern and fill the selected bytes with it."""
        start, stop = self.session.span
        if stop <= start:
            return
        text, fine = QInputDialog.getText(
            self, self.tr("Fill"), self.tr("Fill %1 bytes with (hex):").replace("%1", f"{stop - start:,}"), text="00"
        )
        if not fine:
            return
        try:
            pattern = bytes.fromhex(text)
        except ValueError:
            pattern = b""
        if not pattern:
            self.tell(self.tr("Fill takes a row of hex bytes, as in 00 or de ad."))
            return
        if self.session.selection.span is None:
            self.session.select_span(start, stop)
        self.view.put_block((pattern * (-(-(stop - start) // len(pattern))))[: stop - start])

    # --- events -----------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy("text" if self.view.in_text else "hex")
        elif event.matches(QKeySequence.StandardKey.Paste):
            self.view.paste()
        elif event.matches(QKeySequence.StandardKey.Find):
            self.open_find()
        elif event.key() == Qt.Key.Key_F3:
            self.find_bar.ask(backward=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif event.matches(QKeySequence.StandardKey.SelectAll) and self.session.snapshot is not None:
            self.session.select_span(0, self.session.snapshot.size)
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._tip(event)
            return True
        return False

    def _tip(self, event: QHelpEvent) -> None:
        found = self.view.position_at(event.pos())
        snapshot, actors = self.session.snapshot, self.session.actors
        if found is None or snapshot is None:
            QToolTip.hideText()
            return
        legend = self.tr("grey: packet header; two tints: fields in turn; hatched: damage; underlined: edited")
        text = f"{describe(snapshot, place_at(snapshot, found[0]), actors)}<br><small>{legend}</small>"
        QToolTip.showText(event.globalPos(), text, self.view, self.view.rect_of(found[0]))

    def _menu(self, point: QPoint) -> None:
        menu = QMenu(self)
        for text, keys, slot in (
            (self.tr("Copy as hex"), "Ctrl+C", lambda: self.copy("hex")),
            (self.tr("Copy as text"), "", lambda: self.copy("text")),
            (self.tr("Copy as Python bytes"), "", lambda: self.copy("python")),
            (self.tr("Copy as C array"), "", lambda: self.copy("c")),
            (self.tr("Paste"), "Ctrl+V", self.view.paste),
            (self.tr("Fill..."), "", self.fill),
            (self.tr("Find..."), "Ctrl+F", self.open_find),
        ):
            action = menu.addAction(text, slot)
            action.setShortcut(QKeySequence(keys))
        raw = QAction(self.tr("Insert raw: sizes do not follow"), menu, checkable=True, checked=self.view.raw_mode)
        raw.toggled.connect(lambda on: setattr(self.view, "raw_mode", on))
        menu.addSeparator()
        menu.addAction(raw)
        menu.exec(self.view.viewport().mapToGlobal(point))
