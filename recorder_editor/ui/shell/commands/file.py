"""File: recordings as files, what is made of them, and the program itself."""

from dataclasses import replace
from pathlib import Path
from typing import get_args

from PySide6.QtGui import QAction

from ....texts import N_, say
from ...session import Session
from ...session.preferences import IDS, KEEPS_BACKUP, ROADS, THRESHOLDS, AnyPreference
from ...style.look import PALETTES
from ..action import RECORDING, Action, Condition, Switch
from ..pane_list import SCENE, SIGNALS, TIMELINE
from ..panes import Services


def open_window(services: Services) -> None:
    """Ask for an empty window."""
    services.documents.window_asked.emit("")


def show_library(services: Services) -> None:
    """Show the Library; what is open stays open."""
    services.documents.library_asked.emit()


def keep_backup(services: Services, on: bool) -> None:
    """Keep the file that is replaced when a recording is saved, or do not."""
    services.settings[KEEPS_BACKUP] = on


def export(services: Services) -> None:
    """Ask what is written for other programs; the signals that are plotted are proposed."""
    from ...dialogs.export import ExportDialog

    signals = services.panes.if_made(SIGNALS)
    plotted = signals.model.exported() if signals is not None else ()
    ExportDialog(services.session, services.theme, services.window, plotted).open_()


def export_video(services: Services) -> None:
    """Ask what is written as a video; it looks as the window does unless something else is chosen."""
    from ....formats.video import VideoOptions
    from ...dialogs.video import VideoDialog
    from ...panes.scene.coloring import FrameColorBy
    from ..film import WindowStudio
    from ..film_strips import PlottedSignals

    scene = services.panes.if_made(SCENE)
    theme = services.theme
    start = VideoOptions(labels=services.settings[IDS], roads=services.settings[ROADS])
    for mode, palette in PALETTES.items():
        if palette == theme.palette:
            start = replace(start, theme=mode)
    if scene is not None and scene.view.color_by in get_args(FrameColorBy):
        start = replace(start, color=scene.view.color_by)
    timeline = services.panes.if_made(TIMELINE)
    plots = services.panes.if_made(SIGNALS)
    signals = None
    if plots is not None and plots.shown:
        signals = PlottedSignals.of(plots.shown, plots.plot_view.scales)
    studio = WindowStudio(
        services.session,
        theme,
        scene=scene.view if scene is not None else None,
        timeline=timeline.canvas if timeline is not None else None,
        signals=signals,
    )
    VideoDialog(services.session, theme, studio, start, services.window).open_()


def export_picture(services: Services) -> None:
    """Ask what is written as a picture: at first what the scene shows, or the signals where they have the keyboard."""
    from ....formats.picture import PictureOptions
    from ...dialogs.picture import PictureDialog
    from ..figure import WindowFigures

    scene = services.panes.if_made(SCENE)
    signals = services.panes.if_made(SIGNALS)
    session = services.session
    figures = WindowFigures(
        session=session,
        theme=services.theme,
        scene=scene.view if scene is not None else None,
        traces=signals.shown if signals is not None else (),
    )
    start = PictureOptions(
        at=(f"f{session.selection.frame_index + 1}",),
        actors=tuple(str(actor) for actor in session.selection.actors),
        area=figures.shown_area(),
        labels=services.settings[IDS],
        roads=services.settings[ROADS],
    )
    dialog = PictureDialog(
        session, services.theme, figures, start, services.window, of_signals=services.panes.has_focus(SIGNALS)
    )
    dialog.open_()


def show_properties(services: Services) -> None:
    """Show the details of the recording."""
    from ...dialogs.properties import PropertiesDialog

    PropertiesDialog(services.session, services.theme, services.window).open_()


def import_trajectories(services: Services, source: Path | None = None) -> None:
    """Ask what a file of trajectories means, and for the file where none is given; open what is made of it."""
    from ...dialogs.import_trajectories import ImportDialog, PreviewScene
    from ...panes.scene.scene_view import SceneView

    theme = services.theme

    def make_scene(session: Session) -> PreviewScene:
        view = SceneView(session, theme)
        view.set_color_by("class")
        view.set_ids_mode("all")
        return PreviewScene(view, view.fit)

    dialog = ImportDialog(services.session, theme, make_scene, folder=services.documents.folder, parent=services.window)
    dialog.written.connect(lambda path: services.documents.open(path))
    if source is not None:
        dialog.set_file(source)
    dialog.open_()


