"""Recording: parts of it, another one behind it. Tools: edits as a script.

The dialogs are loaded when somebody asks for one: the window starts without them.
"""

from ..actions import ActionSpec
from ..panes import Services


def script_actions(services: Services) -> list[ActionSpec]:
    """The actions of Tools that are about scripts."""
    session = services.session

    def is_edited() -> bool:
        return session.recording is not None and session.recording.history.position > 0

    def save() -> None:
        from ..dialogs.script import SaveScriptDialog

        SaveScriptDialog(session, services.theme, services.window).open_()

    def run() -> None:
        from ..dialogs.script import RunScriptDialog

        RunScriptDialog(session, services.theme, services.window).open_()

    action = services.action
    return [action("tools.save_script", save, enabled=is_edited), action("tools.run_script", run)]


def whole_actions(services: Services) -> list[ActionSpec]:
    """The actions of Recording that are about all of its frames."""
    session = services.session

    def has_frames() -> bool:
        return session.is_complete and session.frames > 0

    def split() -> None:
        from ..dialogs.split import SplitDialog

        SplitDialog(session, services.theme, services.window).open_()

    action = services.action
    return [
        action("recording.split", split, enabled=has_frames),
        action("recording.append", services.documents.ask_append, enabled=has_frames),
    ]
