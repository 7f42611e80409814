"""Lines below the toolbar: what another program did to the file, that the road map is that of another town, or that
another language was chosen."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolBar, QWidget

from ... import texts as sentences
from ...errors import os_error_text
from ...recording import Change
from ...recording.packet_search import Answer
from ...recording.packet_search import answer as remember_answer
from ...texts import listed, say, say_count
from ...views.units import size_text
from ..session.file_watcher import FileNews
from ..session.preferences import LANGUAGE
from ..session.roads import Misfit, Roads
from ..session.session import Session
from ..style.boxes import fill, push_button
from ..style.language import spoken_later
from ..style.theme import Theme
from ..widgets import ElidedLabel
from ..widgets.base import Sign
from ..widgets.screen_reader import announce


class Notice(QToolBar):
    """A sentence with answers; hidden while it is silent. Attribute: `words`."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setMovable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.toggleViewAction().setVisible(False)  # nameless in the menu of a pane's title
        self.words = ElidedLabel(theme, "", "font", "text")
        self._sign = Sign(theme, 16)
        row = QWidget()
        self._row = fill(QHBoxLayout(row), self._sign, (self.words, 1), spacing=8, margins=(7, 0, 7, 0))
        self._sign.set_icon("warning")  # now that it is not a window of its own
        self.addWidget(row)
        self.hide()

    def add(self, text: str, tip: str = "") -> QPushButton:
        """A further answer."""
        button = push_button(text, tip=tip)
        self._row.addWidget(button)
        return button

    def dismiss(self) -> None:
        """Say no more of this."""
        self.words.setText("")
        self.hide()


class MessageBar(Notice):
    """What became of the file. Attributes: its answers `follow`, `reload`, `script`, `compare`, `keep`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "notice", parent)
        self.follow = self.add(say("Reload as it grows"), say("Read the file again whenever it grows"))
        self.reload = self.add(say("Reload"), say("Read the file again"))
        tip = say("Write the edits as a script, to apply them to the new file")
        self.script = self.add(say("Save the edits as a script..."), tip)
        self.compare = self.add(say("Compare"), say("List the differences to the file on disk"))
        self.keep = self.add(say("Dismiss"))

    def say(self, news: FileNews) -> None:
        """Show it, with the answers that it has; where there is nothing to say, hide."""
        grows = news.kind == "growing"
        follows = news.kind == "following"
        announcement = ""
        if not follows:
            announcement = news.sentence
        announce(self, announcement)
        self.words.setText(news.sentence)
        self.follow.setVisible(grows)
        self.reload.setVisible(news.kind in ("growing", "rewritten", "replaced"))
        self.script.setVisible(news.kind == "rewritten" and news.has_edits)
        self.compare.setVisible(news.kind == "replaced")
        if follows:
            self.keep.setText(say("Stop reloading"))
        elif grows:
            self.keep.setText(say("Not now"))
        else:
            self.keep.setText(say("Dismiss"))
        self._sign.set_icon("info" if grows or follows else "warning")
        self.setVisible(bool(news.sentence))


class WrittenNotice(Notice):
    """A file that another program shows was written. Attribute: its answer `open`."""

    def __init__(self, theme: Theme, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(theme, "writtenNotice", parent)
        self._sign.set_icon("info")
        self._path = Path()
        self.open = self.add(say("Open"), say("Open the file with the program for its kind"))
        self.open.clicked.connect(self._open)
        self.add(say("Dismiss")).clicked.connect(self.dismiss)
        session.written.connect(self.say)

    def say(self, path: Path) -> None:
        """Tell that a file was written."""
        self._path = path
        sentence = say("Wrote {name}, {size}.", name=path.name, size=size_text(path.stat().st_size))
        self.words.setText(sentence)
        announce(self, sentence)
        self.show()

    def _open(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._path)))
        self.dismiss()


class ComparedNotice(Notice):
    """The file that the recording is compared with is another one on the disk. Attribute: its answer `reload`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "comparedNotice", parent)
        self.reload = self.add(say("Reload"), say("Read the other file again, and compare with it as it is now"))
        self.add(say("Dismiss")).clicked.connect(self.dismiss)

    def say(self, news: FileNews) -> None:
        """Show what became of it; where there is nothing to say, hide."""
        announce(self, news.sentence)
        self.words.setText(news.sentence)
        self.reload.setVisible(news.kind == "replaced")
        self.setVisible(bool(news.sentence))