def import_highd(services: Services) -> None:
    """Ask for a highD dataset, and open the recording that is made of it."""
    from ...dialogs.highd import HighdDialog

    dialog = HighdDialog(services.session, services.theme, services.window)
    dialog.written.connect(lambda path: services.documents.open(path))
    dialog.open_()


def show_preferences(services: Services, preference: AnyPreference | None = None) -> None:
    """Open the dialog of preferences, or bring it to the front; at a preference where one is given."""
    from ...dialogs.preferences import PreferencesDialog

    window = services.window
    # A closed one is still a child until Qt's events delete it.
    opened = (dialog for dialog in window.findChildren(PreferencesDialog) if not dialog.isHidden())
    dialog = next(opened, None)
    if dialog is None:
        dialog = PreferencesDialog(services.settings, services.theme, services.actions, window)
    dialog.show()
    dialog.activateWindow()
    if preference is not None:
        dialog.show_preference(preference)


def show_thresholds(services: Services) -> None:
    """Open the dialog of preferences at the limits from which something is a traffic event."""
    show_preferences(services, THRESHOLDS[0])


def _not_idle_reason(services: Services) -> str:
    """Why the file cannot be read or written now."""
    reason = services.not_ready_reason()
    if not reason and services.documents.is_busy:
        reason = say("A file is being read or written; wait until that is done.")
    return reason


def _not_savable_reason(services: Services) -> str:
    reason = _not_idle_reason(services)
    if not reason and not services.session.is_modified:
        reason = say("There are no unsaved edits.")
    return reason


def _is_comparing(services: Services) -> bool:
    return services.session.comparison.other is not None


COMPARING = Condition(_is_comparing, N_("No recording is compared with this one."))

