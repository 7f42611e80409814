"""The language of the window: which one is meant, whether fonts have its letters, and Qt's own texts in it."""

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from PySide6.QtGui import QFont, QFontDatabase, QTextLayout

from ... import texts
from ...texts import LANGUAGES, N_, say

CHOICES = ("system", *LANGUAGES)
"""The languages that the window has, and that of the system, if it is one of them."""

_OF_QT = frozenset((N_("&Look in:"), N_("&Undo"), N_("Files of &type:")))
"""Texts of Qt's own that it has in English only, or with another word than the program."""

_MODIFIERS = frozenset(("Alt", "Ctrl", "Meta", "Shift"))
_EDITING_KEYS = frozenset(("Backspace", "Del", "Enter", "Esc", "Ins", "Return", "Space", "Tab"))
_MOVING_KEYS = frozenset(("Down", "End", "Home", "Left", "Right", "Up"))
_KEYS = _MODIFIERS | _EDITING_KEYS | _MOVING_KEYS
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
    """Return the name of the language that is meant by a choice.

    Args:
        chosen: One of `CHOICES`; "system" means the first language of the system that the window has, else English.
    """
    tags = [chosen]
    if chosen == "system":
        tags = QLocale.system().uiLanguages()
    for tag in tags:
        wanted = QLocale(tag)
        for name in LANGUAGES:
            locale = QLocale(name)
            if wanted.language() == locale.language() and wanted.script() == locale.script():
                return name
    return "en"


def native_name(name: str) -> str:
    """Return what a language calls itself, as 简体中文; of English without a country, which Qt would add."""
    if name == texts.ENGLISH:
        return "English"
    native = QLocale(name).nativeLanguageName()
    return native[:1].upper() + native[1:]


def has_letters(name: str) -> bool:
    """Return whether the fonts have the letters of a language: those of its own name for itself."""
    layout = QTextLayout(QLocale(name).nativeLanguageName())
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    return all(0 not in run.glyphIndexes() for run in layout.glyphRuns())


def spoken_later(chosen: str) -> str:
    """Return the language that is meant, where the window has another one now and fonts have its letters; or empty."""
    name = language_of(chosen)
    if name != texts.language() and has_letters(name):
        return name
    return ""


def lacks_letters(chosen: str) -> bool:
    """Return whether the window is in English because no font has the letters of the language that is meant."""
    return not has_letters(language_of(chosen))


def families() -> list[str]:
    """Return fonts that draw letters as the language writes them, where the system is set to another language."""
    is_own = QLocale.system().language() == QLocale(texts.language()).language()
    fonts = say(_FONTS)
    if is_own or fonts == _FONTS:
        return []
    return [name for name in fonts.split(", ") if QFontDatabase.hasFamily(name)]


def bold_weight() -> QFont.Weight:
    """Return the weight of headings: most fonts with Chinese letters have none between the normal one and bold."""
    if texts.language() == texts.ENGLISH:
        return QFont.Weight.DemiBold
    return QFont.Weight.Bold


def use_language(application: QCoreApplication, chosen: str) -> bool:
    """Use a language from now on; False, and English, where no font has its letters."""
    name = language_of(chosen)
    is_shown = has_letters(name)
    if not is_shown:
        name = texts.ENGLISH
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
