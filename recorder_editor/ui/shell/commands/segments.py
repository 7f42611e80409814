"""Recording: its segments, and the files that are written of them."""

from typing import TYPE_CHECKING

import recorder_editor as library

from ....progress import Progress
from ....recording import Edit, Snapshot
from ....texts import N_, say
from ...widgets.file_dialogs import LISTS, ask_file, ask_open
from ..action import COMPLETE, RANGE, Action, Condition
from ..pane_list import TRIM
from ..panes import Services

if TYPE_CHECKING:
    from ...panes.trim.trim_pane import TrimPane


def shown_trim_pane(services: Services) -> "TrimPane":
    """Return the Trim pane, in sight: it shows what is written, how far that is and what came of it."""
    pane = services.panes.if_made(TRIM)
    if pane is None or not pane.isVisible():
        services.panes.set_preset("trim")
    return services.panes.get(TRIM)


def ask_split(services: Services) -> None:
    """Ask how the recording is written as several files."""
    _ask_split(services, by_segments=False)


def write_all(services: Services) -> None:
    """Ask where each segment that is on is written to a file of its own."""
    _ask_split(services, by_segments=True)


def _ask_split(services: Services, *, by_segments: bool) -> None:
    from ...dialogs.split import SplitDialog

    SplitDialog(services.session, services.theme, services.window, segments=by_segments).open_()


def split(services: Services) -> None:
    """Make two segments of the one that the current frame is in."""
    services.session.segments.split(services.session.selection.frame_index)


def add_range(services: Services) -> None:
    """Add a segment with the frames of the range."""
    services.session.segments.add(services.session.range.frames)


def cut(services: Services) -> None:
    """Remove the frames of the segments that are on."""
    ranges = services.session.segments.chosen

    def work(snapshot: Snapshot, progress: Progress) -> Edit:
        return library.edits.segments.cut_out(snapshot, ranges, progress=progress)

    services.session.editing.attempt_later(say("Cutting out frames"), work)


def import_list(services: Services) -> None:
    """Ask for a file with segments, and add these."""
    read = services.session.segments.read
    ask_open(services.window, title=say("Import list"), folder=services.documents.folder, then=read, kinds=LISTS)


def export_list(services: Services) -> None:
    """Ask for the file that the segments are written to."""
    ask_file(
        services.window,
        services.session,
        title=say("Export list"),
        name=str(services.documents.folder / "segments.csv"),
        write=services.session.segments.write,
        kinds="CSV (*.csv);;JSON (*.json)",
    )


def _none_on_reason(services: Services) -> str:
    reason = services.not_ready_reason()
    if not reason and not services.session.segments.chosen:
        reason = say("No segment is on.")
    return reason


def _has_segments(services: Services) -> bool:
    return bool(services.session.segments.items)


SEGMENTS = Condition(_has_segments, N_("There are no segments."))

ACTIONS = (
    Action(
        "segments.split",
        split,
        needs=COMPLETE,
        text=N_("Split at playhead"),
        key="S",
        icon="split",
        menu="Recording/Segments",
        yields_to_panes=True,
        tooltip=N_("Make two segments of the one that the current frame is in"),
        keywords=N_("cut blade divide"),
    ),
    Action(
        "segments.add",
        add_range,
        needs=RANGE,
        text=N_("Add range as segment"),
        icon="add",
        menu="Recording/Segments",
        tooltip=N_("Add a segment with the frames of the range"),
    ),
    Action(
        "segments.write",
        write_all,
        disabled_reason=_none_on_reason,
        text=N_("Write all..."),
        icon="save-as",
        menu="Recording/Segments",
        section="made",
        tooltip=N_("Write each segment that is on to a file of its own"),
        keywords=N_("save export files parts"),
    ),
    Action(
        "segments.join",
        lambda services: shown_trim_pane(services).ask_join(),
        disabled_reason=_none_on_reason,
        text=N_("Join into one..."),
        icon="join",
        menu="Recording/Segments",
        section="made",
        tooltip=N_("Write the segments that are on to one file, one after another"),
        keywords=N_("concatenate save"),
    ),
    Action(
        "segments.cut",
        cut,
        disabled_reason=_none_on_reason,
        text=N_("Cut out segments"),
        icon="cut",
        menu="Recording/Segments",
        section="made",
        tooltip=N_("Remove the frames of the segments that are on"),
        keywords=N_("remove delete"),
    ),
    Action(
        "segments.import",
        import_list,
        needs=COMPLETE,
        text=N_("Import list..."),
        icon="import",
        menu="Recording/Segments",
        section="list",
        tooltip=N_("Add the segments of a CSV or JSON file"),
        keywords=N_("open csv json"),
    ),
    Action(
        "segments.export",
        export_list,
        needs=SEGMENTS,
        text=N_("Export list..."),
        icon="export",
        menu="Recording/Segments",
        section="list",
        tooltip=N_("Write the list of segments as CSV or JSON"),
        keywords=N_("save csv json"),
    ),
)
