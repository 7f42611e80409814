"""The picture of the lives: a row for each actor, with its bar."""

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter

from ...recording.lives import Life
from ..colors import with_alpha
from ..describe import icon_of
from .drawing import LEFT, Drawing, tr
from .lives import bar_of
from .sheet import HEADING


class LifePicture(Drawing):
    """Paints the lives."""

    def paint(self) -> None:
        """The line that names them, the rows in sight, and the scroll bar."""
        sheet, theme, painter = self.sheet, self.theme, self.painter
        top, height = sheet.lives_top, theme.px(HEADING)
        self.name("Actors", top, height)
        x = theme.px(12) + theme.metrics(theme.small).horizontalAdvance(tr("Actors")) + 4
        arrow = "chevron-right" if sheet.is_folded else "chevron-down"
        theme.icons.draw(painter, arrow, x, top + (height - 10) // 2, 10, self.palette.muted)
        room = int(self.axis.left) - x - 16
        counted = f"{len(sheet.roster):,}"
        both = f"{sheet.rows}/{counted}"
        if not sheet.is_folded and theme.metrics(theme.small).horizontalAdvance(both) <= room:
            counted = both
        painter.drawText(QRect(x + 14, top, room + 2, height), LEFT, counted)
        chosen = sheet.session.selection.actors
        for row in range(sheet.rows):
            life = sheet.roster.life(row + sheet.first_row)
            self._life(life, sheet.life_y(row), selected=life.actor in chosen)
        if sheet.rows < len(sheet.roster) and sheet.rows:
            self._scroll_bar()

    def _life(self, life: Life, y: int, *, selected: bool) -> None:
        sheet, axis, painter, palette = self.sheet, self.axis, self.painter, self.palette
        theme, height = self.theme, sheet.life_height
        end = axis.left + axis.width
        if selected:
            painter.fillRect(QRectF(0, y, end, height), palette.hover)
        theme.icons.draw(painter, icon_of(life), theme.px(13), y + (height - 12) // 2, 12)
        painter.setFont(theme.mono)
        painter.setPen(palette.text if selected else palette.muted)
        painter.drawText(QRect(theme.px(30), y, int(axis.left) - theme.px(30) - 2, height), LEFT, str(life.actor))
        actors = sheet.session.actors
        bar = bar_of(life, axis, sheet.session.background.trajectories, actors) if actors is not None else None
        if bar is None:
            return
        color = palette.selection if selected else with_alpha(palette.class_color(life.class_), 0.62)
        middle = y + height // 2
        painter.fillRect(QRectF(bar.left, middle - 1, bar.right - bar.left, 2), color)
        for low, high in bar.driving:
            painter.fillRect(QRectF(low, middle - 4, high - low, 8), color)
        if bar.is_born:
            painter.fillRect(QRectF(bar.left, middle - 4, 1.5, 8), color)
        if bar.is_gone:
            painter.fillRect(QRectF(bar.right - 1.5, middle - 4, 1.5, 8), color)
        ground = palette.hover if selected else palette.in_range
        for gap in sheet.marks.gaps:
            start, stop = max(axis.left, axis.x(gap.start)), min(end, axis.x(gap.stop))
            if stop > start:
                painter.fillRect(QRectF(start, y, stop - start, height), ground)
        self.strokes(bar.hits, middle - 4, 8, palette.error)

    def _scroll_bar(self) -> None:
        """How far down the rows are, at the right edge."""
        sheet = self.sheet
        top, room = sheet.life_y(0), sheet.rows * sheet.life_height
        whole = len(sheet.roster)
        length = max(12.0, room * sheet.rows / whole)
        at = top + (room - length) * sheet.first_row / max(1, whole - sheet.rows)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(self.palette.edge)
        self.painter.drawRoundedRect(QRectF(sheet.width - 9, at, 5, length), 2.5, 2.5)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
