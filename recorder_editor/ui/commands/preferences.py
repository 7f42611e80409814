"""File > Preferences: the one dialog of a window."""

from typing import Any

from ..panes import Services
from ..preferences import Preference


def show_preferences(services: Services, preference: Preference[Any] | None = None) -> None:
    """Open the dialog, or bring it to the front; at a preference where one is given."""
    # Loaded when somebody asks for it: the window starts without.
    from ..dialogs.preferences import PreferencesDialog

    window = services.window
    # A closed one is still a child until Qt's events delete it.
    opened = (dialog for dialog in window.findChildren(PreferencesDialog) if not dialog.isHidden())
    dialog = next(opened, None) or PreferencesDialog(services.settings, services.theme, services.actions, window)
    dialog.show()
    dialog.activateWindow()
    if preference is not None:
        dialog.show_preference(preference)