class RoadNotice(Notice):
    """The road map does not fit. Attribute: `answers` (buttons: other maps, to choose one, none, to leave it)."""

    def __init__(self, theme: Theme, roads: Roads, choose: Callable[[], object], parent: QWidget | None = None) -> None:
        """`choose`: let a person choose a map."""
        super().__init__(theme, "roadNotice", parent)
        self._roads = roads
        self._choose = choose
        self._misfit: Misfit | None = None
        self.answers: list[QPushButton] = []
        roads.changed.connect(self._look)

    def _look(self) -> None:
        if self._roads.misfit == self._misfit:
            return
        self._misfit = misfit = self._roads.misfit
        self.words.setText(self._roads.notice)
        announce(self, self._roads.notice)
        for button in self.answers:
            button.deleteLater()
        self.answers = []
        choose = self._roads.choose
        if misfit is not None:
            for other in misfit.others:
                text = say("Use {file} {origin}", file=other.path.name, origin=other.origin)
                self._add_answer(text, partial(choose, other.path))
        self._add_answer(say("Choose..."), self._choose)
        self._add_answer(say("Recorded paths"), partial(choose, None))
        self._add_answer(say("Dismiss"), self.dismiss)
        self.setVisible(misfit is not None)

    def _add_answer(self, text: str, answer: Callable[[], object]) -> None:
        button = self.add(text)
        button.clicked.connect(lambda: answer())
        self.answers.append(button)


class PacketsNotice(Notice):
    """A file beside the recording describes packets, and nobody was asked about it; or a file of packets is not valid.

    Attributes:
        use: The answer to use the file.
        refuse: The answer never to use it.
    """

    def __init__(self, theme: Theme, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(theme, "packetsNotice", parent)
        self._session = session
        tip = say("Read these packets with the file, in this recording and wherever the same file lies beside one")
        self.use = self.add(say("Use it"), tip)
        self.use.clicked.connect(partial(self._answer, "accepted"))
        self.refuse = self.add(say("Never"), say("Leave these packets as bytes, and do not ask about this file again"))
        self.refuse.clicked.connect(partial(self._answer, "refused"))
        self.add(say("Not now")).clicked.connect(self.dismiss)
        session.opened.connect(self.look)
        session.editing.changed.connect(self._follow)

    def _follow(self, change: Change) -> None:
        if change.dialect:
            self.look()

    def look(self) -> None:
        """Ask about the first file that was not asked about, else say what is wrong with one."""
        text = ""
        asked = None
        recording = self._session.recording
        if recording is not None:
            packets = recording.context.packets
            asked = next(iter(packets.asked), None)
            if asked is not None:
                text = say_count(
                    "{file} beside this recording describes packet {numbers}.",
                    "{file} beside this recording describes packets {numbers}.",
                    file=asked.path.name,
                    numbers=listed(map(str, sorted(asked.packets))),
                    count=len(asked.packets),
                )
            elif packets.remarks:
                text = packets.remarks[0]
        self.use.setVisible(asked is not None)
        self.refuse.setVisible(asked is not None)
        self._sign.set_icon("info" if asked is not None else "warning")
        self.words.setText(text)
        announce(self, text)
        self.setVisible(bool(text))

    def _answer(self, answer: Answer) -> None:
        recording = self._session.recording
        if recording is None or not recording.context.packets.asked:
            self.dismiss()
            return
        file = recording.context.packets.asked[0]
        try:
            remember_answer(file, answer)
        except OSError as error:
            self.words.setText(os_error_text(error))
            return
        self._session.editing.describe_packets()


class LanguageNotice(Notice):
    """Another language was chosen than the one that the windows speak. Attribute: its answer `reopen`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "languageNotice", parent)
        self._sign.set_icon("info")
        tip = say("Close the windows and open them again, with the unsaved edits and where they are")
        self.reopen = self.add(say("Reopen"), tip)
        self.add(say("Dismiss")).clicked.connect(self.dismiss)

    def look(self, chosen: str) -> None:
        """Say so in both languages where the windows would speak another one; where they would not, hide."""
        name = spoken_later(chosen)
        text = ""
        if name:
            language = LANGUAGE.texts.choices[name]
            here = say("The language becomes {language} when the windows are opened again.", language=language)
            with sentences.speaking(name):
                there = say("The language becomes {language} when the windows are opened again.", language=language)
            text = sentences.listed((here, there), "sentences")
        self.words.setText(text)
        announce(self, text)
        self.setVisible(bool(text))
