"""The picture of the lives: a row for each actor, with its bar."""

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter

from ...recording.lives import Life
from ..colors import with_alpha
from ..describe import icon_of
from .drawing import LEFT, Drawing, tr
from .layout import HEADING
from .lives import bar_of


class LifePicture(Drawing):
    """Paints the lives."""

    def paint(self) -> None:
        """The line that names them, the rows in sight, and the scroll bar."""
        layout, theme, painter = self.layout, self.theme, self.painter
        top, height = layout.lives_top, theme.px(HEADING)
        self.name("Actors", top, height)
        x = theme.px(12) + theme.metrics(theme.small).horizontalAdvance(tr("Actors")) + 4
        arrow = "chevron-right" if layout.is_folded else "chevron-down"
        theme.icons.draw(painter, arrow, x, top + (height - 10) // 2, 10, self.palette.muted)
        room = int(self.axis.left) - x - 16
        counted = f"{len(layout.roster):,}"
        both = f"{layout.rows}/{counted}"
        if not layout.is_folded and theme.metrics(theme.small).horizontalAdvance(both) <= room:
            counted = both
        painter.drawText(QRect(x + 14, top, room + 2, height), LEFT, counted)
        chosen = layout.session.selection.actors
        for row in range(layout.rows):
            life = layout.roster.life(row + layout.first_row)
            self._life(life, layout.life_y(row), selected=life.actor in chosen)
        if layout.rows < len(layout.roster) and layout.rows:
            self._scroll_bar()

    def _life(self, life: Life, y: int, *, selected: bool) -> None:
        layout, axis, painter, palette = self.layout, self.axis, self.painter, self.palette
        theme, height = self.theme, layout.life_height
        end = axis.left + axis.width
        if selected:
            painter.fillRect(QRectF(0, y, end, height), palette.hover)
        theme.icons.draw(painter, icon_of(life), theme.px(13), y + (height - 12) // 2, 12)
        painter.setFont(theme.mono)
        painter.setPen(palette.text if selected else palette.muted)
        painter.drawText(QRect(theme.px(30), y, int(axis.left) - theme.px(30) - 2, height), LEFT, str(life.actor))
        actors = layout.session.actors
        bar = bar_of(life, axis, layout.session.background.trajectories, actors) if actors is not None else None
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
        for gap in layout.marks.gaps:
            start, stop = max(axis.left, axis.x(gap.start)), min(end, axis.x(gap.stop))
            if stop > start:
                painter.fillRect(QRectF(start, y, stop - start, height), ground)
        self.strokes(bar.hits, middle - 4, 8, palette.error)

    def _scroll_bar(self) -> None:
        """How far down the rows are, at the right edge."""
        layout = self.layout
        top, room = layout.life_y(0), layout.rows * layout.life_height
        whole = len(layout.roster)
        length = max(12.0, room * layout.rows / whole)
        at = top + (room - length) * layout.first_row / max(1, whole - layout.rows)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(self.palette.edge)
        self.painter.drawRoundedRect(QRectF(layout.width - 9, at, 5, length), 2.5, 2.5)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
