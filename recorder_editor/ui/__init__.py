"""The window: the only package that imports PySide6 and pyqtgraph. It must not know the command line.

For example:

    from recorder_editor import ui

    window = ui.create_window("town.log")
    window.session.selection.go_to_frame(330)
"""

import gc
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .app import create_window as create_window

__all__ = ["create_window"]


def __getattr__(name: str) -> Any:
    # The parts of the window are modules of this package: naming one of them must not load all the others.
    if name == "create_window":
        # Modules that are loaded leave no garbage: looking for it is a tenth of the time to the first picture.
        collects = gc.isenabled()
        gc.disable()
        try:
            from .app import create_window
        finally:
            if collects:
                gc.enable()
        return create_window
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
