"""The Export video dialog: which frames, what is in view and how it looks, with a picture of the video.

`formats.video` knows what can be written; what paints the pictures is handed in, since dialogs know no pane.
"""

import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHBoxLayout, QSlider, QVBoxLayout, QWidget

from ...formats.video import (
    FORMATS,
    PNG,
    SIZES,
    Film,
    VideoOptions,
    check_choices,
    picture_size,
    sequence_names,
    shots,
    write_video,
)
from ...option_specs import command_words, options_of
from ...progress import Progress
from ...texts import listed, say, say_count
from ...views.command_words import schema_words
from ...views.units import size_text
from ..session import Session
from ..style.boxes import fill
from ..style.theme import Theme
from ..widgets import ElidedLabel, Label, Segmented
from .fields import FieldSpec, add_option, options_from
from .scene_export import PictureView, SceneExportDialog

MakeFilm = Callable[[Progress], Film]
"""Makes what paints the pictures, in the thread that paints."""

_WHOLE = 0
_RANGE = "frames"
_SIGNALS = "plotted"


class ShownView(NamedTuple):
    """Which part of the world the scene shows.

    Attributes:
        center: The place in its middle, as `VideoOptions` has it.
        across: What is seen from left to right, m.
    """

    center: str
    across: float


class Studio(Protocol):
    """What the dialog needs of the window."""

    def film(self, options: VideoOptions, frames: range) -> MakeFilm:
        """Return what makes the painter of a video, for a thread."""

    @property
    def plotted(self) -> tuple[str, ...]:
        """The titles of the signals that are plotted, which a video can have below the scene."""

    def shown_view(self) -> ShownView | None:
        """Return what the scene shows; None where there is nothing in it."""


class Shown(NamedTuple):
    """A picture of the video.

    Attributes:
        image: The picture.
        pictures: How many the video has.
        position: Which of them it is, from 0.
        frame: The frame that it shows, from 1.
    """

    image: QImage
    pictures: int
    position: int
    frame: int


