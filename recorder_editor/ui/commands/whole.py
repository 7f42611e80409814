"""Recording: parts of it, another one behind it. Tools: edits as a script.

The dialogs are loaded when somebody asks for one: the window starts without them.
"""

from functools import partial

from ..actions import ActionSpec
from ..panes import Services


def script_actions(services: Services) -> list[ActionSpec]:
    """The actions of Tools that are about scripts."""
    session, tr = services.session, services.tr

    def is_edited() -> bool:
        return session.recording is not None and session.recording.history.position > 0

    def save() -> None:
        from ..dialogs.script import SaveScriptDialog

        SaveScriptDialog(session, services.theme, services.window).open_()

    def run() -> None:
        from ..dialogs.script import RunScriptDialog

        RunScriptDialog(session, services.theme, services.window).open_()

    script_action = partial(ActionSpec, menu="Tools", section="script")
    return [
        script_action(
            "tools.save_script",
            tr("Save as script..."),
            save,
            icon="save-as",
            tooltip=tr("Write the edits of History as a script for other recordings"),
            enabled=is_edited,
            needs=tr("There are no edits to save."),
            keywords=tr("history export steps"),
        ),
        script_action(
            "tools.run_script",
            tr("Run script..."),
            run,
            icon="play",
            tooltip=tr("Apply the edits of a script to this recording"),
            enabled=services.is_complete,
            keywords=tr("history import steps batch"),
        ),
    ]


def whole_actions(services: Services) -> list[ActionSpec]:
    """The actions of Recording that are about all of its frames."""
    session, tr = services.session, services.tr

    def has_frames() -> bool:
        return session.is_complete and session.frames > 0

    def split() -> None:
        from ..dialogs.split import SplitDialog

        SplitDialog(session, services.theme, services.window).open_()

    pieces_action = partial(
        ActionSpec, menu="Recording", enabled=has_frames, section="pieces", needs=services.no_frames
    )
    return [
        pieces_action(
            "recording.split",
            tr("Split..."),
            split,
            tooltip=tr("Write it as several files, each of which can be replayed"),
            keywords=tr("parts seconds size"),
        ),
        pieces_action(
            "recording.append",
            tr("Append recording..."),
            services.documents.ask_append,
            icon="add",
            tooltip=tr("Add another recording at the end of this one"),
            keywords=tr("join concatenate"),
        ),
    ]
