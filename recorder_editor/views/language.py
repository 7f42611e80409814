"""The language of the window: Qt's translations and the program's are installed here; `tr` says a text in it."""

import re

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from PySide6.QtGui import QFont, QFontDatabase, QTextLayout

from .. import resources, sentences
from ..sentences import LANGUAGES

CHOICES = ("system", *LANGUAGES)
"""Those that the window speaks, and that of the system, if it is one of them."""


def tr(text: str) -> str:
    """A text in the language of the window."""
    return QCoreApplication.translate("", text) if text else ""


def put(text: str, *values: object) -> str:
    """A text with values in the places of `%1`, `%2`..."""
    return re.sub(r"%(\d)", lambda match: str(values[int(match[1]) - 1]), text)


def found_by(text: str, keywords: str) -> str:
    """The words by which a text is found beside itself: in the language of the window and in English."""
    return keywords if tr(text) == text else " ".join((tr(keywords), text, keywords))


def language_of(chosen: str) -> str:
    """The name of the language that is meant: of those of the system the first one that the window speaks."""
    for tag in QLocale.system().uiLanguages() if chosen == "system" else [chosen]:
        for name in LANGUAGES:
            wanted, here = QLocale(tag), QLocale(name)
            if (wanted.language(), wanted.script()) == (here.language(), here.script()):
                return name
    return "en"


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
    return name if name != sentences.language() and has_letters(name) else ""


def lacks_letters(chosen: str) -> bool:
    """Whether English is spoken because no font has the letters of the language that is meant."""
    return not has_letters(language_of(chosen))


def families() -> list[str]:
    """Fonts that draw letters as the language writes them, where the system is set to another language."""
    is_own = QLocale.system().language() == QLocale(sentences.language()).language()
    return [] if is_own else [each for each in sentences.say("ui.fonts").split(", ") if QFontDatabase.hasFamily(each)]


def bold_weight() -> QFont.Weight:
    """That of headings: most fonts with Chinese letters have no weight between the normal one and bold."""
    return QFont.Weight.DemiBold if sentences.language() == sentences.ENGLISH else QFont.Weight.Bold


def use_language(application: QCoreApplication, chosen: str) -> bool:
    """Speak a language from now on; False, and English, where no font has its letters."""
    name = language_of(chosen)
    is_shown = has_letters(name)
    name = name if is_shown else "en"
    for translator in application.findChildren(QTranslator):
        application.removeTranslator(translator)
        translator.deleteLater()
    of_qt = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    for file, folder in ((f"qtbase_{name}", of_qt), (f"recorder_editor_{name}", str(resources.path("translations")))):
        translator = QTranslator(application)
        if translator.load(file, folder):
            application.installTranslator(translator)
    sentences.set_language(name)
    return is_shown
