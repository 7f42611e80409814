"""The guide in a window of its own: its pages, a search through all of them, and links between them.

Pages are those of the program's language where it has them. Places in the guide are named by English headings, wherever
the program does so; the headings of both languages have the same order. Links within pages have the anchors of GitHub.
"""

import re
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QTextBlock, QTextCursor, QTextDocument, QTextFrameFormat, QTextOption
from PySide6.QtWidgets import QDialog, QHBoxLayout, QListWidgetItem, QTextBrowser, QVBoxLayout, QWidget

from ... import resources
from ...texts import language, say
from ..style.boxes import fill, room_for
from ..style.theme import Theme
from ..widgets import SearchField
from ..widgets.focus_ring import FocusRing
from .widgets import framed_list

START = "guide.md"
_SIZE = QSize(960, 680)
_LIST_WIDTH = 264
_PAGES = (
    START, "command-line.md", "editing.md", "repair.md", "checks.md", "signals.md", "events.md", "analysis.md",
    "export.md", "recipes.md", "objects.md", "own-packets.md", "python.md", "extending.md",
)  # fmt: skip
_REFERENCE = ("packets.md", "operations.md", "formats.md", "actions.md")
_HEADINGS = re.compile(r"^#+ (.+)$", re.MULTILINE)


class GuideWindow(QDialog):
    """Shows a page of the guide beside the list of pages; it does not stop work in the window.

    Attributes: `pages` (the list), `search`, `browser`.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(say("Guide"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.theme = theme
        FocusRing(theme, self)
        self._texts = {name: _read(name, language()) for name in _PAGES + _REFERENCE}
        self._page = ""
        self.search = SearchField(theme, say("Search the guide"))
        self.search.textChanged.connect(self._filter)
        self.search.returnPressed.connect(self._find_next)
        self.pages = framed_list(say("Pages"))
        for name, text in self._texts.items():
            item = QListWidgetItem(text.partition("\n")[0].removeprefix("# "))
            item.setData(Qt.ItemDataRole.UserRole, name)
            self.pages.addItem(item)
        self.pages.currentItemChanged.connect(self._choose)
        self.browser = QTextBrowser(openLinks=False)
        self.browser.setAccessibleName(say("Page"))
        folder = resources.path("guide")
        self.browser.setSearchPaths([str(folder / language()), str(folder)])
        self._bar = self.browser.horizontalScrollBar()
        self._bar.rangeChanged.connect(self._break_words, Qt.ConnectionType.QueuedConnection)  # once it is laid out
        self.browser.anchorClicked.connect(self._follow)
        left = fill(QVBoxLayout(), self.search, (self.pages, 1), spacing=8)
        fill(QHBoxLayout(self), left, (self.browser, 1), spacing=12, margins=12)
        self.resize(QSize(theme.px(_SIZE.width()), theme.px(_SIZE.height())).boundedTo(room_for(self)))
        self.pages.setFixedWidth(min(theme.px(_LIST_WIDTH), self.width() // 3))
        self.pages.setWordWrap(True)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.show_page(START)

    def show_page(self, name: str, topic: str = "") -> None:
        """Show a page.

        Args:
            name: The name of its file; an unknown one shows the first page.
            topic: A heading in English, an anchor or first words, to which the page is scrolled.
        """
        if name not in self._texts:
            name = START
        row = list(self._texts).index(name)
        with QSignalBlocker(self.pages):
            self.pages.setCurrentRow(row)
        if name != self._page:
            self._page = name
            self.browser.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
            self.browser.setWordWrapMode(QTextOption.WrapMode.WordWrap)  # columns are as wide as their longest word
            self.browser.document().setMarkdown(self._texts[name], QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
            self._set_spaces()
        self.browser.moveCursor(QTextCursor.MoveOperation.Start)
        if topic:
            self._find(self._heading_of(name, topic))

    def _heading_of(self, name: str, topic: str) -> str:
        """The heading, in the language of the page, whose English one begins with a topic; the topic without one."""
        headings = _HEADINGS.findall(self._texts[name])
        for english, heading in zip(_HEADINGS.findall(_read(name)), headings, strict=False):
            if english.startswith(topic):
                return str(heading)
        return topic

    def _break_words(self) -> None:
        if self._bar.maximum():
            self.browser.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # for a line of a table
            self.browser.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)

    def _find(self, words: str) -> bool:
        """Scroll to the next place of these words, headings first where none is marked yet."""
        document = self.browser.document()
        block = document.begin()
        while block.isValid():
            text = block.text()
            if block.blockFormat().headingLevel() and (text.startswith(words) or _anchor(text) == words):
                self.browser.setTextCursor(QTextCursor(block))
                return self._scroll_to(block)
            block = block.next()
        return self.browser.find(words) and self._scroll_to(self.browser.textCursor().block())

    def _scroll_to(self, block: QTextBlock) -> bool:
        top = self.browser.document().documentLayout().blockBoundingRect(block).top()
        self.browser.verticalScrollBar().setValue(round(top) - self.theme.px(12))
        return True

    def _set_spaces(self) -> None:
        """Room between paragraphs, headings and tables, which Markdown gets none of."""
        px = self.theme.px
        document = self.browser.document()
        cursor = QTextCursor(document)
        block = document.begin()
        cursor.beginEditBlock()  # items of lists have no height else
        while block.isValid():
            cursor.setPosition(block.position())
            space = block.blockFormat()
            if cursor.currentTable() is None and cursor.currentList() is None:
                is_section = space.headingLevel() > 1
                space.setTopMargin(px(18) if is_section else px(4))
                space.setBottomMargin(px(6))
                space.setNonBreakableLines(False)  # code, too
                cursor.setBlockFormat(space)
            block = block.next()
        for frame in document.rootFrame().childFrames():
            shape = frame.frameFormat()
            shape.setTopMargin(px(4))
            shape.setBottomMargin(px(10))
            shape.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
            shape.setBorderBrush(self.theme.palette.hairline)
            frame.setFrameFormat(shape)
        cursor.endEditBlock()

    def _filter(self, text: str) -> None:
        words = text.lower().split()
        for row, page in enumerate(self._texts.values()):
            self.pages.setRowHidden(row, not all(word in page.lower() for word in words))
        shown = [row for row in range(self.pages.count()) if not self.pages.isRowHidden(row)]
        if shown and self.pages.isRowHidden(self.pages.currentRow()):
            self.pages.setCurrentRow(shown[0])
        self.browser.moveCursor(QTextCursor.MoveOperation.Start)
        if words:
            self._find_next()

    def _find_next(self) -> None:
        """Select the next place of the searched text, from the end on the first one; of its first word where it is not
        found."""
        text = self.search.text().strip()
        before = self.browser.textCursor()
        attempts = [text, *text.split()[:1]]
        for words in attempts:
            self.browser.setTextCursor(before)
            if self.browser.find(words):
                return
            self.browser.moveCursor(QTextCursor.MoveOperation.Start)
            if self.browser.find(words):
                return

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.show_page(str(item.data(Qt.ItemDataRole.UserRole)))

    def _follow(self, link: QUrl) -> None:
        if link.isRelative():
            self.show_page(Path(link.path()).name or self._page, link.fragment())
        elif link.scheme() in ("http", "https"):
            QDesktopServices.openUrl(link)

    def _restyle(self) -> None:
        colors = self.browser.palette()
        colors.setColor(colors.ColorRole.Link, self.theme.palette.selection)
        self.browser.setPalette(colors)
        self.browser.document().setDocumentMargin(self.theme.px(16))


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _read(name: str, spoken: str = "") -> str:
    """The text of a page in a language, or in English where there is no such page."""
    folder = resources.path("guide")
    page = folder / spoken / name
    if not page.exists():
        page = folder / name
    return page.read_text(encoding="utf-8")
