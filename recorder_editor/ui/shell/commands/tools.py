"""Tools: what looks at the recording, what changes many records, problems, scripts."""

from pathlib import Path

from ....progress import Progress
from ....recording.history import History
from ....texts import N_, say, say_count
from ...widgets.file_dialogs import PAGES, ask_save, refuse_completed
from ..action import COMPLETE, RECORDING, Action, Condition, Switch, in_pane, on_pane, turn_on_pane
from ..pane_list import BYTES, PROBLEMS
from ..panes import Services
from . import damage


def replace(services: Services) -> None:
    """Show Find and replace beside the window."""
    from ...dialogs.replace import ReplaceDialog

    ReplaceDialog(services.session, services.theme, services.window).show()


def show_problems(services: Services) -> None:
    """Show the problems; a layout without them gives way to the one for repair."""
    if not services.panes.is_open(PROBLEMS.name):
        services.panes.set_preset("repair")
    services.panes.focus(PROBLEMS.name)


def show_reports(services: Services) -> None:
    """Show the reports of the simulator beside the window."""
    from ...dialogs.reports import ReportsDialog

    ReportsDialog(services.session, services.theme, services.window).show()


def write_report(services: Services) -> None:
    """Ask for the file of a report on this recording, and write it as a job."""
    from ....views.html_report import Source, require_libraries
    from ....views.html_report import write_report as write

    session = services.session
    recording = session.recording
    if recording is None or not session.attempt(require_libraries):
        return
    source = Source(recording.path, recording.snapshot, edits=names_of_edits(recording.history))

    def start(chosen: Path) -> None:
        path = chosen
        if not chosen.suffix:
            path = chosen.with_suffix(PAGE_SUFFIX)
        if not session.attempt(lambda: refuse_completed(str(chosen), path)):
            return

        def work(progress: Progress) -> Path:
            write(path, [source], overwrite=True, progress=progress)
            return path

        def failed(error: Exception) -> None:
            services.documents.tell(say("{name} was not written", name=path.name), error)

        session.jobs.start(say("Writing {name}", name=path.name), work, session.written.emit, failed)

    place = recording.path.with_suffix(PAGE_SUFFIX)
    ask_save(services.window, say("Write a report"), place, start, PAGES)


def names_of_edits(history: History) -> list[str]:
    """Return the names of the edits that are applied, oldest first."""
    names = []
    if history.dropped:
        names.append(say_count("1 earlier edit", "{count:,} earlier edits", count=history.dropped))
    names.extend(step.label for step in history.steps[: history.position])
    return names


def save_script(services: Services) -> None:
    """Ask for the file that the edits are written to as a script."""
    from ...dialogs.script import SaveScriptDialog

    SaveScriptDialog(services.session, services.theme, services.window).open_()


def run_script(services: Services) -> None:
    """Ask for a script, and apply its edits."""
    from ...dialogs.script import RunScriptDialog

    RunScriptDialog(services.session, services.theme, services.window).open_()


PAGE_SUFFIX = ".html"
NO_FIX = N_("In Problems, select a problem that has a fix first.")
FIX = Condition(in_pane(PROBLEMS, lambda pane: pane.can_fix()), NO_FIX)
FIXES = Condition(in_pane(PROBLEMS, lambda pane: pane.can_fix_all()), NO_FIX)
EDITS = Condition(lambda services: services.session.has_edits(), N_("There are no edits to save."))

ACTIONS = (
    Action(
        "edit.replace",
        replace,
        needs=COMPLETE,
        text=N_("Find and replace..."),
        key="Ctrl+H",
        menu="Edit",
        section="find",
        tooltip=N_("Change fields of all records that meet a condition"),
        keywords=N_("expression where set condition"),
    ),
    Action(
        "tools.repair",
        lambda services: services.panes.set_preset("repair"),
        needs=RECORDING,
        text=N_("Repair"),
        icon="repair",
        menu="Tools",
        tooltip=N_("Show the damage, and what can be recovered"),
    ),
    Action(
        "tools.checks",
        show_problems,
        needs=RECORDING,
        text=N_("Checks"),
        icon="checks",
        menu="Tools",
        tooltip=N_("Problems of this recording"),
        keywords=N_("problems"),
    ),
    Action(
        "tools.reports",
        show_reports,
        needs=COMPLETE,
        text=N_("Reports..."),
        key="Ctrl+R",
        icon="file",
        menu="Tools",
        section="reports",
        tooltip=N_("The reports of the simulator about this recording"),
        keywords=N_("file info collisions blocked"),
    ),
    Action(
        "tools.report",
        write_report,
        needs=COMPLETE,
        text=N_("Report..."),
        icon="file",
        menu="Tools",
        section="reports",
        tooltip=N_("Write a page for a browser: state, map, charts, collisions, risks, checks, edits and notes"),
        keywords=N_("html page print share export"),
    ),
    Action(
        "tools.values",
        on_pane(BYTES, lambda pane: pane.toggle_values(), opens=True),
        needs=RECORDING,
        text=N_("Data inspector"),
        icon="bytes",
        menu="Tools",
        section="bytes",
        tooltip=N_("The bytes at the caret as each data type"),
    ),
    Switch(
        "tools.insert",
        turn_on_pane(BYTES, lambda pane, on: pane.set_inserting(on)),
        checked=in_pane(BYTES, lambda pane: pane.is_inserting),
        needs=COMPLETE,
        text=N_("Insert mode"),
        key="Ins",
        menu="Tools",
        section="bytes",
        where=(BYTES,),
        tooltip=N_("Typing in Bytes inserts instead of overwriting"),
    ),
    Switch(
        "tools.raw",
        turn_on_pane(BYTES, lambda pane, on: pane.set_raw(on)),
        checked=in_pane(BYTES, lambda pane: pane.is_raw),
        needs=COMPLETE,
        text=N_("Raw mode"),
        menu="Tools",
        section="bytes",
        tooltip=N_("Sizes and counts are not adjusted when bytes are inserted or removed"),
    ),
    Action(
        "problem.fix",
        on_pane(PROBLEMS, lambda pane: pane.fix()),
        needs=FIX,
        text=N_("Fix problem"),
        icon="checks",
        menu="Tools",
        section="problem",
        tooltip=N_("Fix the current problem in one undo step"),
        keywords=N_("mend repair finding check"),
    ),
    Action(
        "problem.fix_all",
        on_pane(PROBLEMS, lambda pane: pane.fix_all()),
        needs=FIXES,
        text=N_("Fix all problems of this kind"),
        menu="Tools",
        section="problem",
        tooltip=N_("Fix all problems of this kind in one undo step"),
        keywords=N_("mend repair findings check"),
    ),
    *damage.ACTIONS,
    Action(
        "tools.save_script",
        save_script,
        needs=EDITS,
        text=N_("Save as script..."),
        icon="save-as",
        menu="Tools",
        section="script",
        tooltip=N_("Write the edits of History as a script for other recordings"),
        keywords=N_("history export steps"),
    ),
    Action(
        "tools.run_script",
        run_script,
        needs=COMPLETE,
        text=N_("Run script..."),
        icon="play",
        menu="Tools",
        section="script",
        tooltip=N_("Apply the edits of a script to this recording"),
        keywords=N_("history import steps batch"),
    ),
)
