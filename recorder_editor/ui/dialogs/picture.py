"""The Export picture dialog: the scene at moments, paths, or the plotted signals, as they would be printed.

`formats.picture` knows what can be chosen; what draws is handed in, since dialogs know no pane.
"""

import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, Protocol

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ...formats.picture import FORMATS, MM_PER_INCH, Figure, PictureOptions, check_choices
from ...option_specs import command_words, options_of
from ...progress import Progress
from ...recording import write_file
from ...texts import say
from ...views.command_words import schema_words
from ...views.units import size_text
from ..session import Session
from ..style.boxes import fill
from ..style.theme import Theme
from ..widgets import ElidedLabel, Segmented
from .fields import add_option, options_from
from .scene_export import PictureView, SceneExportDialog

_TITLES = ("SVG", "PDF", "PNG")
_DPI = 150.0
"""Pixels an inch of the preview."""

_OF_SCENE = frozenset(
    ("at", "path", "every", "columns", "actors", "follow", "mode", "across", "area", "labels", "color", "roads")
)
"""The options that a picture of signals has not."""


class ShownFigure(Figure, Protocol):
    """A picture that can be shown, too."""

    def image(self, dpi: float) -> QImage:
        """Return it in pixels."""


MakeFigure = Callable[[Progress], ShownFigure]
"""Lays a picture out, in the thread that draws it."""


class Figures(Protocol):
    """What the dialog needs of the window."""

    @property
    def has_signals(self) -> bool:
        """Whether signals are plotted."""

    def shown_area(self) -> str | None:
        """Return what the scene shows, as `PictureOptions.area`; None where that cannot be said."""

    def figure(self, options: PictureOptions, frames: range, *, of_signals: bool) -> MakeFigure:
        """Return what lays out a picture of the scene or of the plotted signals, for a thread."""


class Shown(NamedTuple):
    """A picture as it is shown.

    Attributes:
        image: The picture.
        width: Its width on paper, mm.
        height: Its height on paper, mm.
    """

    image: QImage
    width: float
    height: float


