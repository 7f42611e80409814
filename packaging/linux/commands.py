"""The verbs of the command line with their arguments, and their completions, which the program makes itself."""

import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT))

from recorder_editor import __version__  # noqa: E402 - the project is found a line above
from recorder_editor.cli import PROG  # noqa: E402 - as above
from recorder_editor.cli.completions.commands import Argument, Command, commands  # noqa: E402 - as above
from recorder_editor.cli.completions.shells import SHELLS  # noqa: E402 - as above
from recorder_editor.texts import LANGUAGES  # noqa: E402 - as above

__all__ = ["LANGUAGES", "PROG", "PROJECT", "SHELLS", "Argument", "Command", "__version__", "commands"]
