"""An editor of a moment: date and time in UTC, with a calendar to pick the day from.

It has what every editor of values has, with seconds since 1970 as the value, and knows no field of the format.
"""

from PySide6.QtCore import QDate, QDateTime, QSignalBlocker, QSize, Qt, QTime, QTimeZone, Signal
from PySide6.QtGui import QKeyEvent, QTextCharFormat
from PySide6.QtWidgets import QCalendarWidget, QDateTimeEdit, QSizePolicy

from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.base import WheelFilter
from recorder_editor.ui.widgets.error_popup import ErrorPopup
from recorder_editor.ui.widgets.value_edit import HEIGHT, StoredNumber

from ...texts import say

FIRST = QDateTime(QDate(1970, 1, 1), QTime(0, 0), QTimeZone.utc())
LAST = QDateTime(QDate(9999, 12, 31), QTime(23, 59, 59), QTimeZone.utc())


class MomentEdit(StoredNumber, QDateTimeEdit):
    """Seconds since 1970 as date and time in UTC.

    Signals:
        committed(str): Another moment was set, by Enter, by leaving the editor or by the calendar; has the seconds.
    """

    committed = Signal(str)

    def __init__(self, theme: Theme, name: str = "") -> None:
        super().__init__()
        self.theme = theme
        self._value: int | None = None
        self._refusal = ErrorPopup(theme, self)
        self.setAccessibleName(name)
        self.setTimeZone(QTimeZone.utc())
        self.setDisplayFormat("yyyy-MM-dd HH:mm:ss")
        self.setDateTimeRange(FIRST, LAST)
        self.setCalendarPopup(True)
        self.setKeyboardTracking(False)
        self.installEventFilter(WheelFilter(self))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        calendar = QCalendarWidget(gridVisible=False, firstDayOfWeek=Qt.DayOfWeek.Monday)
        calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        self.setCalendarWidget(calendar)
        self.dateTimeChanged.connect(self._changed)
        theme.changed.connect(self.restyle)
        self.restyle()

    def revert(self) -> None:
        """Show the seconds that were set last; those outside the years 1970 to 9999 as the nearest moment within.

        The tooltip has the number.
        """
        self._refusal.show_reason("")
        with QSignalBlocker(self):
            seconds = min(max(self._value or 0, FIRST.toSecsSinceEpoch()), LAST.toSecsSinceEpoch())
            self.setDateTime(QDateTime.fromSecsSinceEpoch(seconds, QTimeZone.utc()))
        if self._value is None:
            self.setToolTip(say("mixed"))
        else:
            self.setToolTip(say("{seconds:,} s since 1970", seconds=self._value))

    def restyle(self) -> None:
        """Apply palette, fonts and lengths of this moment."""
        plain = QTextCharFormat()
        plain.setForeground(self.theme.palette.text)
        for day in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
            self.calendarWidget().setWeekdayTextFormat(day, plain)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        text_width = self.theme.metrics().horizontalAdvance("8888-88-88 88:88:88")
        return QSize(text_width + self.theme.px(24) + 14, self.theme.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.lineEdit().isModified():
            self.revert()
        else:
            super().keyPressEvent(event)

    def _changed(self, moment: QDateTime) -> None:
        seconds = moment.toSecsSinceEpoch()
        self._refusal.show_reason("")
        if seconds != self._value:
            self.committed.emit(str(seconds))