class PictureDialog(SceneExportDialog):
    """Chooses what is drawn and how large, shows it, and writes it."""

    def __init__(
        self,
        session: Session,
        theme: Theme,
        figures: Figures,
        start: PictureOptions,
        parent: QWidget | None = None,
        *,
        of_signals: bool = False,
    ) -> None:
        """Make the dialog.

        Args:
            session: The session.
            theme: The theme of the dialog.
            figures: What draws, and what the window shows.
            start: What is chosen at first.
            parent: The window.
            of_signals: It begins with the plotted signals, not with the scene.
        """
        super().__init__(session, theme, "pictureDialog", parent)
        self._figures = figures
        self.snapshot = session.snapshot_or_refuse()
        self.say(say("Export picture"), say("Export picture"), say("For a paper: at its size in print"))
        self._make_form(start, of_signals=of_signals and figures.has_signals)
        self.view = PictureView(theme, say("The picture"))
        self.size_text = ElidedLabel(theme, "", "small", "muted")
        right = QWidget()
        fill(QVBoxLayout(right), (self.stack(self.view, 270), 1), self.size_text, spacing=4)
        sides = QWidget()
        sides.setProperty("stretches", True)
        fill(QHBoxLayout(sides), self.form, (right, 1), spacing=16)
        self.body.addWidget(sides, 1)
        self.body.addWidget(self.command)
        self.body.addWidget(self.job_panel)
        self.add_answers(say("Export..."), self.ask, stays=True)
        self.resize(theme.px(1040), theme.px(680))
        self.on_change()

    def _make_form(self, start: PictureOptions, *, of_signals: bool) -> None:
        self.format = Segmented(self.theme, _TITLES, name=say("Format"))
        self.form.add_row(say("Format"), self.format)
        self.what = Segmented(self.theme, (say("Scene"), say("Signals")), name=say("What is drawn"))
        self.what.set_current(1 if of_signals else 0)
        self.what.setEnabled(self._figures.has_signals)
        self.what.setToolTip(say("Signals are those that are plotted"))
        self.form.add_row(say("Drawn"), self.what)
        beside = self.make_view_buttons("area", shows_scene=self._figures.shown_area() is not None)
        self.rows: dict[str, QWidget] = {}
        for option in options_of(PictureOptions):
            if option.name == "signals":
                continue  # those of the window are
            value = getattr(start, option.name)
            if option.spec.kind == "texts":
                value = ",".join(value)
            elif option.spec.kind == "text":
                value = value or ""
            option = option._replace(default=value)
            self.rows[option.name] = add_option(self.form, option, beside=beside.get(option.name))
        self.format.changed.connect(self.on_change)
        self.what.changed.connect(self.on_change)
        self.form.changed.connect(self.on_change)

    def take_view(self) -> None:
        """Put what the scene shows into the fields."""
        self.form.set_value("area", self._figures.shown_area() or "")

    # --- what is chosen ---------------------------------------------------------------------------------

    @property
    def of_signals(self) -> bool:
        """Whether the plotted signals are drawn, and not the scene."""
        return self.what.current == 1

    @property
    def kind(self) -> str:
        """The format, one of `FORMATS`."""
        return FORMATS[self.format.current]

    @property
    def frames(self) -> range:
        """The range of paths and signals: that between In and Out, or the whole recording."""
        if self.session.range.is_set:
            return self.session.range.frames
        return range(self.session.frames)

    def options(self) -> PictureOptions:
        """Return what is chosen; what is not shown has its default."""
        chosen = options_from({**self.form.values, "signals": ""}, PictureOptions)
        unused = {}
        for name, default, _ in options_of(PictureOptions):
            if name in self.rows and not self._is_offered(name, chosen):
                unused[name] = default
        return replace(chosen, **unused)

    def _is_offered(self, name: str, chosen: PictureOptions) -> bool:
        """Return whether an option means something beside the others."""
        if name == "dpi":
            return self.kind == "png"
        if self.of_signals and name in _OF_SCENE:
            return False
        if name == "every":
            return chosen.path and not chosen.at
        if name in ("columns", "labels"):
            return not chosen.path
        if name == "across":
            return bool(chosen.follow) and not chosen.path
        if name == "follow":
            return not chosen.path
        if name == "mode":
            return not chosen.path and chosen.follow is not None
        return True

    def command_line(self) -> str:
        """The command that does the same; empty for signals, which the window has chosen."""
        if self.of_signals:
            return ""
        name = self.session.path.name
        words = ["recorder-editor", "picture", name, f"{Path(name).stem}.{self.kind}"]
        options = self.options()
        if options.path and self.session.range.is_set:
            words += ["--from", f"f{self.frames.start + 1}"]
            if self.frames.stop < self.session.frames:
                words += ["--to", f"f{self.frames.stop + 1}"]
        words += command_words(options)
        words += schema_words(self.session.path, self.snapshot)
        return shlex.join(words)

    # --- looking before ---------------------------------------------------------------------------------

    def on_change(self, *_what: object) -> None:
        """Show what belongs to what is chosen."""
        chosen = options_from({**self.form.values, "signals": ""}, PictureOptions)
        for name, row in self.rows.items():
            self.form.show_row(row, self._is_offered(name, chosen))
        super().on_change()

    def update_preview(self) -> None:
        """Draw the picture as it would be."""
        options = self.options()
        kind = self.kind
        make = self._figures.figure(options, self.frames, of_signals=self.of_signals)

        def work(progress: Progress) -> Shown:
            check_choices(options, kind)
            figure = make(progress)
            try:
                image = figure.image(_DPI)
            finally:
                figure.close()
            return Shown(image, options.width, image.height() / _DPI * MM_PER_INCH)

        self.preview(say("Drawing the picture"), work, self._show)

    def _show(self, shown: Shown) -> None:
        self.view.show_image(shown.image)
        text = say("{width:.0f} × {height:.0f} mm in print", width=shown.width, height=shown.height)
        self.size_text.setText(text)
        self.show_view()

    def show_refusal(self, error: Exception) -> None:
        """Say why there is no picture."""
        super().show_refusal(error)
        self.size_text.setText("")

    # --- writing ----------------------------------------------------------------------------------------

    def ask(self) -> None:
        """Let a person choose a name, and write there."""
        self.ask_target(say("Export picture"), _TITLES[self.format.current], f".{self.kind}", self.write)

    def write(self, target: Path) -> None:
        """Write the picture, as a job, over one that exists."""
        if self.is_recording(target):
            return
        kind = self.kind
        make = self._figures.figure(self.options(), self.frames, of_signals=self.of_signals)

        def work(progress: Progress) -> str:
            figure = make(progress)
            try:
                data = figure.written(kind)
            finally:
                figure.close()
            write_file(target, data, overwrite=True)
            return say("{name} ({size})", name=target.name, size=size_text(len(data)))

        def done(name: str) -> None:
            self.job_panel.show_sentence(say("Wrote {names}", names=name), "fine")

        self.run(say("Writing {name}", name=target.name), work, done)
