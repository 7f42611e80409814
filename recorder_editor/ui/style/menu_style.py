"""The application's style sheet, for a palette and a text size, and the lengths and hints of Qt that it cannot say.

How Qt's own controls look is in ``resources/style.qss`` alone: nothing here draws.
"""

import re
from functools import cache
from math import ceil

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QProxyStyle, QStyle, QStyleHintReturn, QStyleOption, QStyleOptionViewItem, QWidget

from recorder_editor import resources
from recorder_editor.ui.style.colors import Look
from recorder_editor.ui.style.icons import Icons
from recorder_editor.ui.style.language import bold_weight

ROW = 22

_Metric = QStyle.PixelMetric
_METRICS = {
    _Metric.PM_HeaderMargin: 4,
    _Metric.PM_LayoutLeftMargin: 12,
    _Metric.PM_LayoutTopMargin: 12,
    _Metric.PM_LayoutRightMargin: 12,
    _Metric.PM_LayoutBottomMargin: 12,
    _Metric.PM_LayoutHorizontalSpacing: 8,
    _Metric.PM_LayoutVerticalSpacing: 8,
    _Metric.PM_ListViewIconSize: 14,
    _Metric.PM_TreeViewIndentation: 16,
}


class Style(QProxyStyle):
    """Fusion with other lengths; the style sheet lies over it.

    It has no `styleHint`: Qt asks thousands of times for hints while a window opens, each time through Python.
    """

    def __init__(self, look: Look) -> None:
        super().__init__("fusion")
        self._look = look

    def pixelMetric(
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        if metric == _Metric.PM_HeaderDefaultSectionSizeVertical:
            return self._look.px(ROW)
        fixed = _METRICS.get(metric)
        if fixed is not None:
            return fixed
        return super().pixelMetric(metric, option, widget)

    def sizeFromContents(
        self, kind: QStyle.ContentsType, option: QStyleOption, size: QSize, widget: QWidget | None = None
    ) -> QSize:
        result = self.baseStyle().sizeFromContents(kind, option, size, widget)
        is_row = kind == QStyle.ContentsType.CT_ItemViewItem
        if is_row:
            return result.expandedTo(QSize(0, self._look.px(ROW)))
        return result

    def subElementRect(self, element: QStyle.SubElement, option: QStyleOption, widget: QWidget | None = None) -> QRect:
        rect = self.baseStyle().subElementRect(element, option, widget)
        is_text = element == QStyle.SubElement.SE_ItemViewItemText
        if is_text and widget is not None and isinstance(option, QStyleOptionViewItem):
            # Numbers stand on the base line of the names beside them.
            return rect.translated(0, _middle_to_base(widget.font()) - _middle_to_base(option.font))
        return rect


_MENU_HINTS = (QStyle.StyleHint.SH_Menu_AllowActiveAndDisabled, QStyle.StyleHint.SH_Menu_Scrollable)


class MenuStyle(QProxyStyle):
    """The style of menus.

    Pointing at an action that cannot be done now shows the reason in the status bar. A menu that is higher than the
    screen scrolls: in a second column it would cover other menus.
    """

    def __init__(self) -> None:
        super().__init__("fusion")

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,
    ) -> int:
        if hint in _MENU_HINTS:
            return 1
        return super().styleHint(hint, option, widget, returnData)


def _middle_to_base(font: QFont) -> int:
    """Return how far Qt puts the base line of a text below the middle of its cell, pixels."""
    metrics = QFontMetricsF(font)
    return round(metrics.ascent()) - ceil(metrics.height()) // 2


def style_sheet(look: Look, icons: Icons) -> str:
    """Return ``resources/style.qss`` with the colours, lengths and signs of this moment."""

    def value(match: re.Match[str]) -> str:
        sign, sign_color, color, length, offset = match.groups()
        if sign:
            return f"url({icons.resource(sign, look.palette.color_named(sign_color))})"
        if color == "bold":
            return str(bold_weight().value)
        if color:
            return look.palette.color_named(color).name()
        pixels = look.px(int(length))
        if offset:
            pixels += int(offset)
        return f"{pixels}px"

    return _VALUE.sub(value, _template())


_VALUE = re.compile(r"sign\(([a-z-]+) \$(\w+)\)|\$(\w+)|@(\d+)([+-]\d+)?")


@cache
def _template() -> str:
    _, _, rules = resources.path("style.qss").read_text(encoding="utf-8").partition("*/")
    return rules
