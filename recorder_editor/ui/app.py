"""The program: one theme, its windows, and what is done about unexpected errors. Knows no command line."""

import os
import signal
import socket
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QBuffer, QEvent, QEventLoop, QObject, QSize, QSocketNotifier, Qt, QTimer, Signal
from PySide6.QtGui import QFileOpenEvent, QImageWriter
from PySide6.QtWidgets import QApplication

from .. import __version__
from ..errors import SourceChanged, SourceReplaced, reason_of
from ..format.packet_file import PacketFile
from ..recording import write_file
from ..recording.recovery import Leftover
from ..termination import SIGNALS, exit_code
from ..texts import listed, say
from .session.gc_guard import GcGuard
from .session.preferences import LANGUAGE, TEXT_SIZE_PIXELS, THEME, AnyPreference
from .session.settings import Settings
from .shell.dock_layout import PRESETS
from .shell.main_window import MainWindow
from .shell.pane_list import SCENE
from .shell.reopening import Shown, obstacle, show_again, shown_by
from .style.boxes import room_for
from .style.language import lacks_letters, use_language
from .style.theme import Mode, Theme
from .widgets.screen_reader import install

DESIGN_SIZE = QSize(1440, 900)
_MS_BETWEEN_CHECKS = 10
_QUIET_CHECKS = 6
_CASCADE = 32  # pixels


class NoPicture(Exception):
    """The picture could not be made or written; the message is the whole sentence."""


class Application(QApplication):
    """Qt's application.

    Signals:
        file_asked(str): macOS asks for a file to be opened, in place of naming it as an argument.
    """

    file_asked = Signal(str)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent):
            self.file_asked.emit(event.file())
        return super().event(event)


