"""What a style sheet cannot say: signs that have no picture file, lengths and hints of Qt, and the place of a text.

The sheet (``stylesheet``) is how controls look; this proxy over Fusion adds only what Qt takes from no sheet:

- Ticks, dots and chevrons. A sheet draws them from picture files of one colour each; these follow the palette. With a
  combo box in the sheet Qt draws the panel of an old arrow button behind the chevron.
- Tool buttons. A sheet has no gap between icon and text, underlines the mnemonic and lays the arrow over the text.
- Lengths, delays and hints that differ from Fusion's, and the icons of message boxes.

It draws from the palette of the moment and knows no widget of this program.
"""

from math import ceil
from typing import Literal

from PySide6.QtCore import QModelIndex, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QIcon, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QDialogButtonBox,
    QProxyStyle,
    QPushButton,
    QSlider,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QStyleOptionComboBox,
    QStyleOptionComplex,
    QStyleOptionHeader,
    QStyleOptionToolButton,
    QStyleOptionViewItem,
    QTabBar,
    QToolBar,
    QWidget,
)

from recorder_editor.ui.colors import Look
from recorder_editor.ui.icons import Icons
from recorder_editor.ui.painting import LEFT

Direction = Literal["up", "down", "left", "right"]

RADIUS = 3
TOOL_PADDING = 7
TOOL_GAP = 6
ROW = 22
HOVERED_ROW = "hoveredRow"
"""The property of a table whose cells in this row are drawn as if the pointer was over each."""

_Metric = QStyle.PixelMetric
_METRICS = {
    _Metric.PM_ToolBarIconSize: 16,
    _Metric.PM_ListViewIconSize: 14,
    _Metric.PM_TabBarIconSize: 14,
    _Metric.PM_TreeViewIndentation: 16,
    _Metric.PM_MessageBoxIconSize: 32,
    _Metric.PM_SplitterWidth: 1,
    _Metric.PM_ToolTipLabelFrameWidth: 0,
    _Metric.PM_DockWidgetFrameWidth: 0,
    _Metric.PM_ToolBarItemMargin: 0,
    _Metric.PM_ToolBarFrameWidth: 0,
    _Metric.PM_LayoutLeftMargin: 12,
    _Metric.PM_LayoutTopMargin: 12,
    _Metric.PM_LayoutRightMargin: 12,
    _Metric.PM_LayoutBottomMargin: 12,
    _Metric.PM_LayoutHorizontalSpacing: 8,
    _Metric.PM_LayoutVerticalSpacing: 8,
}
_TEXT_METRICS = {_Metric.PM_HeaderDefaultSectionSizeVertical: ROW, _Metric.PM_HeaderMargin: 4}

_Hint = QStyle.StyleHint
_HINTS = {
    _Hint.SH_Widget_Animation_Duration: 0,
    _Hint.SH_Widget_Animate: 0,
    _Hint.SH_DialogButtonBox_ButtonsHaveIcons: 0,
    _Hint.SH_ItemView_ShowDecorationSelected: 1,
    _Hint.SH_ComboBox_Popup: 0,
    _Hint.SH_ComboBox_ListMouseTracking: 1,
    _Hint.SH_ScrollBar_Transient: 0,
    _Hint.SH_ToolTip_WakeUpDelay: 500,
    # Cancel at the left of what Enter does, as in the dialogs of this program.
    _Hint.SH_DialogButtonLayout: QDialogButtonBox.ButtonLayout.GnomeLayout.value,
    # Of an action that cannot be done now the status bar says why, when it is pointed at.
    _Hint.SH_Menu_AllowActiveAndDisabled: 1,
}

_Primitive = QStyle.PrimitiveElement
_State = QStyle.StateFlag
_ToolStyle = Qt.ToolButtonStyle


