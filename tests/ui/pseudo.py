"""A language that no one speaks: each text is marked, longer, and in letters that English does not have.

It is made of the English texts and installed as a language is. What the window then shows in plain letters was never
translated, unless it is data; what is cut off has no room for other languages.
"""

import itertools
import json
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QEvent,
    QLibraryInfo,
    QModelIndex,
    QObject,
    QPoint,
    Qt,
    QTranslator,
)
from PySide6.QtGui import QGuiApplication, QHelpEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QGraphicsTextItem,
    QGraphicsView,
    QMenu,
    QTabBar,
    QToolButton,
    QToolTip,
    QWidget,
)

from recorder_editor import resources, texts
from recorder_editor.checks import RULES
from recorder_editor.format import header
from recorder_editor.texts import ENGLISH, LANGUAGES
from recorder_editor.ui.style import language

from .clipping import cut_words, painted_words

NAME = "eo"
"""As far as Qt knows: no country has other letters or directions for it."""

KEPT = re.compile(r"%n|%\d|\{[^{}]*\}|<[^<>]+>|&\w+;|&.|\\.|\s+")
"""Places of values, tags, signs by name, and keys of menus."""

OTHER = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "ÁƁÇĐÉƑĜĤÍĴĶĽṀÑÓÞǪŔŠŦÚṼŴẊÝŽáƀçđéƒĝħíĵķľṁñóþǫŕšŧúṽŵẋýž"
)
BEGIN, END = "⟦", "⟧"
NAMES = ("text", "title", "windowTitle", "toolTip", "statusTip", "accessibleName", "accessibleDescription", "suffix")
NAMES += ("prefix", "specialValueText", "placeholderText", "plainText", "format")
"""Properties of widgets and actions that people read."""

ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
ROLES += (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.AccessibleDescriptionRole)
MOST_ROWS = (12, 40, 1, 30, 2)
"""At each depth of a model: frames, packets, records, fields, parts of them."""


def marked(text: str) -> str:
    """A text as this language has it: longer by two fifths, the marks among them."""
    if not re.search("[A-Za-z]", KEPT.sub("", text)):
        return text
    lacking, parts = -2.0, re.split(f"({KEPT.pattern})", text)
    for at, part in enumerate(parts):
        lacking += 0.4 * len(part) if at % 2 == 0 or part.isspace() else 0
        if at % 2 == 0:
            more = max(0, round(lacking)) if (word := re.search("[A-Za-z]+", part)) else 0
            lacking -= more
            longer = part[: word.end()] + "e" * more + part[word.end() :] if word else part
            parts[at] = longer.translate(OTHER)
    return BEGIN + "".join(parts) + END


def write_language(folder: Path, script: ModuleType) -> None:
    """The files of this language: a catalogue of the texts that `packaging/translations.py` finds, and the guide."""
    shutil.copytree(resources.path("guide"), folder / "guide")
    for page in (folder / "guide").glob("*.md"):
        title = page.read_text("utf-8").partition("\n")[0].removeprefix("# ")
        write(folder / "guide" / NAME / page.name, f"# {marked(title)}\n")
    every = script.every_text()
    forms = {key: tuple(map(marked, [key[1]] if isinstance(key[1], str) else key[1])) for key in every}
    catalogue = script.compiled(script.catalog_of(NAME, forms, every))
    write(folder / "locale" / f"{NAME}.mo", catalogue)