class Program(QObject):
    """All windows of one run.

    Attributes:
        windows: The windows, in the order in which they were opened.
        theme: The look of all of them.
        settings: What the program remembers.
        exit_code: That of the signal of the system which ends the program; None: there was none.

    Signals:
        ended(int): All windows are closed because of such a signal; has the exit code.
    """

    ended = Signal(int)

    def __init__(
        self,
        application: QApplication,
        settings: Settings | None = None,
        theme: Theme | None = None,
        *,
        language: str | None = None,
    ) -> None:
        """Set up what all windows share.

        Args:
            application: The application.
            settings: What the program remembers; None: those of the user.
            theme: The look; None: that of the settings.
            language: The language of the first windows; None: that of the settings.
        """
        super().__init__(application)
        if settings is not None:
            self.settings = settings
        else:
            self.settings = Settings()
        self.settings.changed.connect(self._take_preference)
        self._application = application
        self._language = self.settings[LANGUAGE]
        self._has_letters = use_language(application, language or self._language)
        self.theme = theme or theme_of(application, self.settings[THEME])
        self.theme.set_units(self.settings.units)
        self.theme.set_text_size(self.settings[TEXT_SIZE_PIXELS])
        self.windows: list[MainWindow] = []
        self.exit_code: int | None = None
        self._shown_errors: set[str] = set()
        if isinstance(application, Application):
            application.file_asked.connect(self._open_named)

    def new_window(self, path: Path | None = None) -> MainWindow:
        """Open a further window; a path is opened in it as a job."""
        window = self._make_window()
        place = self.settings.geometry
        if place is None or not window.restoreGeometry(place):
            _fit(window)
        if len(self.windows) > 1:
            window.move(self.windows[-2].x() + _CASCADE, self.windows[-2].y() + _CASCADE)
        window.show()
        if path is not None:
            window.documents.open(path)
        return window

    def _make_window(self) -> MainWindow:
        if not self.windows and self._language != self.settings[LANGUAGE]:
            self._use_chosen_language()
        window = MainWindow(self.theme, self.settings)
        self.windows.append(window)
        window.reopen_asked.connect(partial(self.reopen, window))
        window.window_asked.connect(self._open_another)
        window.restore_asked.connect(self._restore)
        window.closed.connect(partial(self._forget, window))
        if not self._has_letters:
            self._say_letters_are_missing(window)
        return window

    def _say_letters_are_missing(self, window: MainWindow) -> None:
        sentence = "No font has the letters of this language (fonts-noto-cjk has Chinese): all is said in English."
        window.session.informed.emit(sentence)

    # --- the language -----------------------------------------------------------------------------------

    def _take_preference(self, changed: AnyPreference) -> None:
        """Say where a language cannot be shown; any other is used once all windows are closed: all have the same."""
        if changed is LANGUAGE and lacks_letters(self.settings[LANGUAGE]):
            for window in self.windows:
                self._say_letters_are_missing(window)

    def _use_chosen_language(self) -> None:
        self._language = self.settings[LANGUAGE]
        self._has_letters = use_language(self._application, self._language)
        self.theme.renew_fonts()

    def reopen(self, asking: MainWindow) -> None:
        """Close all windows and open them again in the language that is chosen, with what they show.

        Args:
            asking: The window that says so where one cannot be closed now.
        """
        for window in self.windows:
            reason = obstacle(window.session)
            if reason:
                asking.session.refused.emit(reason)
                return
        self._ask_and_reopen(tuple(self.windows))

    def _ask_and_reopen(self, windows: tuple[MainWindow, ...]) -> None:
        """Let these windows ask about notes and settings that could not be written; then reopen all."""
        if windows:
            windows[0].documents.before_reopening(partial(self._ask_and_reopen, windows[1:]))
            return
        shown = [shown_by(window) for window in self.windows]
        quits = self._application.quitOnLastWindowClosed()
        self._application.setQuitOnLastWindowClosed(False)
        for window in tuple(self.windows):
            window.close_anyway(keep_edits=True)
        QTimer.singleShot(0, self, partial(self._open_again, shown, quits))  # when they are gone

    def _open_again(self, shown: list[Shown], quits: bool) -> None:
        if self.exit_code is None:
            for state in shown:
                show_again(self._make_window(), state)
        self._application.setQuitOnLastWindowClosed(quits)

    # --- opening and ending -----------------------------------------------------------------------------

    def open(self, path: Path) -> None:
        """Open a file in the first window that is free, else in a new one."""
        for window in self.windows:
            if window.documents.path is None and not window.documents.is_busy:
                window.documents.open(path)
                return
        self.new_window(path)

    def _open_named(self, name: str) -> None:
        self.open(Path(name))

    def _open_another(self, name: str) -> None:
        if name:
            self.new_window(Path(name))
        else:
            self.new_window()

    def _restore(self, leftover: Leftover) -> None:
        self.new_window().documents.restore(leftover)

    def _forget(self, window: MainWindow) -> None:
        if window in self.windows:
            self.windows.remove(window)
            window.deleteLater()
        if self.exit_code is not None and not self.windows:
            self.ended.emit(self.exit_code)

    def end(self, number: int) -> None:
        """Close all windows because of a signal; what was not saved is offered when the program is started again."""
        self.exit_code = exit_code(number)
        windows = tuple(self.windows)
        for window in windows:
            window.close_anyway(keep_edits=True)
        if not windows:  # they are about to be opened again
            self.ended.emit(self.exit_code)

    @contextmanager
    def ending_on_signals(self) -> Iterator[None]:
        """Let SIGTERM, SIGHUP and Ctrl+C call `end` while the context is open.

        A socket wakes Qt's event loop: Python handles signals only while its code runs.
        """
        reader, writer = socket.socketpair()
        reader.setblocking(False)
        writer.setblocking(False)
        notifier = QSocketNotifier(reader.fileno(), QSocketNotifier.Type.Read, self)
        notifier.activated.connect(lambda: self.end(reader.recv(1)[0]))
        handlers = {}
        for number in (*SIGNALS, signal.SIGINT):
            if signal.getsignal(number) is not signal.SIG_IGN:
                handlers[number] = signal.signal(number, lambda *_: None)
        before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)
            for number, handler in handlers.items():
                signal.signal(number, handler)
            notifier.setEnabled(False)
            reader.close()
            writer.close()

    def tell(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Show an unexpected error in a dialog, if it is the first time, and print it to stderr.

        The arguments are those of `sys.excepthook`.
        """
        if isinstance(error, (SourceChanged, SourceReplaced)):
            for window in self.windows:
                window.documents.look_at_disk()
            return
        sys.__excepthook__(kind, error, trace)
        visible = [window for window in self.windows if window.isVisible()]
        if visible and not issubclass(kind, KeyboardInterrupt):
            self._show_error(error, visible[-1])

    def _show_error(self, error: BaseException, window: MainWindow) -> None:
        from .dialogs.error import ErrorDialog, error_report

        is_kept = all(open_window.session.is_kept for open_window in self.windows)
        report = error_report(error, is_kept=is_kept)
        # An error that comes back with every paint must not make saving impossible.
        if report.details in self._shown_errors or window.findChild(ErrorDialog) is not None:
            window.session.refused.emit(listed((report.what, report.where), "sentences"))
        else:
            self._shown_errors.add(report.details)
            ErrorDialog(self.theme, say("Unexpected error"), report, None, window).open_()


def _fit(window: MainWindow) -> None:
    """Give a window the size of the design, or maximise it where that does not fit with the window's frame."""
    room = room_for(window)
    window.resize(DESIGN_SIZE.boundedTo(room))
    if room.width() < DESIGN_SIZE.width() or room.height() < DESIGN_SIZE.height():
        window.setWindowState(Qt.WindowState.WindowMaximized)


def application() -> QApplication:
    """Return the application, made where there is none yet."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        arguments = sys.argv[:1] or ["recorder-editor"]
        app = Application(arguments)
        app.setApplicationName("recorder-editor")
        app.setApplicationDisplayName("")
        app.setApplicationVersion(__version__)
        app.setDesktopFileName("recorder-editor")
    GcGuard.install()
    install()
    return app


def theme_of(app: QApplication, mode: Mode = "system") -> Theme:
    """Return the application's theme, made where there is none yet."""
    # The newest one: an older one may only be waiting to be deleted.
    for child in reversed(app.children()):
        if isinstance(child, Theme):
            return child
    return Theme(app, mode)


def create_window(
    path: str | os.PathLike[str] | None = None,
    *,
    theme: Theme | None = None,
    settings: Settings | None = None,
    size: tuple[int, int] | None = None,
    preset: str | None = None,
    dialect: str | None = None,
    xodr: Path | None = None,
    packets: Iterable[PacketFile] = (),
) -> MainWindow:
    """Show a window with a recording that is scanned to its end, for tests and scripts.

    The job that reads paths and checks the recording may still run: `window.session.jobs`.

    Args:
        path: The file; None: none is opened.
        theme: The look; None: that of the application.
        settings: What the program remembers; None: those of the user.
        size: Width and height of the window, px; None: those of the design.
        preset: The layout; None: the window chooses it, that for repair where the file is damaged.
        dialect: The name of the dialect to read the file with; None: the one that its bytes show.
        xodr: The road map; None: it is looked for.
        packets: Files of packets of users that are given for the file.

    Raises:
        OSError: The file cannot be read.
        RecorderError: As `open_recording` raises it.
    """
    app = application()
    settings = settings or Settings()
    use_language(app, settings[LANGUAGE])
    window = MainWindow(theme or theme_of(app), settings)
    if size is not None:
        width, height = size
        window.resize(width, height)
    else:
        window.resize(DESIGN_SIZE)
    if preset is not None:
        window.panes.set_preset(preset)
    if xodr is not None:
        window.session.roads.give(xodr)
    if path is not None:
        window.session.give_packets(Path(path), packets)
        window.session.open(Path(path), dialect=dialect)
    if preset is not None:
        window.panes.set_preset(preset)
    window.show()  # once it is open: the page without a recording is neither made nor shown
    settle()
    return window


def run(
    path: Path | None = None,
    *,
    frame: int | None = None,
    seconds: float | None = None,
    xodr: Path | None = None,
    packets: Iterable[PacketFile] = (),
    language: str | None = None,
) -> int:
    """Run the program until its last window closes.

    Args:
        path: The file to open.
        frame: The frame to show, from 1.
        seconds: The elapsed time to show, where no frame is given.
        xodr: The road map of every recording.
        packets: Files of packets of users that are given for the file.
        language: The language of the window; None: that of the preferences.

    Returns:
        The exit code.
    """
    app = application()
    program = Program(app, language=language)
    program.ended.connect(app.exit)
    sys.excepthook = program.tell
    window = program.new_window()
    if xodr is not None:
        window.session.roads.give(xodr)
    if path is not None:
        window.session.give_packets(path, packets)
        window.documents.open(path, partial(_go_to, window, frame, seconds))
    QTimer.singleShot(0, window, window.recovery.ask)
    with program.ending_on_signals():
        return app.exec()


def _go_to(window: MainWindow, frame: int | None, seconds: float | None) -> None:
    if frame is not None:
        window.session.selection.go_to_frame(frame - 1)
    elif seconds is not None:
        window.session.selection.go_to_time(seconds)


def screenshot(
    path: Path,
    out: Path,
    *,
    frame: int | None = None,
    size: tuple[int, int] = (1440, 900),
    mode: Mode = "light",
    preset: str | None = None,
    xodr: Path | None = None,
    packets: Iterable[PacketFile] = (),
    overwrite: bool = False,
    language: str | None = None,
) -> None:
    """Write a picture of the window as it shows a recording.

    Args:
        path: The recording.
        out: The picture; the ending of its name says in which format.
        frame: The frame to show, from 1; None: the first one, with the whole recording in sight.
        size: Width and height of the window, px.
        mode: Light or dark.
        preset: The layout; None: the window chooses it.
        xodr: The road map; None: it is looked for.
        packets: Files of packets of users that are given for the recording.
        overwrite: Replace a file even where it is one that cannot be made again.
        language: The language of the window; None: that of the system.

    Raises:
        NoPicture: The picture cannot be made or written.
        WouldReplace: The file exists and cannot be made again.
        SaveRefused: As `write_file` raises it.
        OSError: The recording cannot be read.
        RecorderError: As `open_recording` raises it.
    """
    form = out.suffix.lower().lstrip(".")
    if form.encode() not in QImageWriter.supportedImageFormats():
        raise NoPicture(say("{path}: no picture is written under such a name; let it end in .png.", path=out))
    app = application()
    with tempfile.TemporaryDirectory(prefix="recorder-editor-", ignore_cleanup_errors=True) as folder:
        settings = Settings(Path(folder) / "settings.ini")
        if language is not None:
            settings[LANGUAGE] = language
        use_language(app, settings[LANGUAGE])  # fonts are chosen for it
        theme = theme_of(app, mode)
        theme.set_mode(mode)
        with _Interrupts() as interrupts:
            window = create_window(
                path, theme=theme, settings=settings, size=size, preset=preset, xodr=xodr, packets=packets
            )
            try:
                if frame is not None:
                    window.session.selection.go_to_frame(frame - 1)
                wait_for_jobs(window, interrupts)
                scene = window.panes.get(SCENE)
                if frame is None:
                    scene.fit(closely=PRESETS[window.panes.preset].is_close)
                else:
                    scene.view.fit()
                settle()
                wait_for_jobs(window, interrupts)
                reason = ""
                if xodr is not None and window.session.roads.map is None:
                    reason = window.session.roads.reason
                picture = window.grab().toImage()
            finally:
                window.close()
                window.deleteLater()
                settle()
            interrupts.raise_kept()
    if reason:
        raise NoPicture(reason)
    data = QBuffer()
    if picture.isNull() or not QImageWriter(data, form.encode()).write(picture):
        raise NoPicture(say("{path}: there is not enough memory for a picture of this size.", path=out))
    try:
        write_file(out, data.data().data(), overwrite=overwrite)
    except OSError as error:
        raise NoPicture(say("{file}: {reason}.", file=out, reason=reason_of(error))) from None


class _Interrupts:
    """Keeps Ctrl+C and other signals that end the program: Qt prints what its slots raise, and goes on.

    Attributes:
        kept: What was raised first; None: nothing.
    """

    def __init__(self) -> None:
        self.kept: BaseException | None = None

    def __enter__(self) -> "_Interrupts":
        self._before = sys.excepthook
        sys.excepthook = self._keep
        return self

    def __exit__(self, *_error: object) -> None:
        sys.excepthook = self._before

    def _keep(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if not issubclass(kind, KeyboardInterrupt):
            self._before(kind, error, trace)
        elif self.kept is None:
            self.kept = error

    def raise_kept(self) -> None:
        """Raise what was kept."""
        if self.kept is not None:
            raise self.kept


def wait_for_jobs(window: MainWindow, interrupts: _Interrupts | None = None) -> None:
    """Run the event loop until paths and problems are known, the roads are drawn and no job runs.

    Args:
        window: The window.
        interrupts: Ends the loop where it keeps an interrupt meanwhile.

    Raises:
        KeyboardInterrupt: The one that `interrupts` keeps.
    """
    session = window.session
    loop = QEventLoop()
    quiet = 0
    failed: list[object] = []
    session.jobs.failed.connect(failed.append)

    def check() -> None:
        nonlocal quiet
        scene = window.panes.if_made(SCENE)
        is_reading = session.recording is not None and session.background.trajectories is None and not failed
        is_drawing = scene is not None and scene.view.is_drawing
        if is_reading or is_drawing or session.roads.is_busy or session.jobs.running:
            quiet = 0
        else:
            quiet += 1
        is_interrupted = interrupts is not None and interrupts.kept is not None
        if quiet >= _QUIET_CHECKS or is_interrupted:
            loop.quit()

    timer = QTimer(interval=_MS_BETWEEN_CHECKS)
    timer.timeout.connect(check)
    timer.start()
    loop.exec()
    timer.stop()
    with suppress(RuntimeError):
        session.jobs.failed.disconnect(failed.append)
    settle()
    if interrupts is not None:
        interrupts.raise_kept()


def settle() -> None:
    """Let layouts and paints that are due happen."""
    for _ in range(4):
        QApplication.sendPostedEvents()
        QApplication.processEvents()
