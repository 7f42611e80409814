"""The options of a repair: the last good frame, the map's name, another copy to take good bytes from.

They are shown and asked for here; the pane uses them.
"""

from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSlider, QVBoxLayout, QWidget

from ....texts import say
from ...style.boxes import fill, icon_button, push_button
from ...style.theme import Theme
from ...widgets import ElidedLabel, Label, NumberEdit, TextEdit
from ...widgets.base import WheelFilter
from ...widgets.job_panel import Sentence

_LONGEST = 4096
_LEAST_FOR_SLIDER = 160


class Options(QWidget):
    """The options of a repair.

    Attributes:
        theme: The theme.
        refusal: The line that says why another copy was refused.
        map: The field for the map's name.
        map_asked: The line that asks for it.
        slider: The slider of the last good frame.
        frame: The field for its number.
        take: The button that asks for another copy.
        donor: The name of the other copy.
        drop: The button that removes it.

    Signals: `frame_chosen(int)` (index of the last good frame; the number of frames less one: all stay),
    `map_named(str)`, `donor_asked`, `donor_dropped`.
    """

    frame_chosen = Signal(int)
    map_named = Signal(str)
    donor_asked = Signal()
    donor_dropped = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._frames = 0
        self.refusal = Sentence(theme)
        fill(QVBoxLayout(self), self._make_map(), self._make_frame(), self._make_donor(), self.refusal, spacing=4)

    def _make_map(self) -> QWidget:
        self.map = TextEdit(self.theme, longest=_LONGEST, name=say("Map"))
        self.map.setPlaceholderText("Town01")
        self.map.committed.connect(self._name_map)
        self.map_asked = Sentence(self.theme)
        self._map_holder, column = _row(Label(self.theme, say("Map"), "font", "muted"), self.map)
        column.addWidget(self.map_asked)
        return self._map_holder

    def _make_frame(self) -> QWidget:
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(say("Last good frame"))
        self.slider.setToolTip(say("Everything after this frame is left out"))
        self.slider.installEventFilter(WheelFilter(self.slider))
        self.slider.valueChanged.connect(self._slide)
        self.frame = NumberEdit(self.theme, integer=True, low=1, high=1, name=say("Last good frame"))
        self.frame.setFixedWidth(self.theme.px(72))
        self.frame.committed.connect(lambda text: self.slider.setValue(int(text, 0)))
        name = Label(self.theme, say("Last good frame"), "font", "muted")
        self._frame_holder, _ = _row(name, self.slider, self.frame)
        return self._frame_holder

    def _make_donor(self) -> QWidget:
        tip = say("Restore damaged or missing parts from another copy of the recording")
        self.take = push_button(say("Restore from a copy..."), self.donor_asked.emit, tip)
        self.donor = ElidedLabel(self.theme, "")
        close = self.theme.icons.icon("close")
        self.drop = icon_button(close, say("Remove the other copy"), self.donor_dropped.emit, 14)
        holder, _ = _row(self.take, self.donor, self.drop)
        return holder

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the slider where it has no room; the number beside it is enough."""
        super().resizeEvent(event)
        self.slider.setVisible(self.width() >= 60 + self.theme.px(_LEAST_FOR_SLIDER))

    # --- showing ----------------------------------------------------------------------------------------

    def show_frames(self, frames: int, last_good: int | None) -> None:
        """Show the last good frame.

        Args:
            frames: Number of frames.
            last_good: Index of the last good frame; None: all frames stay.
        """
        self._frames = frames
        self._frame_holder.setVisible(frames > 1)
        value = frames
        if last_good is not None:
            value = last_good + 1
        with QSignalBlocker(self.slider):
            self.slider.setRange(1, max(1, frames))
            self.slider.setPageStep(max(1, frames // 20))
            self.slider.setValue(value)
        self.frame.set_range(1, max(1, frames))
        self.frame.set_value(value)

    def show_map(self, name: str | None, *, missing: bool) -> None:
        """Show the map's name.

        Args:
            name: The name; None where it is not asked for.
            missing: Whether it is needed and not known.
        """
        self._map_holder.setVisible(name is not None)
        if name is not None and not self.map.dirty:
            self.map.set_value(name)
        text = ""
        if missing:
            text = say("The name of the map is unknown, and the simulator needs it.")
        self.map_asked.say(text, "warning")

    def show_donor(self, path: Path | None) -> None:
        """Show the file of the other copy; None for none."""
        self.take.setVisible(path is None)
        self.donor.setVisible(path is not None)
        self.drop.setVisible(path is not None)
        if path is not None:
            self.donor.setText(say("Other copy: {name}", name=path.name))
            self.donor.setToolTip(str(path))

    # --- asking -----------------------------------------------------------------------------------------

    def _slide(self, value: int) -> None:
        self.frame.set_value(value)
        self.frame_chosen.emit(value - 1)

    def _name_map(self, text: str) -> None:
        self.map.set_value(text)
        self.map_named.emit(text.strip())


def _row(*parts: QWidget) -> tuple[QWidget, QVBoxLayout]:
    """Return a box with parts in a row, and its column, for what stands below them."""
    row = fill(QHBoxLayout(), spacing=8)
    for part in parts:
        grows = isinstance(part, (QSlider, TextEdit, ElidedLabel, QPushButton))
        row.addWidget(part, 1 if grows else 0)
    holder = QWidget()
    return holder, fill(QVBoxLayout(holder), row, spacing=2)
