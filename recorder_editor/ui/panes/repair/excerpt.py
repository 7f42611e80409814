"""The bytes around a damage before and after the repair, side by side.

It finds where a byte of one state stands in the other; it knows no session and no proposal.
"""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QWidget

from ....recording import Snapshot
from ....texts import say
from ....views.byte_shading import DAMAGED, FIELD_A, FIELD_B, PACKET_HEADER, Shading, shade
from ....views.saved_rows import row_of_key
from ...style.boxes import Stretch, fill, set_spacing
from ...style.colors import mix
from ...style.theme import Theme
from ...widgets import Label

_BYTES = 40
_LEAD = 16
_ROWS_BACK = 64
_DAMAGE = 0.25


def counterpart(before: Snapshot, after: Snapshot, position: int) -> int | None:
    """Find a byte of one state in another.

    Args:
        before: State that holds the byte.
        after: State in which it is looked for.
        position: Position of the byte in `before`.

    Returns:
        Its position in `after`, or that behind the nearest earlier row that is left; None where none is left near it.
    """
    header = len(before.header_bytes)
    if position < max(header, 1) or not before.rows:
        return min(position, len(after.header_bytes))
    row = before.row_at(min(position, before.size - 1))
    first = row if row is not None else 0
    for earlier in range(first, max(-1, first - _ROWS_BACK), -1):
        row_after = row_of_key(after, int(before.table.row(earlier)["key"]), earlier)
        if row_after is None:
            continue
        start = after.position(row_after)
        stop = after.position(row_after + 1)
        if earlier == row:
            return min(start + position - before.position(earlier), stop)
        return stop
    if row:
        return None
    return len(after.header_bytes)


class Excerpt(QWidget):
    """Shows forty bytes of both states.

    Attributes:
        theme: The theme.
        before: The bytes before the repair; None for none.
        after: The bytes after it; None for none.
        titles: The labels above them.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.before: Shading | None = None
        self.after: Shading | None = None
        self._span = (0, 0)
        self.titles: list[Label] = []
        self._offsets: list[Label] = []
        self._bytes: list[Label] = []
        grid = set_spacing(QGridLayout(self), 8, 4)
        grid.addWidget(Label(theme, say("Bytes at the damage"), "bold"), 0, 0, 1, 2)
        for column, text in enumerate((say("now"), say("after"))):
            title = Label(theme, text, "small", "muted")
            offset = Label(theme, "", "mono", "faint")
            data = Label(theme, "", "mono", "muted", wraps=True)
            data.setTextFormat(Qt.TextFormat.RichText)
            data.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
            grid.addLayout(fill(QHBoxLayout(), title, Stretch(), offset), 1, column)
            grid.addWidget(data, 2, column, Qt.AlignmentFlag.AlignTop)
            grid.setColumnStretch(column, 1)
            self.titles.append(title)
            self._offsets.append(offset)
            self._bytes.append(data)
        self.setAccessibleName(say("Bytes before and after the repair"))
        theme.changed.connect(self._show_bytes)

    def show_place(self, states: tuple[Snapshot, Snapshot] | None, position: int = 0, size: int = 0) -> None:
        """Show the bytes around a position, and what becomes of them. Raises what reading the recording raises.

        Args:
            states: The states before and after the repair; None: no bytes are shown.
            position: Position in the state before.
            size: Number of bytes there that are emphasized.
        """
        self.before = None
        self.after = None
        self._span = (position, position + max(1, size))
        if states is not None:
            before, after = states
            start = max(0, min(position, max(0, before.size - 1)) - _LEAD) // 8 * 8
            self.before = shade(before, None, start, start + _BYTES)
            start_after = counterpart(before, after, start)
            if start_after is not None:
                self.after = shade(after, before, start_after, start_after + _BYTES)
        self._show_bytes()

    def _show_bytes(self) -> None:
        spans = (self._span, (0, 0))
        for column, shading in enumerate((self.before, self.after)):
            offset = ""
            if shading is not None and shading.data:
                offset = f"0x{shading.start:06x}"
            self._offsets[column].setText(offset)
            self._bytes[column].setText(self._rich_text(shading, spans[column]))
        if self.before is not None:
            digits = self.before.data[:32].hex(" ")
            self.setAccessibleDescription(say("From 0x{start:06x}: {digits}", start=self.before.start, digits=digits))

    def _rich_text(self, shading: Shading | None, span: tuple[int, int]) -> str:
        """Return bytes as rich text; those of a span `(start, stop)`, damaged and edited ones are emphasized."""
        if shading is None:
            return say("nothing is left here")
        if not shading.data:
            return say("the recording ends here")
        palette = self.theme.palette
        backgrounds = {
            FIELD_A: palette.tint_a,
            FIELD_B: palette.tint_b,
            PACKET_HEADER: palette.packet_header,
            DAMAGED: mix(palette.window, palette.error, _DAMAGE),
        }
        start, stop = span
        marks = []
        for index, byte in enumerate(shading.data):
            code = int(shading.codes[index])
            is_edited = bool(shading.edited[index])
            is_emphasized = code == DAMAGED or is_edited or start <= shading.start + index < stop
            color = palette.text if is_emphasized else palette.muted
            background = backgrounds.get(code, palette.window)
            if is_edited:
                background = palette.edited_tint
            mark = f'<span style="color:{color.name()};background-color:{background.name()}">{byte:02x} </span>'
            if is_edited:
                mark = f"<u>{mark}</u>"
            marks.append(mark)
        return f'<p style="line-height:130%">{"".join(marks)}</p>'
