"""The recording replayed in a running simulator: where and how, what the simulator shows, and what it answers."""

import shlex
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ...errors import RecorderError
from ...option_specs import options_of
from ...recording import write_file
from ...simulator.replay import Obstacle, Replay, ReplayOptions, collect_script, find_obstacles, replay
from ...simulator.server import Server
from ...texts import listed, say
from ...views.command_words import schema_words
from ..session import Session
from ..style.boxes import fill, keep_room, push_button
from ..style.theme import Theme
from ..widgets.file_dialogs import ask_file
from ..widgets.job_panel import Sentence
from .fields import add_option, options_from
from .preview import PreviewDialog


class ReplayDialog(PreviewDialog):
    """Asks the simulator what it shows, offers what helps, begins the replay and tells what is answered.

    Attributes: `shown` (what the simulator shows, or why it cannot be asked), `again` (asks it once more; shown while
    it cannot be asked).
    """

    spare_lines = 5  # for several obstacles, or the answer of the replayer

    def __init__(self, session: Session, theme: Theme, followed: int | None, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, "replayDialog", parent)
        self.snapshot = session.snapshot_or_refuse()
        assert session.recording is not None
        self.path = session.recording.path
        self.edited = session.is_modified
        self.obstacles: list[Obstacle] = []
        self._is_answered = False
        sentences = [
            say("The simulator reads the file itself: on its own machine, as {address}.", address=self.path.absolute())
        ]
        if self.edited:
            sentences.append(
                say("Unsaved edits are replayed from a copy; the call and the script name the file, without them.")
            )
        self.say(say("Replay"), say("Replay in the simulator"), listed(sentences, "sentences"))
        for option in options_of(ReplayOptions):
            add_option(self.form, option)
        proposed = replay_of(session, followed)
        for name, value in proposed._asdict().items():
            self.form.set_value(name, value)
        self.form.set_value("follow", str(proposed.follow or ""))
        self.form.changed.connect(self._change)
        self.shown = Sentence(theme)
        self.again = push_button(say("Try again"), self.update_preview, say("Ask the simulator once more"))
        keep_room(self.again)
        self.again.hide()
        answer = QWidget()
        fill(QHBoxLayout(answer), (self.shown, 1, Qt.AlignmentFlag.AlignVCenter), self.again, spacing=8)
        self.place(answer)
        self.add_button(say("Copy replay call"), self.copy_call, left=True)
        self.add_button(say("Save collect script..."), self.ask_script, left=True)
        self.add_answers(say("Replay"), self.replay, stays=True)
        self.resize(theme.px(680), self.minimumHeight())
        self.on_change()

    # --- what is chosen ---------------------------------------------------------------------------------

    @property
    def server(self) -> Server:
        """The chosen address of the simulator."""
        return self.options().server

    def options(self) -> ReplayOptions:
        """Return the chosen options."""
        return options_from(self.form.values, ReplayOptions)

    def how(self) -> Replay | None:
        """Return the replay that is chosen; None for one that cannot be, after the reason is shown."""
        if not self.form.commit():
            return None
        try:
            return Replay.chosen(self.options(), self.snapshot)
        except RecorderError as error:
            self.job_panel.refuse(error)
            return None

    def command_line(self) -> str:
        """The command that does the same."""
        words = ["recorder-editor", "replay", self.path.name]
        for name, default, spec in options_of(ReplayOptions):
            value = self.form.values[name]
            if value in ("", default):
                continue
            if value is True:
                words.append(spec.flag)
            else:
                words.append(f"{spec.flag}={value}")
        words += schema_words(self.path, self.snapshot)
        return shlex.join(words)

    def _change(self, name: str) -> None:
        """Ask another simulator; what else is chosen changes nothing of what it shows."""
        if name in Server._fields:
            self.on_change()
        self.command.say(self.command_line())
        self.job_panel.show_sentence("")
        self.enable()

    # --- the simulator ----------------------------------------------------------------------------------

    def update_preview(self) -> None:
        """Ask what the simulator shows."""
        self._is_answered = False
        self.shown.say(say("Asking {server}...", server=self.server))
        self.preview(say("Asking the simulator"), partial(find_obstacles, self.snapshot, self.server), self._show)

    def _show(self, obstacles: list[Obstacle]) -> None:
        self.obstacles = obstacles
        helpful_options = {obstacle.option for obstacle in obstacles}
        for name in ("load_map", "convert"):
            self.form.set_value(name, name in helpful_options)
        sentences = listed([obstacle.sentence for obstacle in obstacles], "sentences")
        self.shown.say(sentences, "warning" if len(obstacles) > 1 else "fine")
        self._is_answered = True
        self.command.say(self.command_line())
        self.make_room()

    def show_refusal(self, error: Exception) -> None:
        """Say why the simulator cannot be asked."""
        self.shown.say(str(error), "error")
        self.again.show()
        self.session.announced.emit(str(error))
        self.make_room()

    def enable(self) -> None:
        """Enable the buttons; Replay only if the options help over every obstacle."""
        super().enable()
        options = self.options()
        is_possible = all(options.allows(obstacle.option) for obstacle in self.obstacles)
        self.go.setEnabled(self.go.isEnabled() and is_possible)
        if self._is_answered:
            self._hide_again()

    def _hide_again(self) -> None:
        had_focus = self.again.hasFocus()
        self.again.hide()
        if had_focus and self.go.isEnabled():
            self.go.setFocus()
        elif had_focus:
            self.close_button.setFocus()

    # --- doing ------------------------------------------------------------------------------------------

    def replay(self) -> None:
        """Begin the replay, as a job."""
        how = self.how()
        if how is not None and self.go.isEnabled():
            work = partial(replay, self.snapshot, self.path, self.server, how, self.obstacles, self.edited)
            self.run(say("Replaying"), work, lambda lines: self.job_panel.show_sentence("\n".join(lines), "fine"))

    def copy_call(self) -> None:
        """Copy the Python lines that begin the same replay."""
        how = self.how()
        if how is not None:
            QGuiApplication.clipboard().setText(how.call(self.path, self.snapshot.dialect))

    def ask_script(self) -> None:
        """Ask where to write a program that collects what sensors see."""
        how = self.how()
        if how is None:
            return
        text = collect_script(self.snapshot, self.path, self.server, how)
        name = str(self.path.with_suffix(".py"))
        title = say("Save collect script")
        write = partial(write_file, data=text.encode(), overwrite=True)
        ask_file(self, self.session, title, name, write, "Python (*.py)")


def replay_of(session: Session, followed: int | None) -> Replay:
    """The replay of the range, with the followed actor.

    Without a range it starts at the current frame; without a followed actor it follows the selected one.
    """
    elapsed = session.snapshot_or_refuse().elapsed
    frames = session.range.frames
    first = session.selection.frame_index
    if session.range.is_set:
        first = frames.start
    start = 0.0
    if len(elapsed):
        start = float(elapsed[first])
    duration = 0.0
    if session.range.is_set:
        duration = float(elapsed[min(frames.stop, len(elapsed) - 1)]) - start
    return Replay(round(start, 6), round(duration, 6), followed or session.selection.actor or 0)
