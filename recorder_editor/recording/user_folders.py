"""The folders of the user in which the program keeps its own files, as each operating system has them."""

import os
import sys
from pathlib import Path

STATE = "RECORDER_EDITOR_STATE_DIR"
"""The variable that names one folder for all of them."""

_NAME = "recorder-editor"


def usual_state_folder() -> Path:
    """RECORDER_EDITOR_STATE_DIR if set, else the state folder of the operating system."""
    return _folder("Library/Application Support", "XDG_STATE_HOME", ".local/state")


def config_folder() -> Path:
    """RECORDER_EDITOR_STATE_DIR if set, else the folder of the preferences, that of Qt's GenericConfigLocation."""
    return _folder("Library/Preferences", "XDG_CONFIG_HOME", ".config")


def _folder(macos: str, variable: str, linux: str) -> Path:
    """The folder of the program in one of the operating system; that of Windows is the same for all.

    Args:
        macos: The folder on macOS, in the user's own.
        variable: The variable that names the folder elsewhere.
        linux: The folder elsewhere where that is not set.
    """
    chosen = os.environ.get(STATE)
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / macos
    else:
        base = Path(os.environ.get(variable) or Path.home() / linux)
    return base / _NAME
