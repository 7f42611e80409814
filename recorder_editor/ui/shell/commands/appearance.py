"""View: colours, language, size of the text, and where the keyboard is."""

from PySide6.QtCore import Qt

from ....texts import ENGLISH, LANGUAGES, N_
from ...session.preferences import LANGUAGE, TEXT_SIZE_PIXELS, THEME
from ...style.language import native_name
from ...style.theme import Mode
from ..action import Action, Choice, Switch
from ..panes import Services


def _theme(mode: Mode, *, text: str, tooltip: str, keywords: str) -> Choice:
    def choose(services: Services) -> None:
        services.settings[THEME] = mode
        services.theme.set_mode(mode)
        services.actions.refresh()

    def is_chosen(services: Services) -> bool:
        return services.theme.mode == mode

    return Choice(
        f"view.theme_{mode}",
        choose,
        checked=is_chosen,
        text=text,
        menu="View/Theme",
        section="modes",
        tooltip=tooltip,
        keywords=keywords,
    )


THEMES = (
    _theme("system", text=N_("System"), tooltip=N_("Follow the desktop"), keywords=N_("theme colours dark light")),
    _theme("light", text=N_("Light"), tooltip=N_("Dark on light"), keywords=N_("theme colours dark light")),
    _theme("dark", text=N_("Dark"), tooltip=N_("Light on dark"), keywords=N_("theme colours dark light")),
    _theme(
        "contrast_light",
        text=N_("High contrast, light"),
        tooltip=N_("Black on white, with edges that stand out"),
        keywords=N_("theme colours accessibility"),
    ),
    _theme(
        "contrast_dark",
        text=N_("High contrast, dark"),
        tooltip=N_("White on black, with edges that stand out"),
        keywords=N_("theme colours accessibility"),
    ),
)


# --- languages ------------------------------------------------------------------------------------------

_LANGUAGE_TOOLTIPS = {
    ENGLISH: N_("Menus, panes and messages in English"),
    "zh_CN": N_("Menus, panes and messages in Simplified Chinese"),
}
_LANGUAGE_KEYWORDS = {"zh_CN": N_("language translation chinese zhongwen")}


def _language(name: str, *, text: str, tooltip: str, keywords: str) -> Choice:
    def choose(services: Services) -> None:
        services.settings[LANGUAGE] = name

    def is_chosen(services: Services) -> bool:
        return services.settings[LANGUAGE] == name

    return Choice(
        f"view.language_{name}",
        choose,
        checked=is_chosen,
        text=text,
        menu="View/Language",
        section="modes",
        tooltip=tooltip,
        keywords=keywords,
    )


def _spoken_language(name: str) -> Choice:
    """Declare a language by its own name for itself; it needs no entry in the tables above."""
    return _language(
        name,
        text=native_name(name),
        tooltip=_LANGUAGE_TOOLTIPS.get(name, N_("Menus, panes and messages in this language")),
        keywords=_LANGUAGE_KEYWORDS.get(name, N_("language translation")),
    )


SPOKEN = (
    _language(
        "system",
        text=N_("System"),
        tooltip=N_("The language of the desktop, where the program speaks it"),
        keywords=N_("language translation"),
    ),
    *(_spoken_language(name) for name in LANGUAGES),
)


# --- size and keyboard ----------------------------------------------------------------------------------


def _grow(services: Services, pixels: int) -> None:
    services.theme.set_text_size(services.theme.text_size + pixels)
    services.settings[TEXT_SIZE_PIXELS] = services.theme.text_size


def show_full_screen(services: Services, on: bool) -> None:
    """Show the window on the whole screen, or as it was before."""
    full = Qt.WindowState.WindowFullScreen
    state = services.window.windowState()
    services.window.setWindowState(state | full if on else state & ~full)


ACTIONS = (
    *THEMES,
    *SPOKEN,
    Action(
        "view.larger",
        lambda services: _grow(services, 1),
        text=N_("Larger text"),
        key="Ctrl++; Ctrl+=",
        menu="View",
        section="look",
        tooltip=N_("Increase the size of text and controls by one pixel"),
    ),
    Action(
        "view.smaller",
        lambda services: _grow(services, -1),
        text=N_("Smaller text"),
        key="Ctrl+-",
        menu="View",
        section="look",
        tooltip=N_("Decrease the size of text and controls by one pixel"),
    ),
    Action(
        "view.next_pane",
        lambda services: services.panes.focus_next(1),
        text=N_("Next pane"),
        key="F6",
        menu="View",
        section="look",
        tooltip=N_("Move the keyboard to the next pane"),
    ),
    Action(
        "view.previous_pane",
        lambda services: services.panes.focus_next(-1),
        text=N_("Previous pane"),
        key="Shift+F6",
        menu="View",
        section="look",
        tooltip=N_("Move the keyboard to the previous pane"),
    ),
    Switch(
        "view.full_screen",
        show_full_screen,
        checked=lambda services: services.window.isFullScreen(),
        text=N_("Full screen"),
        key="F11",
        menu="View",
        section="look",
        tooltip=N_("Show the window on the whole screen"),
    ),
)