def write(path: Path, contents: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(contents if isinstance(contents, bytes) else contents.encode())


class QtTexts(QTranslator):
    """Qt's own texts, as far as they are translated into a language that the program speaks."""

    def __init__(self) -> None:
        super().__init__()
        self._known = QTranslator(self)
        spoken = next(name for name in LANGUAGES if name != ENGLISH)
        assert self._known.load(f"qtbase_{spoken}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))

    def isEmpty(self) -> bool:
        return False

    def translate(self, context: str, text: str, meaning: str | None = None, number: int = -1) -> str | None:
        return marked(text) if self._known.translate(context, text, meaning, number) else None


@contextmanager
def speaking_it(folder: Path, application: QApplication) -> Iterator[None]:
    """Meanwhile windows that are made speak this language, whose files are in a folder."""
    find = resources.path

    def path(name: str) -> Path:
        return own if (own := folder / name).exists() else find(name)

    of_qt = QtTexts()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resources, "path", path)
        patch.setattr(language, "language_of", lambda _chosen: NAME)
        texts.catalogue.cache_clear()
        application.installTranslator(of_qt)
        language.use_language(application, NAME)
        try:
            yield
        finally:
            patch.undo()
            texts.catalogue.cache_clear()
            application.removeTranslator(of_qt)
            language.use_language(application, ENGLISH)


# --- what is shown --------------------------------------------------------------------------------------


class Reader:
    """What a person reads. Attributes: `texts` (each with the first place where it stands), `cut` (words without
    room), `names` (words that are the same in every language), `packets` (those of packets and of
    the file header, which are translated where they stand alone).
    """

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.cut: list[str] = []
        table = json.loads(resources.path("packets.json").read_text("utf-8"))
        codes = [rule.code for rule in RULES]
        fields = (field.path for field in header.FIELDS)
        self.packets = {each["name"] for each in table["packets"]} | {field.path for field in header.FIELDS}
        self.names = words_in(PROPER, *format_names(table), *codes, *fields, header.MAGIC.decode())
        self.names |= words_in(QGuiApplication.platformName())

    def know(self, recording: Path) -> None:
        """The words in a recording, and those of its path, are data: five letters in a row are no number."""
        words = [each.decode() for each in re.findall(rb"[\w.]{5,}", recording.read_bytes())]
        self.names |= words_in(str(recording), *words, *(each.replace("_", " ") for each in words))

    def look(self, part: QWidget) -> None:
        """Read all that a window, or a part of one, shows now, and look for words that are cut off."""
        painted_by: list[tuple[str, str]] = []
        with painted(painted_by), painted_words(self.cut):
            part.grab()
        self.read([*painted_by, *shown(part)])
        self.cut += [f"{part.objectName()}: {each}" for each in cut_words(part)]

    def open_menus(self, window: QWidget) -> None:
        """Read the menus of a window, and those that open at several places of its views."""
        self.read(of_menus(window.findChildren(QMenu)))
        for widget in window.findChildren(QWidget):
            # The menu of a button is a child of it, and showing it would wait for a choice.
            asks = widget.contextMenuPolicy() == Qt.ContextMenuPolicy.CustomContextMenu
            if widget.isVisible() and asks and not isinstance(widget, QToolButton):
                for part in ((0.05, 0.1), (0.6, 0.1), (0.05, 0.3), (0.6, 0.5)):
                    point = QPoint(round(widget.width() * part[0]), round(widget.height() * part[1]))
                    widget.customContextMenuRequested.emit(point)
                    for menu in (each for each in QApplication.topLevelWidgets() if isinstance(each, QMenu)):
                        if menu.isVisible():
                            self.read(of_menus([menu]))
                            menu.close()

    def point_at(self, window: QWidget, places: int) -> None:
        """Read what painted parts say where the mouse rests, at that many places across and down."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(QToolTip, "showText", lambda _point, text, *_: self.read([("tooltip", text)]))
            for widget in (each for each in window.findChildren(QWidget) if each.isVisible() and not each.toolTip()):
                for x, y in itertools.product(range(1, 2 * places, 2), repeat=2):
                    point = QPoint(widget.width() * x // (2 * places), widget.height() * y // (2 * places))
                    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, point, widget.mapToGlobal(point)))

    def read(self, texts: Iterable[tuple[str, str]]) -> None:
        for place, text in texts:
            self.texts.setdefault(text, place)

    def plain(self) -> list[str]:
        """The texts with words that are in no other letters, and neither numbers nor names."""
        return sorted(f"{place}: {text!r}" for text, place in self.texts.items() if self._plain_words(text))

    def _plain_words(self, text: str) -> set[str]:
        # Conditions are typed in English, and sentences name packets as conditions do.
        data = self.names if BEGIN in text or "where" in text else self.names - self.packets
        return words_in(re.sub(f"{SHORTCUTS}|{NUMBERS}", " ", text.replace("&", ""))) - data


PROPER = "Recorder Editor CARLA Python NumPy PySide Qt pyqtgraph UTC Ctrl Shift Alt Esc Del Home End PgUp PgDown Space"
PROPER += " Tab Enter Return Ins cm km kB MB GB ms Hz rad deg mph kW TTC xodr bool str true false English"
"""Names of programs, keys, units and languages, which are the same in all languages."""

NUMBERS = r"<[^<>]*>|\S*[\d…]\S*|\b[a-fA-F]{2}\b|recorder-editor .*"
"""Tags, whatever is joined to a digit, words that are cut, bytes, commands."""

SHORTCUTS = r"(?<=[+(\t])(?:Backspace|Down|Left|Right|Up)\b"
"""Keys of shortcuts, whose names are those on the keyboard; elsewhere the words are translated."""

NO_TEXTS = ("QPlainTextEdit reportText", "painted by recorder_editor.ui.panes.bytes")
"""Reports in the words of the simulator; bytes as text."""


def words_in(*texts: str) -> set[str]:
    """The words of two letters and more; those that `_` or `-` joins are one."""
    return set(re.findall("[A-Za-z][A-Za-z_-]*[A-Za-z]", " ".join(texts)))


def format_names(table: Any) -> Iterator[str]:
    """The names of packets, fields and releases in their table; what they mean, and the values, are texts."""
    yield from (each["name"] for each in table["dialects"])
    yield from (name for name, *_ in table["forks"].values())
    yield from (axis for axes in table["axes"].values() for axis in axes)
    yield from field_names(table["packets"])


def field_names(fields: Iterable[Any]) -> Iterator[str]:
    """The names of fields, of packets with their fields, and of their parts."""
    for each in fields:
        yield from (each.get(name, "") for name in ("name", "path")) if isinstance(each, dict) else each[:1]
        yield from field_names(each.get("members", ())) if isinstance(each, dict) else ()


def shown(part: QWidget) -> Iterator[tuple[str, str]]:
    """The texts of the widgets of a window, of the actions and models in it, each with where it stands."""
    for widget in [part, *part.findChildren(QWidget)]:
        place = f"{type(widget).__name__} {widget.objectName()}"
        if not widget.isVisible() or widget.window() is not part.window() or place.startswith(NO_TEXTS):
            continue
        yield from texts_of(widget, place)
        for action in widget.actions():
            yield from texts_of(action, f"{place} {action.objectName()}")
        if isinstance(widget, QTabBar):
            for tab in range(widget.count()):
                yield from ((f"{place} tab", text) for text in (widget.tabText(tab), widget.tabToolTip(tab)))
        elif isinstance(widget, QComboBox):
            yield from of_model(widget.model(), QModelIndex(), place)
        elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
            yield from of_model(widget.model(), widget.rootIndex(), place)
        elif isinstance(widget, QGraphicsView):
            texts = (each for each in widget.items() if isinstance(each, QGraphicsTextItem))
            yield from ((f"{place} item", each.toPlainText()) for each in texts)
        if hasattr(widget, "spoken"):
            spoken = widget.spoken()
            yield from ((f"{place} spoken", spoken.line(number)) for number in range(min(spoken.size, MOST_ROWS[1])))


def texts_of(thing: QObject, place: str) -> Iterator[tuple[str, str]]:
    """The texts of a widget or an action."""
    yield from ((f"{place} {name}", text) for name in NAMES if isinstance(text := thing.property(name), str) and text)


def of_menus(menus: Iterable[QMenu]) -> Iterator[tuple[str, str]]:
    """The texts of menus and of those in them, filled as they are when they open."""
    for menu in menus:
        menu.aboutToShow.emit()
        place = f"menu {menu.objectName()}"
        yield place, menu.title()
        for action in menu.actions():
            yield from texts_of(action, f"{place} {action.objectName()}")
        yield from of_menus(menu.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly))


def of_model(model: QAbstractItemModel, parent: QModelIndex, place: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """The texts of a model: of its header, and of some rows at each depth."""
    columns = range(1 if isinstance(model, QAbstractListModel) else model.columnCount(parent))
    if depth == 0:
        titles = (model.headerData(each, Qt.Orientation.Horizontal, role) for each in columns for role in ROLES)
        yield from ((f"{place} header", text) for text in titles if isinstance(text, str))
    for row in range(min(model.rowCount(parent), MOST_ROWS[depth])):
        cells = [model.index(row, column, parent) for column in columns]
        texts = (cell.data(role) for cell in cells for role in ROLES)
        yield from ((f"{place} cell", text) for text in texts if isinstance(text, str))
        if depth + 1 < len(MOST_ROWS) and model.rowCount(cells[0]):
            yield from of_model(model, cells[0], place, depth + 1)


@contextmanager
def painted(found: list[tuple[str, str]]) -> Iterator[None]:
    """Meanwhile texts that Python paints are added to a list."""
    draw = QPainter.drawText

    def note(painter: QPainter, *arguments: Any) -> Any:
        place = f"painted by {sys._getframe(1).f_globals['__name__']}"
        if not place.startswith(NO_TEXTS):
            found.extend((place, each) for each in arguments if isinstance(each, str))
        return draw(painter, *arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(QPainter, "drawText", note)
        yield