class Style(QProxyStyle):
    """Fusion, with the indicators, combo boxes and signs of this program."""

    def __init__(self, look: Look, icons: Icons) -> None:
        super().__init__("fusion")
        self._look = look
        self._icons = icons

    def standardIcon(
        self, standardIcon: QStyle.StandardPixmap, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> QIcon:
        name = _SIGNS.get(standardIcon)
        return self._icons.icon(name) if name else super().standardIcon(standardIcon, option, widget)

    def pixelMetric(
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        fixed = _METRICS.get(metric)
        if fixed is not None:
            return fixed
        scaled = _TEXT_METRICS.get(metric)
        if scaled is not None:
            return self._look.px(scaled)
        return super().pixelMetric(metric, option, widget)

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,
    ) -> int:
        fixed = _HINTS.get(hint)
        return fixed if fixed is not None else super().styleHint(hint, option, widget, returnData)

    def sizeFromContents(
        self, kind: QStyle.ContentsType, option: QStyleOption, size: QSize, widget: QWidget | None = None
    ) -> QSize:
        result = self.baseStyle().sizeFromContents(kind, option, size, widget)
        if kind == QStyle.ContentsType.CT_ItemViewItem:
            result.setHeight(max(result.height(), self._look.px(ROW)))
        elif kind == QStyle.ContentsType.CT_ComboBox:
            return QSize(size.width() + self._look.px(24) + 14, self._look.px(24))
        elif kind == QStyle.ContentsType.CT_ToolButton and isinstance(option, QStyleOptionToolButton):
            return self._tool_button_size(option, widget)
        elif kind == QStyle.ContentsType.CT_SpinBox:
            result.setHeight(self._look.px(24))
        return result

    def drawPrimitive(
        self, element: QStyle.PrimitiveElement, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        rect = option.rect
        enabled = bool(option.state & _State.State_Enabled)
        palette = self._look.palette
        if element in (_Primitive.PE_IndicatorCheckBox, _Primitive.PE_IndicatorItemViewItemCheck):
            self._check_box(option, painter)
        elif element == _Primitive.PE_IndicatorRadioButton:
            self._radio_button(option, painter)
        elif element == _Primitive.PE_IndicatorBranch:
            if option.state & _State.State_Children:
                selected = bool(option.state & _State.State_Selected)
                color = palette.on_selection if selected else palette.muted
                draw_chevron(painter, rect, "down" if option.state & _State.State_Open else "right", color)
        elif element in _CHEVRONS:
            draw_chevron(painter, rect, _CHEVRONS[element], palette.muted if enabled else palette.faint)
        elif element == _Primitive.PE_IndicatorHeaderArrow:
            down = isinstance(option, QStyleOptionHeader) and option.sortIndicator == _Sort.SortDown
            # Qt calls the arrow of an ascending order "down"; people expect it to point up.
            draw_chevron(painter, rect, "up" if down else "down", palette.muted)
        elif element == _Primitive.PE_PanelLineEdit and isinstance(
            widget.parentWidget() if widget is not None else None, (QAbstractSpinBox, QComboBox)
        ):
            return
        elif element == _Primitive.PE_FrameFocusRect:
            self._focus(rect, painter, widget)
        elif element == _Primitive.PE_IndicatorMenuCheckMark:
            draw_tick(painter, QRectF(rect), palette.text if enabled else palette.faint)
        elif element == _Primitive.PE_PanelItemViewItem:
            if _is_lit(option, widget) and not option.state & _State.State_Selected:
                painter.fillRect(rect, palette.hover)
            super().drawPrimitive(element, option, painter, widget)
        else:
            super().drawPrimitive(element, option, painter, widget)

    def drawComplexControl(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        palette = self._look.palette
        if control == QStyle.ComplexControl.CC_ComboBox and isinstance(option, QStyleOptionComboBox):
            self._combo_box(option, painter)
        elif control == QStyle.ComplexControl.CC_SpinBox:
            self._field(option, painter, palette.field)
        elif control == QStyle.ComplexControl.CC_ToolButton and isinstance(option, QStyleOptionToolButton):
            self._tool_button(option, painter)
        else:
            super().drawComplexControl(control, option, painter, widget)

    def subControlRect(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        part: QStyle.SubControl,
        widget: QWidget | None = None,
    ) -> QRect:
        if control == QStyle.ComplexControl.CC_SpinBox:
            # No arrows: the keys, the wheel and typing change a number.
            field = part == QStyle.SubControl.SC_SpinBoxEditField
            frame = part == QStyle.SubControl.SC_SpinBoxFrame
            return option.rect.adjusted(6, 1, -6, -1) if field else option.rect if frame else QRect()
        if control == QStyle.ComplexControl.CC_ComboBox:
            arrow = self._look.px(24)
            if part == QStyle.SubControl.SC_ComboBoxArrow:
                return option.rect.adjusted(option.rect.width() - arrow, 0, 0, 0)
            if part == QStyle.SubControl.SC_ComboBoxEditField:
                return option.rect.adjusted(6, 1, -arrow, -1)
        return self.baseStyle().subControlRect(control, option, part, widget)

    def subElementRect(self, element: QStyle.SubElement, option: QStyleOption, widget: QWidget | None = None) -> QRect:
        rect = self.baseStyle().subElementRect(element, option, widget)
        is_text = element == QStyle.SubElement.SE_ItemViewItemText
        if is_text and widget is not None and isinstance(option, QStyleOptionViewItem):
            # Numbers stand on the base line of the names beside them.
            return rect.translated(0, _middle_to_base(widget.font()) - _middle_to_base(option.font))
        return rect

    def _focus(self, rect: QRect, painter: QPainter, widget: QWidget | None) -> None:
        palette = self._look.palette
        if isinstance(widget, QPushButton):
            # The edge shows the focus already; on the filled button the eye needs more than an edge.
            if widget.isDefault() or widget.property("primary"):
                _outline(painter, QRectF(widget.rect()).adjusted(3, 3, -3, -3), palette.on_selection)
        elif not isinstance(widget, (QTabBar, QSlider)):
            _outline(painter, QRectF(rect), palette.selection)

    def _tool_button(self, option: QStyleOptionToolButton, painter: QPainter) -> None:
        palette = self._look.palette
        state = option.state
        enabled = bool(state & _State.State_Enabled)
        on = bool(state & _State.State_On)
        ground = QColor(Qt.GlobalColor.transparent)
        if enabled and state & _State.State_Sunken:
            ground = palette.control_down
        elif enabled and (on or state & _State.State_MouseOver):
            ground = palette.hover
        focused = enabled and bool(state & _State.State_HasFocus)
        draw_box(painter, option.rect, ground, palette.selection if focused else ground)
        ink = palette.faint if not enabled else palette.selection if on else palette.text
        rect = option.rect
        if option.features & QStyleOptionToolButton.ToolButtonFeature.HasMenu:
            arrow = QRect(rect.right() - 14, rect.top(), 12, rect.height())
            draw_chevron(painter, arrow, "down", palette.muted if enabled else palette.faint)
            rect = rect.adjusted(0, 0, -12, 0)
        style = option.toolButtonStyle
        words = option.text if style != _ToolStyle.ToolButtonIconOnly or option.icon.isNull() else ""
        icon = not option.icon.isNull() and style != _ToolStyle.ToolButtonTextOnly
        flags = Qt.AlignmentFlag.AlignCenter
        if icon:
            mode = QIcon.Mode.Normal if enabled else QIcon.Mode.Disabled
            size = option.iconSize
            left = rect.left() + (TOOL_PADDING if words else (rect.width() - size.width()) // 2)
            top = rect.top() + (rect.height() - size.height()) // 2
            place = QRect(QPoint(left, top), size)
            option.icon.paint(painter, place, flags, mode, QIcon.State.On if on else QIcon.State.Off)
            rect = rect.adjusted(TOOL_PADDING + size.width() + TOOL_GAP, 0, 0, 0)
            flags = LEFT
        if words:
            painter.setPen(ink)
            painter.setFont(option.font)
            hidden = Qt.TextFlag.TextHideMnemonic
            painter.drawText(rect, flags | Qt.TextFlag.TextSingleLine | hidden, words)

    def _tool_button_size(self, option: QStyleOptionToolButton, widget: QWidget | None) -> QSize:
        style = option.toolButtonStyle
        words = option.text if style != _ToolStyle.ToolButtonIconOnly or option.icon.isNull() else ""
        icon = not option.icon.isNull() and style != _ToolStyle.ToolButtonTextOnly
        in_bar = widget is not None and isinstance(widget.parentWidget(), QToolBar)
        padding = TOOL_PADDING if words or in_bar else 4
        width = 2 * padding + (option.iconSize.width() if icon else 0)
        if words:
            metrics = QFontMetrics(option.font)
            width += metrics.size(Qt.TextFlag.TextShowMnemonic, words).width() + (TOOL_GAP if icon else 0)
        if option.features & QStyleOptionToolButton.ToolButtonFeature.HasMenu:
            width += 12
        return QSize(width, max(self._look.px(26 if in_bar else 24), option.iconSize.height() + 8))

    def _combo_box(self, option: QStyleOptionComboBox, painter: QPainter) -> None:
        palette = self._look.palette
        enabled = bool(option.state & _State.State_Enabled)
        self._field(option, painter, palette.control)
        arrow = self._look.px(24)
        place = QRect(option.rect.right() - arrow + 1, option.rect.top(), arrow - 4, option.rect.height())
        draw_chevron(painter, place, "down", palette.muted if enabled else palette.faint, 1.4)

    def _field(self, option: QStyleOption, painter: QPainter, ground: QColor) -> None:
        palette = self._look.palette
        enabled = bool(option.state & _State.State_Enabled)
        focused = enabled and bool(option.state & _State.State_HasFocus)
        over = enabled and bool(option.state & _State.State_MouseOver)
        edge = palette.selection if focused else palette.faint if over else palette.edge
        fill = ground if enabled else palette.window
        draw_box(painter, option.rect, fill, edge if enabled else palette.hairline, 2 if focused else 1)

    def _check_box(self, option: QStyleOption, painter: QPainter) -> None:
        palette = self._look.palette
        enabled = bool(option.state & _State.State_Enabled)
        box = _centred(option.rect, 14)
        on = bool(option.state & (_State.State_On | _State.State_NoChange))
        over = bool(option.state & _State.State_MouseOver)
        if on:
            fill = palette.selection if enabled else palette.edge
            draw_box(painter, box, fill, fill)
            ink = palette.on_selection if enabled else palette.window
            if option.state & _State.State_On:
                draw_tick(painter, QRectF(box), ink)
            else:
                painter.fillRect(QRect(box.left() + 4, box.top() + 6, 6, 2), ink)
        else:
            ground = palette.field if enabled else palette.window
            draw_box(painter, box, ground, palette.selection if over and enabled else palette.edge)

    def _radio_button(self, option: QStyleOption, painter: QPainter) -> None:
        palette = self._look.palette
        enabled = bool(option.state & _State.State_Enabled)
        box = QRectF(_centred(option.rect, 14)).adjusted(0.5, 0.5, -0.5, -0.5)
        on = bool(option.state & _State.State_On)
        strong = palette.selection if enabled else palette.edge
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(strong if on else palette.edge, 1))
        painter.setBrush(strong if on else palette.field)
        painter.drawEllipse(box)
        if on:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(palette.on_selection)
            painter.drawEllipse(box.center(), 2.5, 2.5)
        painter.restore()


_Sort = QStyleOptionHeader.SortIndicator
_SIGNS = {
    QStyle.StandardPixmap.SP_MessageBoxInformation: "info",
    QStyle.StandardPixmap.SP_MessageBoxWarning: "warning",
    QStyle.StandardPixmap.SP_MessageBoxCritical: "error",
    QStyle.StandardPixmap.SP_MessageBoxQuestion: "help",
    QStyle.StandardPixmap.SP_ArrowLeft: "chevron-left",
    QStyle.StandardPixmap.SP_ArrowRight: "chevron-right",
}
_CHEVRONS: dict[QStyle.PrimitiveElement, Direction] = {
    _Primitive.PE_IndicatorArrowDown: "down",
    _Primitive.PE_IndicatorArrowUp: "up",
    _Primitive.PE_IndicatorArrowRight: "right",
    _Primitive.PE_IndicatorArrowLeft: "left",
}
_CHEVRON_POINTS: dict[Direction, tuple[tuple[float, float], ...]] = {
    "down": ((-3, -1.5), (0, 1.5), (3, -1.5)),
    "up": ((-3, 1.5), (0, -1.5), (3, 1.5)),
    "right": ((-1.5, -3), (1.5, 0), (-1.5, 3)),
    "left": ((1.5, -3), (-1.5, 0), (1.5, 3)),
}


def _is_lit(option: QStyleOption, widget: QWidget | None) -> bool:
    """The pointer is over the cell, or over the row of a table that lights rows."""
    if option.state & _State.State_MouseOver:
        return True
    if widget is None or not isinstance(option, QStyleOptionViewItem):
        return False
    row: object = widget.property(HOVERED_ROW)
    index: QModelIndex = option.index
    return row == index.row()


def _middle_to_base(font: QFont) -> int:
    """How far Qt puts the base line of a text below the middle of its cell."""
    metrics = QFontMetricsF(font)
    return round(metrics.ascent()) - ceil(metrics.height()) // 2


def draw_box(painter: QPainter, rect: QRect, fill: QColor, edge: QColor, width: int = 1) -> None:
    """A control's ground: ``rect`` filled, with an edge of ``width`` whole pixels inside it and round corners."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    half = width / 2
    painter.setPen(QPen(edge, width))
    painter.setBrush(fill)
    painter.drawRoundedRect(QRectF(rect).adjusted(half, half, -half, -half), RADIUS - half, RADIUS - half)
    painter.restore()


def draw_chevron(painter: QPainter, rect: QRect, direction: Direction, color: QColor, scale: float = 1.0) -> None:
    """A chevron of 6 by 3 pixels (times ``scale``) in the middle of ``rect``."""
    centre = QPointF(rect.left() + rect.width() // 2, rect.top() + rect.height() // 2)
    if direction in ("up", "down"):
        centre += QPointF(0, 0.5)
    points = [centre + QPointF(x * scale, y * scale) for x, y in _CHEVRON_POINTS[direction]]
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(_line(color, 1.3))
    painter.drawPolyline(QPolygonF(points))
    painter.restore()


def draw_tick(painter: QPainter, rect: QRectF, color: QColor) -> None:
    """A tick of 7 by 5 pixels in the middle of ``rect``."""
    centre = rect.center()
    points = [centre + QPointF(x, y) for x, y in ((-3.2, 0.2), (-0.9, 2.5), (3.3, -2.2))]
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(_line(color, 1.6))
    painter.drawPolyline(QPolygonF(points))
    painter.restore()


def _line(color: QColor, width: float) -> QPen:
    return QPen(color, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)


def _outline(painter: QPainter, rect: QRectF, color: QColor) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(color, 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
    painter.restore()


def _centred(rect: QRect, size: int) -> QRect:
    return QRect(rect.left() + (rect.width() - size) // 2, rect.top() + (rect.height() - size) // 2, size, size)
