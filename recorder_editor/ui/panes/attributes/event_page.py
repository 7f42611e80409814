"""The page of the chosen traffic event: its worst moment in numbers, its frames, and the seconds about it."""

import math
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from ....errors import RecorderError
from ....reading.events import Events
from ....reading.events.moments import Seconds
from ....recording import Snapshot
from ....texts import listed, say, say_count
from ....views.event_signs import EVENT_SIGNS
from ....views.event_texts import MEASURED, lasting_text, measured, title_text
from ....views.trim_estimate import TrimEstimator
from ....views.units import size_parts
from ...session import Session
from ...style.boxes import Stretch, fill, push_button, set_spacing
from ...style.theme import Theme
from ...widgets import Form, FormRow, Label, NumberEdit, NumberLabel, ThemedWidget
from ...widgets.forms import MARGIN, NumberLink
from ...widgets.pane_parts import Hairline, WrappedRow
from .pages import Heading

_NUMBERS = ("value", *MEASURED, "x", "y")
"""The lines of the worst moment, by the names of its numbers."""

_FIELD = 76
_LONGEST = 1e6  # s before or after


class FrameLink(NumberLink):
    """The number of a frame and its time; a click goes there.

    Attributes:
        frame: The index of the frame.
    """

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme, name)
        self.frame = 0
        self.setToolTip(say("Go to this frame"))

    def show_frame(self, frame: int, time: str) -> None:
        """Show a frame.

        Args:
            frame: Its index.
            time: Its time.
        """
        self.frame = frame
        self.show_number(frame + 1, time)


