"""The bytes around a damage, as they are and as they would be, side by side.

It finds where a byte of the one state stands in the other; it knows no session and no proposal.
"""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QWidget

from ....recording import Snapshot
from ....texts import say
from ....views.byte_shading import DAMAGED, FIELD_A, FIELD_B, PACKET_HEADER, Shading, shade
from ....views.saved_rows import row_of_key
from ...style.boxes import Stretch, fill, spaced
from ...style.colors import mix
from ...style.theme import Theme
from ...widgets import Label

_BYTES = 40
_LEAD = 16
_ROWS_BACK = 64
_DAMAGE = 0.25


def counterpart(before: Snapshot, after: Snapshot, position: int) -> int | None:
    """Where the byte at a position stands after the change, or where what comes in its place begins.

    None where nothing near it is left.
    """
    header = len(before.header_bytes)
    if position < max(header, 1) or not before.rows:
        return min(position, len(after.header_bytes))
    row = before.row_at(min(position, before.size - 1))
    for earlier in range(row if row is not None else 0, max(-1, (row or 0) - _ROWS_BACK), -1):
        found = row_of_key(after, int(before.table.row(earlier)["key"]), earlier)
        if found is not None:
            low, high = after.position(found), after.position(found + 1)
            if earlier == row:
                return min(low + position - before.position(earlier), high)
            return high
    if row:
        return None
    return len(after.header_bytes)


class Excerpt(QWidget):
    """Forty bytes of either state. Attributes: `before` and `after` (what is shown, or None), `titles` (labels)."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.before: Shading | None = None
        self.after: Shading | None = None
        self._span = (0, 0)
        self.titles = [Label(theme, text, "small", "muted") for text in (say("now"), say("after"))]
        self._offsets = [Label(theme, "", "mono", "faint") for _ in self.titles]
        self._bytes = [Label(theme, "", "mono", "muted", wraps=True) for _ in self.titles]
        grid = spaced(QGridLayout(self), 8, 4)
        grid.addWidget(Label(theme, say("Bytes at the damage"), "bold"), 0, 0, 1, 2)
        for side, data in enumerate(self._bytes):
            data.setTextFormat(Qt.TextFormat.RichText)
            data.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
            grid.addLayout(fill(QHBoxLayout(), self.titles[side], Stretch(), self._offsets[side]), 1, side)
            grid.addWidget(data, 2, side, Qt.AlignmentFlag.AlignTop)
            grid.setColumnStretch(side, 1)
        self.setAccessibleName(say("Bytes before and after the repair"))
        theme.changed.connect(self._tell)

    def show_place(self, states: tuple[Snapshot, Snapshot] | None, at: int = 0, size: int = 0) -> None:
        """Show what stands around a position of the first state, and what comes of it in the second one.

        Raises what reading the recording raises.
        """
        self.before = self.after = None
        self._span = at, at + max(1, size)
        if states is not None:
            before, after = states
            start = max(0, min(at, max(0, before.size - 1)) - _LEAD) // 8 * 8
            self.before = shade(before, None, start, start + _BYTES)
            there = counterpart(before, after, start)
            if there is not None:
                self.after = shade(after, before, there, there + _BYTES)
            else:
                self.after = None
        self._tell()

    def _tell(self) -> None:
        for side, shading in enumerate((self.before, self.after)):
            self._offsets[side].setText(f"0x{shading.start:06x}" if shading is not None and shading.data else "")
            self._bytes[side].setText(self._written(shading, self._span if side == 0 else (0, 0)))
        if self.before is not None:
            words = say("From 0x{start:06x}: {digits}", start=self.before.start, digits=self.before.data[:32].hex(" "))
            self.setAccessibleDescription(words)

    def _written(self, shading: Shading | None, span: tuple[int, int]) -> str:
        if shading is None or not shading.data:
            if shading is None:
                return say("nothing is left here")
            return say("the recording ends here")
        palette = self.theme.palette
        grounds = {FIELD_A: palette.tint_a, FIELD_B: palette.tint_b, PACKET_HEADER: palette.packet_header}
        grounds[DAMAGED] = mix(palette.window, palette.error, _DAMAGE)
        written = ""
        for index, byte in enumerate(shading.data):
            code = int(shading.codes[index])
            is_edited = bool(shading.edited[index])
            is_meant = code == DAMAGED or is_edited or span[0] <= shading.start + index < span[1]
            if is_edited:
                ground = palette.edited_tint
            else:
                ground = grounds.get(code, palette.window)
            ink = palette.text if is_meant else palette.muted
            mark = f'<span style="color:{ink.name()};background-color:{ground.name()}">{byte:02x} </span>'
            if is_edited:
                written += f"<u>{mark}</u>"
            else:
                written += mark
        return f'<p style="line-height:130%">{written}</p>'
