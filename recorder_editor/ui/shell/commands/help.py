"""Help: the guide, the keys, the tour and the samples, reports of problems."""

from PySide6.QtGui import QAction, QGuiApplication

from ....texts import N_, say
from ...session.preferences import KEYS
from ..action import Action
from ..panes import Services
from ..tour import Tour
from . import samples
from .file import show_preferences


def show_guide(services: Services, place: str) -> None:
    """Open the guide at a place: a page, and after `#` a heading."""
    from ...dialogs.guide import GuideWindow

    window = services.window.findChild(GuideWindow) or GuideWindow(services.theme, services.window)
    page, _, topic = place.partition("#")
    window.show()
    window.activateWindow()
    window.show_page(page, topic)


def explain(services: Services) -> None:
    """Open the guide at what the mouse points at, or at the pane that has the keyboard."""
    show_guide(services, services.panes.guide_place())


def show_keys(services: Services) -> None:
    """Show the table of keys."""
    show_preferences(services, KEYS)


def start_tour(services: Services) -> None:
    """Start the tour, in place of one that runs."""
    for running in services.window.findChildren(Tour):
        running.end()
    Tour(services)


def show_tour(services: Services) -> None:
    """Start the tour; without a recording, with a sample."""
    if services.session.snapshot is not None:
        start_tour(services)
        return
    samples.open_sample(services, samples.LOOK, lambda: start_tour(services))


def report_problem(services: Services) -> None:
    """Copy what a report of a problem needs."""
    from ...dialogs.about import problem_report

    QGuiApplication.clipboard().setText(problem_report(services.session))
    services.session.informed.emit(say("Copied versions and the last messages; paste them into your report."))


def show_about(services: Services) -> None:
    """Show the versions of the program and its libraries."""
    from ...dialogs.about import AboutDialog

    AboutDialog(services.theme, services.window).open_()


ACTIONS = (
    Action(
        "help.guide",
        explain,
        text=N_("Guide"),
        key="F1",
        icon="help",
        menu="Help",
        tooltip=N_("Open the guide at what the tooltip explains, or at the focused pane"),
        keywords=N_("manual documentation explain"),
    ),
    Action(
        "help.keys",
        show_keys,
        text=N_("Keyboard shortcuts"),
        key="Ctrl+F1",
        menu="Help",
        tooltip=N_("All keys of the window and its panes"),
        keywords=N_("shortcuts keyboard"),
    ),
    Action(
        "help.tour",
        show_tour,
        text=N_("Tour"),
        menu="Help",
        tooltip=N_("Seven notes that point at the parts of the window"),
        keywords=N_("introduction first steps tutorial learn"),
    ),
    *samples.ACTIONS,
    Action(
        "help.report",
        report_problem,
        text=N_("Report a problem"),
        menu="Help",
        section="about",
        tooltip=N_("Copy versions, details of the recording and the last messages"),
        keywords=N_("bug issue support log"),
    ),
    Action(
        "help.about",
        show_about,
        text=N_("About"),
        icon="info",
        menu="Help",
        section="about",
        role=QAction.MenuRole.AboutRole,
        tooltip=N_("Versions of the program and its libraries"),
    ),
)
