"""The recording replayed in a running simulator: where and how, what the simulator shows, and what it answers."""

import shlex
from functools import partial

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from ...errors import RecorderError
from ...option_specs import options_of
from ...recording import write_file
from ...simulator.replay import Obstacle, Replay, ReplayOptions, collect_script, find_obstacles, replay
from ...simulator.server import Server
from ...texts import listed, say
from ..session import Session
from ..style.theme import Theme
from ..widgets.file_dialogs import ask_file
from ..widgets.job_panel import Text
from .fields import add_option, options_from
from .preview import PreviewDialog


class ReplayDialog(PreviewDialog):
    """Asks the simulator what it shows, offers what helps, begins the replay and tells what is answered."""

    def __init__(self, session: Session, theme: Theme, followed: int | None, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, "replayDialog", parent)
        self.snapshot = session.snapshot_or_refuse()
        assert session.recording is not None
        self.path = session.recording.path
        self.edited = session.is_modified
        self.obstacles: list[Obstacle] = []
        copy = say("Unsaved edits are replayed from a copy; the call and the script name the file, without them.")
        words = say(
            "The simulator reads the file itself: on its own machine, as {address}.", address=self.path.absolute()
        )
        words = listed((words, copy)[: 1 + self.edited], "sentences")
        self.say(say("Replay"), say("Replay in the simulator"), words)
        for option in options_of(ReplayOptions):
            add_option(self.form, option)
        how = replay_of(session, followed)
        for name, value in {**how._asdict(), "follow": str(how.follow or "")}.items():
            self.form.set_value(name, value)
        self.form.changed.connect(self._change)
        self.shown = Text(theme)
        self.place(self.shown)
        self.add_button(say("Copy replay call"), self.copy_call, left=True)
        self.add_button(say("Save collect script..."), self.ask_script, left=True)
        self.add_answers(say("Replay"), self.replay, stays=True)
        self.resize(theme.px(640), self.minimumHeight())
        self.on_change()

    # --- what is chosen ---------------------------------------------------------------------------------

    @property
    def server(self) -> Server:
        """Where the simulator is."""
        return self.options().server

    def options(self) -> ReplayOptions:
        """What is chosen."""
        return options_from(self.form.values, ReplayOptions)

    def how(self) -> Replay | None:
        """How it is to be replayed; None where that cannot be, which is said in place."""
        try:
            if self.form.commit():
                return Replay.chosen(self.options(), self.snapshot)
            return None
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
            words.append(spec.flag if value is True else f"{spec.flag}={value}")
        return shlex.join(words)

    def _change(self, name: str) -> None:
        """Ask another simulator; what else is chosen changes nothing of what it shows."""
        if name in Server._fields:
            self.on_change()
        self.command.say(self.command_line())
        self.job_panel.tell("")
        self.enable()

    # --- the simulator ----------------------------------------------------------------------------------

    def update_preview(self) -> None:
        """Ask what the simulator shows."""
        self.shown.say(say("Asking {server}...", server=self.server))
        self.preview(say("Asking the simulator"), partial(find_obstacles, self.snapshot, self.server), self._show)

    def _show(self, found: list[Obstacle]) -> None:
        self.obstacles = found
        for name in ("load_map", "convert"):
            self.form.set_value(name, any(each.option == name for each in found))
        words = listed([each.sentence for each in found], "sentences")
        self.shown.say(words, "warning" if len(found) > 1 else "fine")
        self.command.say(self.command_line())
        self.make_room()

    def show_refusal(self, error: Exception) -> None:
        """Say why the simulator cannot be asked."""
        self.shown.say(str(error), "error")
        self.session.announced.emit(str(error))
        self.make_room()

    def enable(self) -> None:
        """What would go wrong has to be overcome."""
        super().enable()
        helped = all(self.options().allows(each.option) for each in self.obstacles)
        self.go.setEnabled(self.go.isEnabled() and helped)

    # --- doing ------------------------------------------------------------------------------------------

    def replay(self) -> None:
        """Begin the replay, as a job."""
        how = self.how()
        if how is not None and self.go.isEnabled():
            work = partial(replay, self.snapshot, self.path, self.server, how, self.obstacles, self.edited)
            self.run(say("Replaying"), work, lambda lines: self.job_panel.tell("\n".join(lines), "fine"))

    def copy_call(self) -> None:
        """Copy the lines that do so elsewhere."""
        if (how := self.how()) is not None:
            QGuiApplication.clipboard().setText(how.call(self.path, self.snapshot.dialect))

    def ask_script(self) -> None:
        """Ask where to write a program that collects what sensors see."""
        if (how := self.how()) is None:
            return
        text = collect_script(self.snapshot, self.path, self.server, how)
        name = str(self.path.with_suffix(".py"))
        title = say("Save collect script")
        write = partial(write_file, data=text.encode(), overwrite=True)
        ask_file(self, self.session, title, name, write, "Python (*.py)")


def replay_of(session: Session, followed: int | None) -> Replay:
    """The replay of the range, with the followed actor.

    Without a range it starts at the current moment; who is selected stands in for one that is followed.
    """
    start = 0.0
    duration = 0.0
    elapsed = session.snapshot_or_refuse().elapsed
    chosen = session.range.frames
    if len(elapsed):
        start = float(elapsed[chosen.start if session.range.is_set else session.selection.frame_index])
    if session.range.is_set:
        duration = float(elapsed[min(chosen.stop, len(elapsed) - 1)]) - start
    return Replay(round(start, 6), round(duration, 6), followed or session.selection.actor or 0)
