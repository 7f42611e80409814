"""The language of the window: which one is meant, whether fonts have its letters, and what Qt itself says in it."""

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from PySide6.QtGui import QFont, QFontDatabase, QTextLayout

from ... import texts
from ...texts import LANGUAGES, N_, say

CHOICES = ("system", *LANGUAGES)
"""Those that the window speaks, and that of the system, if it is one of them."""

_OF_QT = frozenset((N_("&Look in:"), N_("&Undo"), N_("Files of &type:")))
"""Texts of Qt's own that it says in English, or with another word than the program."""

_KEYS = frozenset(
    (
        *("Alt", "Ctrl", "Meta", "Shift", "Backspace", "Del", "End", "Enter", "Esc", "Home", "Ins", "Return", "Space"),
        *("Tab", "Down", "Left", "Right", "Up"),
    )
)
"""Texts by which Qt asks for the name of a key; in shortcuts it is the one on the keyboard, in every language."""

_FONTS = N_("names of fonts with the letters of this language, separated by commas")
"""Where a catalogue translates it, its fonts."""


class _QtTexts(QTranslator):
    """Translates what Qt's own translation lacks, and leaves the names of keys as they are on the keyboard."""

    def isEmpty(self) -> bool:
        return False

    def translate(self, context: str, text: str, note: str | None = None, n: int = -1) -> str | None:
        del context, note, n
        if text in _KEYS:
            return text
        if text in _OF_QT:
            return str(say(text))
        return None


def language_of(chosen: str) -> str:
    """The name of the language that is meant: of those of the system the first one that the window speaks."""
    for tag in QLocale.system().uiLanguages() if chosen == "system" else [chosen]:
        for name in LANGUAGES:
            wanted = QLocale(tag)
            here = QLocale(name)
            if (wanted.language(), wanted.script()) == (here.language(), here.script()):
                return name
    return "en"


def native_name(name: str) -> str:
    """Return what a language calls itself, as 简体中文; of English without a country, which Qt would add."""
    if name == texts.ENGLISH:
        return "English"
    native = QLocale(name).nativeLanguageName()
    return native[:1].upper() + native[1:]


def has_letters(name: str) -> bool:
    """Whether the fonts have the letters of a language: those of its own name for itself."""
    layout = QTextLayout(QLocale(name).nativeLanguageName())
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    return all(0 not in run.glyphIndexes() for run in layout.glyphRuns())


def spoken_later(chosen: str) -> str:
    """The name of the language that is meant, where another one is spoken now and fonts have its letters; or empty."""
    name = language_of(chosen)
    if name != texts.language() and has_letters(name):
        return name
    return ""


def lacks_letters(chosen: str) -> bool:
    """Whether English is spoken because no font has the letters of the language that is meant."""
    return not has_letters(language_of(chosen))


def families() -> list[str]:
    """Fonts that draw letters as the language writes them, where the system is set to another language."""
    is_own = QLocale.system().language() == QLocale(texts.language()).language()
    fonts = say(_FONTS)
    if is_own or fonts == _FONTS:
        return []
    return [name for name in fonts.split(", ") if QFontDatabase.hasFamily(name)]


def bold_weight() -> QFont.Weight:
    """That of headings: most fonts with Chinese letters have no weight between the normal one and bold."""
    if texts.language() == texts.ENGLISH:
        return QFont.Weight.DemiBold
    return QFont.Weight.Bold


def use_language(application: QCoreApplication, chosen: str) -> bool:
    """Speak a language from now on; False, and English, where no font has its letters."""
    name = language_of(chosen)
    is_shown = has_letters(name)
    name = name if is_shown else texts.ENGLISH
    for translator in application.findChildren(QTranslator):
        application.removeTranslator(translator)
        translator.deleteLater()
    of_qt = QTranslator(application)
    if of_qt.load(f"qtbase_{name}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(of_qt)
    texts.set_language(name)
    if name != texts.ENGLISH:
        application.installTranslator(_QtTexts(application))
    return is_shown
