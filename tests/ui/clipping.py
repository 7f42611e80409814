"""Finds words that are cut off: in Qt's own widgets, and where something is painted, unless it ends in an ellipsis."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QPushButton,
    QRadioButton,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QToolButton,
    QWidget,
)

from recorder_editor.ui.style import painting
from recorder_editor.ui.widgets import ChoiceEdit, ElidedLabel

_WORDS_BESIDE = (QPushButton, QToolButton, QCheckBox, QRadioButton)


def cut_words(window: QWidget) -> list[str]:
    """What is not whole of the texts in a window, or in a part of one, each with the widget that it is in."""
    inside = (each for each in (window, *window.findChildren(QWidget)) if each.window() is window.window())
    every = [each for each in inside if each.isVisible() and each.width()]  # a switch in a menu has no width
    return [f"{type(each).__name__} {each.objectName()}: {text!r}" for each in every for text in _cut_in(each)]


def _cut_in(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QLabel) and not isinstance(widget, ElidedLabel):
        text = widget.text()
        needed = widget.heightForWidth(widget.width()) if widget.wordWrap() else widget.sizeHint().height()
        lacks_room = widget.minimumSizeHint().width() > widget.width() or needed > widget.height() + 1
        if text and (lacks_room or _is_covered(widget)):
            yield text
    elif isinstance(widget, _WORDS_BESIDE) and not _shows_icon_only(widget):
        text = widget.text().replace("&&", "\0").replace("&", "").replace("\0", "&")
        metrics = widget.fontMetrics()
        size = metrics.size(Qt.TextFlag.TextSingleLine, text)
        if text and (
            size.width() > widget.width() - 2 or metrics.height() > widget.height() + 1 or _is_covered(widget)
        ):
            yield text
    elif isinstance(widget, QComboBox) and not widget.isEditable():
        option = QStyleOptionComboBox()
        widget.initStyleOption(option)
        control, part = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        room = widget.style().subControlRect(control, option, part, widget)
        text = widget.currentText()
        if isinstance(widget, ChoiceEdit):
            text = re.sub(r" \(\d+\)$", "", text)  # the number gives way
        if widget.fontMetrics().horizontalAdvance(text) > room.width() or _is_covered(widget):
            yield text
    elif isinstance(widget, QHeaderView) and widget.orientation() == Qt.Orientation.Horizontal:
        for section in range(widget.count()):
            title = widget.model().headerData(section, Qt.Orientation.Horizontal) or ""
            gives_way = widget.sectionResizeMode(section) == QHeaderView.ResizeMode.Stretch
            room = 9999 if gives_way else widget.sectionSize(section)
            if not widget.isSectionHidden(section) and widget.fontMetrics().horizontalAdvance(str(title)) > room:
                yield str(title)
    elif isinstance(widget, QTabBar) and widget.height() > 1:
        for tab in range(widget.count()):
            if widget.fontMetrics().horizontalAdvance(widget.tabText(tab)) > widget.tabRect(tab).width():
                yield widget.tabText(tab)


def _shows_icon_only(widget: QAbstractButton) -> bool:
    return isinstance(widget, QToolButton) and widget.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly


def _is_covered(widget: QWidget) -> bool:
    """A part of it lies outside of what it stands in, and cannot be scrolled into sight."""
    seen, at, parent = widget.rect(), QPoint(), widget
    while not parent.isWindow():
        at += parent.pos()
        above = parent.parentWidget()
        if isinstance(above.parentWidget(), QAbstractScrollArea):
            return False
        if not above.rect().contains(seen.translated(at)):
            return True
        parent = above
    return False


@contextmanager
def painted_words(found: list[str]) -> Iterator[None]:
    """Meanwhile words that the program paints where they do not fit are added to a list."""
    draw = painting.draw_text

    def judge(
        painter: QPainter,
        rect: QRect | QRectF,
        text: str,
        font: QFont,
        color: Any,
        side: Any = painting.LEFT,
        **more: Any,
    ) -> None:
        metrics, room, flags = QFontMetrics(font), QRectF(rect), int(side.value if hasattr(side, "value") else side)
        if more.get("room") is None and text and not flags & int(Qt.TextFlag.TextDontClip.value):
            if flags & int(Qt.TextFlag.TextWordWrap.value):
                needed = metrics.boundingRect(QRect(0, 0, int(room.width()), 9999), flags, text).height()
                is_cut = needed > room.height() + 1
            else:
                is_cut = metrics.horizontalAdvance(text) > room.width() + 1
            if is_cut:
                found.append(f"painted: {text!r} {metrics.size(0, text).toTuple()} in {room.size().toTuple()}")
        draw(painter, rect, text, font, color, side, **more)

    with replaced_in_window("draw_text", judge):
        yield


@contextmanager
def replaced_in_window(name: str, other: Any) -> Iterator[None]:
    """Meanwhile a function of `painting` is another one in every module of the window that has imported it."""
    function = getattr(painting, name)
    with pytest.MonkeyPatch.context() as patch:
        for module in [each for key, each in sys.modules.items() if key.startswith("recorder_editor.ui")]:
            if getattr(module, name, None) is function and module is not painting:
                patch.setattr(module, name, other)
        yield