ACTIONS = (
    Action(
        "file.new_window",
        open_window,
        text=N_("New window"),
        key="Ctrl+N",
        menu="File",
        tooltip=N_("Open an empty window"),
    ),
    Action(
        "file.open",
        lambda services: services.documents.ask_open(),
        text=N_("Open..."),
        key="Ctrl+O",
        icon="open",
        menu="File",
        tooltip=N_("Open a recording"),
    ),
    Action(
        "file.library",
        show_library,
        text=N_("Library"),
        icon="search",
        menu="File",
        tooltip=N_("Find recordings and traffic events of an indexed folder; the open recording stays open"),
        keywords=N_("index catalogue folder start page"),
    ),
    Action(
        "file.reload",
        lambda services: services.documents.reload(),
        disabled_reason=_not_idle_reason,
        text=N_("Reload"),
        key="F5",
        menu="File",
        section="more",
        tooltip=N_("Read the file again"),
    ),
    Action(
        "file.restore",
        lambda services: services.recovery.ask_or_say(),
        disabled_reason=lambda services: services.recovery.disabled_reason(),
        text=N_("Restore unsaved edits..."),
        icon="history",
        menu="File",
        section="more",
        tooltip=N_("Edits that were not saved when the program ended: restore or discard them"),
        keywords=N_("crash recover journal restore"),
    ),
    Action(
        "file.close",
        lambda services: services.documents.close(),
        needs=RECORDING,
        text=N_("Close recording"),
        key="Ctrl+W",
        menu="File",
        section="more",
        tooltip=N_("Close the recording and show the start page; asks about unsaved edits"),
    ),
    Action(
        "file.save",
        lambda services: services.documents.save(),
        disabled_reason=_not_savable_reason,
        text=N_("Save"),
        key="Ctrl+S",
        icon="save",
        menu="File",
        section="save",
        tooltip=N_("Write the edits to the file"),
    ),
    Action(
        "file.save_as",
        lambda services: services.documents.ask_save_as(),
        disabled_reason=_not_idle_reason,
        text=N_("Save as..."),
        key="Ctrl+Shift+S",
        icon="save-as",
        menu="File",
        section="save",
        tooltip=N_("Write the recording under another name"),
    ),
    Switch(
        "file.backup",
        keep_backup,
        checked=lambda services: services.settings[KEEPS_BACKUP],
        text=N_("Keep a backup when saving"),
        menu="File",
        section="save",
        tooltip=N_("Keep the replaced file as NAME.bak; an earlier backup is overwritten"),
        keywords=N_("bak copy"),
    ),
    Action(
        "file.export",
        export,
        disabled_reason=_not_idle_reason,
        text=N_("Export..."),
        key="Ctrl+E",
        icon="export",
        menu="File",
        section="compare",
        tooltip=N_("Write tables or trajectories for other programs"),
        keywords=N_("csv parquet json lines xosc openscenario l1 ttc drac analysis traffic"),
    ),
    Action(
        "file.video",
        export_video,
        disabled_reason=_not_idle_reason,
        text=N_("Export video..."),
        icon="play",
        menu="File",
        section="compare",
        tooltip=N_("Write the scene of some frames as MP4, WebM, GIF or pictures"),
        keywords=N_("mp4 webm gif png movie film animation"),
    ),
    Action(
        "file.picture",
        export_picture,
        disabled_reason=_not_idle_reason,
        text=N_("Export picture..."),
        menu="File",
        section="compare",
        tooltip=N_("Write the scene or the signals as SVG, PDF or PNG, for a paper"),
        keywords=N_("save image svg pdf png print figure scene signals screenshot"),
    ),
    Action(
        "file.properties",
        show_properties,
        needs=RECORDING,
        text=N_("Properties..."),
        key="Alt+Return",
        icon="info",
        menu="File",
        section="compare",
        tooltip=N_("Details of the recording, and its size by packet type"),
        keywords=N_("statistics size"),
    ),
    Action(
        "file.compare",
        lambda services: services.documents.ask_compare(),
        disabled_reason=_not_idle_reason,
        text=N_("Compare with..."),
        icon="compare",
        menu="File",
        section="compare",
        tooltip=N_("Open another recording and list the differences"),
    ),
    Action(
        "compare.stop",
        lambda services: services.session.comparison.stop(),
        needs=COMPARING,
        text=N_("Stop comparing"),
        icon="close",
        menu="File",
        section="compare",
        tooltip=N_("Close the other recording"),
    ),
    Action(
        "file.import",
        import_trajectories,
        text=N_("Import..."),
        icon="import",
        menu="File",
        section="demo",
        tooltip=N_("Make a recording of trajectories of another program and open it"),
        keywords=N_("csv parquet tracks ind round exid unid table"),
    ),
    Action(
        "file.import_highd",
        import_highd,
        text=N_("Import highD..."),
        menu="File",
        section="demo",
        tooltip=N_("Make a recording of a highD dataset and open it"),
        keywords=N_("csv tracks drone motorway"),
    ),
    Action(
        "file.demo",
        lambda services: services.documents.ask_demo(),
        text=N_("Make a demo recording..."),
        icon="record",
        menu="File",
        section="demo",
        tooltip=N_("Write a recording of a small generated town and open it"),
    ),
    Action(
        "file.preferences",
        show_preferences,
        text=N_("Preferences..."),
        key="Ctrl+,",
        menu="File",
        section="preferences",
        role=QAction.MenuRole.PreferencesRole,
        tooltip=N_("Units, theme, text size and other choices"),
        keywords=N_("settings options configuration"),
    ),
    Action(
        "file.event_thresholds",
        show_thresholds,
        text=N_("Thresholds of traffic events..."),
        menu="File",
        section="preferences",
        tooltip=N_("From when on something is a near miss, hard braking and other events"),
        keywords=N_("near miss settings limits preferences"),
    ),
    Action(
        "file.quit",
        lambda services: services.window.close(),
        text=N_("Quit"),
        key="Ctrl+Q",
        menu="File",
        section="quit",
        role=QAction.MenuRole.QuitRole,
        tooltip=N_("Close this window; asks about unsaved edits"),
    ),
)
