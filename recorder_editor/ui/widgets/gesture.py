"""How a pane declares what it handles itself of the keyboard and the mouse, beside the code that does.

Rows of hints and the table of keys are made of these declarations, and of those of the registry of actions.
"""

from collections.abc import Collection
from typing import NamedTuple

from PySide6.QtCore import Qt

_MODIFIERS = {
    "Shift": Qt.KeyboardModifier.ShiftModifier,
    "Ctrl": Qt.KeyboardModifier.ControlModifier,
    "Alt": Qt.KeyboardModifier.AltModifier,
}


class Gesture(NamedTuple):
    """A key, or something done with the mouse. Its texts are English, and marked by `N_`.

    Attributes:
        keys: What is pressed or done, as in `Shift+drag`; of several that do the same in turn all, as in `F2, Enter`.
        action: What it does, for the table of keys; empty: the table leaves it out.
        where: The panes that handle it.
        hint: What it does in a few words, for a row of hints; may name values in braces; empty: no row has it.
    """

    keys: str
    action: str
    where: str
    hint: str = ""

    @property
    def modifiers(self) -> Qt.KeyboardModifier:
        """The modifiers that are held for it."""
        return modifiers_in(self.keys.split("+"))


def modifiers_in(keys: Collection[str]) -> Qt.KeyboardModifier:
    """Return the modifiers among the names of keys, as in `Ctrl`, `Shift`, `P`."""
    held = Qt.KeyboardModifier.NoModifier
    for name, modifier in _MODIFIERS.items():
        if name in keys:
            held |= modifier
    return held
