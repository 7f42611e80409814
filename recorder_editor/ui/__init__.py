"""The window: the only package that imports PySide6 and pyqtgraph. It must not know the command line.

For example:

    from recorder_editor import ui

    window = ui.create_window("town.log")
    window.session.selection.go_to_frame(330)
"""

import builtins
import gc
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .app import NoPicture as NoPicture
    from .app import create_window as create_window
    from .app import run as run
    from .app import screenshot as screenshot

__all__ = ["NoPicture", "create_window", "run", "screenshot"]


def __getattr__(name: str) -> object:
    # The parts of the window are modules of this package: naming one of them must not load all the others.
    if name in __all__:
        # Loading modules leaves no garbage, and to look for it takes a tenth of the time to the first picture.
        collects = gc.isenabled()
        gc.disable()
        try:
            import_module("PySide6.QtCore")
            _import_without_features()
            from . import app
        finally:
            if collects:
                gc.freeze()  # else the next collection looks through all of them
                gc.enable()
        return getattr(app, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _import_without_features() -> None:
    """Import modules as before PySide, without its search for `from __feature__ import snake_case`.

    PySide reads the source of each module that is imported after it, all libraries included, and keeps it in memory. No
    module here has such a line, and the search takes a tenth of the time to the first picture.
    """
    original = getattr(builtins, "__orig_import__", None)
    if original is not None and builtins.__import__ is getattr(builtins, "__feature_import__", None):
        builtins.__import__ = original