class VideoDialog(SceneExportDialog):
    """Chooses frames and how they look, shows a picture of the video, and writes it."""

    def __init__(
        self, session: Session, theme: Theme, studio: Studio, start: VideoOptions, parent: QWidget | None = None
    ) -> None:
        """Make the dialog.

        Args:
            session: The session.
            theme: The theme of the dialog.
            studio: What paints, and what the scene shows.
            start: What is chosen at first.
            parent: The window.
        """
        super().__init__(session, theme, "videoDialog", parent)
        self._studio = studio
        self.snapshot = session.snapshot_or_refuse()
        self._ranges = self._offered_ranges()
        self._first_frame: int | None = session.selection.frame_index  # that the window shows, until it was painted
        self.say(say("Export video"), say("Export video"), say("Write the scene of some frames as a video"))
        self._make_form(start)
        self._make_picture()
        sides = QWidget()
        sides.setProperty("stretches", True)
        fill(QHBoxLayout(sides), self.form, (self._right, 1), spacing=16)
        self.body.addWidget(sides, 1)
        self.body.addWidget(self.command)
        self.body.addWidget(self.job_panel)
        self.add_answers(say("Export..."), self.ask, stays=True)
        self.resize(theme.px(1000), theme.px(640))
        self.on_change()

    def _offered_ranges(self) -> list[tuple[str, range]]:
        """Return the spans of frames that can be chosen, with their names."""
        session = self.session
        ranges = [(say("Whole recording"), range(session.frames))]
        if session.range.is_set:
            ranges.append((say("In-out range"), session.range.frames))
        events = session.events
        if events.found is not None and events.chosen is not None:
            title = say("Event: {title}", title=events.found.kind(events.chosen).title)
            ranges.append((title, events.frames_about))
        for segment in session.segments.items:
            ranges.append((say("Segment: {name}", name=segment.name), segment.frames))
        return ranges

    def _make_form(self, start: VideoOptions) -> None:
        self.format = Segmented(self.theme, [say(format.title) for format in FORMATS], name=say("Format"))
        self.form.add_row(say("Format"), self.format)
        chosen = _WHOLE
        if self.session.range.is_set:
            chosen = 1  # what a person has marked is what is meant
        names = {number: name for number, (name, _) in enumerate(self._ranges)}
        spec = FieldSpec(_RANGE, say("Frames"), "choice", value=chosen, choices=names, width=0)
        self.form.add_field(spec)
        beside = self.make_view_buttons("center", shows_scene=self._studio.shown_view() is not None)
        self.rows: dict[str, QWidget] = {}
        for option in options_of(VideoOptions):
            if option.name == "signals":
                self._add_signals()
                continue
            value = getattr(start, option.name)
            if option.spec.kind == "texts":
                value = ",".join(value)
            option = option._replace(default=value)
            self.rows[option.name] = add_option(self.form, option, beside=beside.get(option.name))
        self.form.propose("size", SIZES)
        self.format.changed.connect(self.on_change)
        self.form.changed.connect(self.on_change)

    def _add_signals(self) -> None:
        """Add the switch of the signals: those of the window are drawn, whose values are read already."""
        tip = say("Signals are those that are plotted")
        editor = self.form.add_field(FieldSpec(_SIGNALS, say("Signals below"), "check", value=False, tip=tip))
        editor.setEnabled(bool(self._studio.plotted))

    def _make_picture(self) -> None:
        theme = self.theme
        self.view = PictureView(theme, say("A picture of the video"))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(say("Picture"))
        self.slider.valueChanged.connect(self.looking.begin)
        self.place_text = Label(theme, "", "mono", "muted")
        self.total = ElidedLabel(theme, "", "small", "muted")
        self._right = QWidget()
        below = fill(QHBoxLayout(), (self.slider, 1), self.place_text, spacing=8)
        fill(QVBoxLayout(self._right), (self.stack(self.view, 270), 1), below, self.total, spacing=4)

    def take_view(self) -> None:
        """Put what the scene shows into the fields."""
        view = self._studio.shown_view()
        if view is not None:
            self.form.set_value("center", view.center)
            self.form.set_value("across", view.across)

    # --- what is chosen ---------------------------------------------------------------------------------

    @property
    def frames(self) -> range:
        """The frames of the video."""
        return self._ranges[int(self.form.values[_RANGE])][1]

    def options(self) -> VideoOptions:
        """Return what is chosen."""
        options = options_from({**self.form.values, "signals": ""}, VideoOptions)
        if self.form.values[_SIGNALS]:
            return replace(options, signals=self._studio.plotted)
        return options

    def command_line(self) -> str:
        """The command that does the same; empty with signals, which the window has chosen."""
        options = self.options()
        if options.signals:
            return ""
        name = self.session.path.name
        words = ["recorder-editor", "video", name, f"{Path(name).stem}{FORMATS[self.format.current].suffix}"]
        if self.form.values[_RANGE] != _WHOLE:
            words += ["--from", f"f{self.frames.start + 1}"]
            if self.frames.stop < self.session.frames:
                words += ["--to", f"f{self.frames.stop + 1}"]
        words += command_words(options)
        words += schema_words(self.session.path, self.snapshot)
        return shlex.join(words)

    # --- looking before ---------------------------------------------------------------------------------

    def on_change(self, *_what: object) -> None:
        """Show what belongs to what is chosen."""
        follows = bool(self.form.values["follow"])
        self.form.show_row(self.rows["mode"], follows)
        self.form.show_row(self.rows["center"], not follows)
        super().on_change()

    def update_preview(self) -> None:
        """Paint a picture of the video."""
        options = self.options()
        frames = self.frames
        format = FORMATS[self.format.current]
        make = self._studio.film(options, frames)
        snapshot = self.snapshot
        wanted = self.slider.value()
        first = self._first_frame

        def work(progress: Progress) -> Shown:
            check_choices(options, format)
            indices = shots(snapshot, frames, options.rate, options.speed)
            position = wanted
            if first is not None:
                position = int(np.searchsorted(indices, first))
            position = min(position, len(indices) - 1)
            index = int(indices[position])
            film = make(progress)
            try:
                pixels = film.picture(index).copy()
            finally:
                film.close()
            height, width = pixels.shape[:2]
            image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32).copy()
            return Shown(image, len(indices), position, index + 1)

        self.preview(say("Painting a picture"), work, self._show)

    def _show(self, shown: Shown) -> None:
        self._first_frame = None
        self.slider.blockSignals(True)
        self.slider.setRange(0, shown.pictures - 1)
        self.slider.setValue(shown.position)
        self.slider.blockSignals(False)
        self.view.show_image(shown.image)
        self.place_text.setText(say("frame {frame:,}", frame=shown.frame))
        options = self.options()
        width, height = picture_size(options)
        seconds = shown.pictures / options.rate
        self.total.setText(
            say_count(
                "1 picture of {width} x {height}, {seconds:.1f} s",
                "{count:,} pictures of {width} x {height}, {seconds:.1f} s",
                count=shown.pictures,
                width=width,
                height=height,
                seconds=seconds,
            )
        )
        self.show_view()

    def show_refusal(self, error: Exception) -> None:
        """Say why there is no picture."""
        super().show_refusal(error)
        self.total.setText("")
        self.place_text.setText("")

    # --- writing ----------------------------------------------------------------------------------------

    def ask(self) -> None:
        """Let a person choose a name, and write there."""
        format = FORMATS[self.format.current]
        self.ask_target(say("Export video"), say(format.title), format.suffix, self.write)

    def write(self, target: Path) -> None:
        """Write the video, as a job, over one that exists."""
        if self.is_recording(target):
            return
        options = self.options()
        frames = self.frames
        make = self._studio.film(options, frames)
        snapshot = self.snapshot
        is_sequence = FORMATS[self.format.current] is PNG

        def work(progress: Progress) -> str:
            indices = shots(snapshot, frames, options.rate, options.speed).tolist()
            film = make(progress.quiet())  # mostly it is read already, and that tells nothing of the time to write
            write_video(target, film, indices, options, overwrite=not is_sequence, progress=progress)
            if is_sequence:
                paths = sequence_names(target, len(indices))
                return listed([paths[0].name, paths[-1].name], "and")
            return say("{name} ({size})", name=target.name, size=size_text(target.stat().st_size))

        def done(names: str) -> None:
            self.job_panel.show_sentence(say("Wrote {names}", names=names), "fine")

        self.run(say("Writing {name}", name=target.name), work, done)