class EventPage(QWidget):
    """The chosen event.

    Attributes:
        heading: Kind and actors, and what is so in how many frames.
        numbers: The lines of its worst moment, by name.
        links: Its first, worst and last frame, by name.
        before: Seconds before the worst moment that are kept.
        after: Seconds after it.
        kept: The range, the number of frames and the size of what is kept.
    """

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session = session
        self.theme = theme
        self.heading = Heading(theme)
        self._form = Form(theme)
        self._worst = self._form.heading("")
        self.numbers: dict[str, tuple[FormRow, NumberLabel]] = {}
        for name in _NUMBERS:
            label = NumberLabel(theme)
            self.numbers[name] = (self._form.row("", label), label)
        self._form.heading(say("Frames"))
        self.links: dict[str, FrameLink] = {}
        for name, title in (("first", say("from")), ("worst", say("worst")), ("last", say("to"))):
            link = FrameLink(theme, title)
            link.clicked.connect(partial(self._go, link))
            self.links[name] = link
            self._form.wide(title, link)
        self._form.heading(say("Trim around this"))
        self.before = self._seconds(say("Seconds before"))
        self.after = self._seconds(say("Seconds after"))
        fields = WrappedRow(self._labelled(say("before"), self.before), self._labelled(say("after"), self.after))
        self._form.across(fields)
        self.kept = Label(theme, "", "small", "muted", wraps=True)
        self.kept.setContentsMargins(0, 4, 0, 0)
        self._form.across(self.kept)
        fill(QVBoxLayout(self), self.heading, self._form, Stretch(), spacing=0)
        layout = self._form.layout()
        assert isinstance(layout, QGridLayout)
        set_spacing(layout, across=8, down=0, margins=(MARGIN, 2, MARGIN, MARGIN))
        self._estimator: TrimEstimator | None = None
        self._shown: tuple[Events, int] | None = None

    def _seconds(self, name: str) -> NumberEdit:
        field = NumberEdit(self.theme, "s", low=0.0, high=_LONGEST, step=1.0, name=name)
        field.set_width(_FIELD)
        field.committed.connect(partial(self._set_seconds, field))
        return field

    def _labelled(self, text: str, field: NumberEdit) -> QWidget:
        box = QWidget()
        fill(QHBoxLayout(box), Label(self.theme, text, "font", "muted"), field, Stretch(), spacing=8)
        return box

    def _go(self, link: FrameLink) -> None:
        self.session.selection.go_to_frame(link.frame)

    def _set_seconds(self, field: NumberEdit, text: str) -> None:
        """Keep other seconds about the event, unless what was typed is no number."""
        try:
            seconds = float(text)
        except ValueError:
            seconds = math.nan
        if math.isnan(seconds):
            field.refuse(say("Not a number."))
            return
        kept = self.session.events.seconds
        if field is self.before:
            kept = kept._replace(before=seconds)
        else:
            kept = kept._replace(after=seconds)
        self.session.events.set_seconds(kept)

    def fill(self) -> None:
        """Show the event."""
        events = self.session.events
        if events.found is None or events.chosen is None or events.snapshot is None:
            return
        if self._shown is None or self._shown[0] is not events.found or self._shown[1] != events.chosen:
            self._shown = (events.found, events.chosen)
            self._fill_numbers(events.found, events.chosen)
        self._fill_texts(events.found, events.chosen, events.snapshot)
        self._fill_seconds(events.seconds, events.snapshot, events.frames_about)

    def _fill_numbers(self, events: Events, row: int) -> None:
        """Show the numbers of the worst moment; none of the two where the recording cannot be read any more."""
        for line, _ in self.numbers.values():
            line.label.setText("")
            line.set_visible(False)
        try:
            found = list(measured(events, row))
        except (RecorderError, OSError) as error:
            self.session.jobs.failed.emit(error)
            return
        for number in found:
            line, label = self.numbers[number.name]
            line.label.setText(number.title)
            line.label.setToolTip(number.title)
            label.unit = number.unit
            label.setAccessibleName(number.title)
            label.set_value(number.value if math.isfinite(number.value) else None)
            line.set_visible(True)
        self._form.restyle()

    def _fill_texts(self, events: Events, row: int, snapshot: Snapshot) -> None:
        units = self.theme.units
        kind = events.kind(row)
        sign = EVENT_SIGNS[kind.name]
        self.heading.show_title(title_text(events, row), lasting_text(events, row, units), sign.icon, sign.color)
        elapsed = snapshot.elapsed
        end = float(elapsed[-1])
        for name, link in self.links.items():
            frame = int(events.table[name][row])
            time = units.time_label(float(elapsed[frame]), end)
            link.show_frame(frame, time)
            if name == "worst":
                self._worst.setText(say("Worst, at {time}", time=time))

    def _fill_seconds(self, seconds: Seconds, snapshot: Snapshot, frames: range) -> None:
        self.before.set_value(seconds.before)
        self.after.set_value(seconds.after)
        actors = self.session.actors
        if not frames or actors is None:
            self.kept.setText("")
            return
        if self._estimator is None or self._estimator.snapshot is not snapshot:
            self._estimator = TrimEstimator(snapshot, actors)
        size, unit = size_parts(self._estimator.of(frames, cuts=False).size, self._estimator.whole().size)
        units = self.theme.units
        elapsed = snapshot.elapsed
        end = float(elapsed[-1])
        start = units.time_label(float(elapsed[frames.start]), end)
        stop = units.time_label(float(elapsed[min(frames.stop, len(elapsed) - 1)]), end)
        parts = (
            say("{start} to {stop}", start=start, stop=stop),
            say_count("1 frame", "{count:,} frames", count=len(frames)),
            say("about {size} {unit}", size=size, unit=unit),
        )
        self.kept.setText(listed(parts, "clauses"))


class EventFooter(ThemedWidget):
    """Below a hairline: what can be done with the seconds about the event.

    Signals: `asked(str)`: the action of this id is to be run.

    Attributes:
        save: Writes them as a recording of their own.
        trim: Keeps only them.
    """

    asked = Signal(str)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(theme)
        self._session = session
        tip = say("Write the seconds about it as a recording; this one is not changed")
        self.save = push_button(say("Save as file"), partial(self.asked.emit, "event.save"), tip)
        tip = say("Keep only the seconds about it")
        self.trim = push_button(say("Trim around this"), partial(self.asked.emit, "event.trim"), tip, primary=True)
        buttons = fill(QHBoxLayout(), WrappedRow(self.save, self.trim), margins=(12, 8, 12, 8))
        fill(QVBoxLayout(self), Hairline(theme), buttons, spacing=0)

    def fill(self) -> None:
        """Enable what can be done now."""
        frames = self._session.events.frames_about
        self.save.setEnabled(len(frames) > 0)
        self.trim.setEnabled(0 < len(frames) < self._session.frames)
