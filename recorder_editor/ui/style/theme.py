"""The look of the program: palette, fonts and style of the application, light or dark, units.

One ``Theme`` belongs to the application and is passed to all that draws. It follows the desktop unless another mode is
set, and emits ``changed`` after palette, fonts or sizes are others. It must not know any pane.
"""

from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QIcon, QPalette, QStyleHints
from PySide6.QtWidgets import QApplication, QFileDialog, QHeaderView, QPushButton, QToolTip

from recorder_editor.texts import say
from recorder_editor.ui.style.boxes import room_for
from recorder_editor.ui.style.colors import CONTRAST_DARK, CONTRAST_LIGHT, DARK, LIGHT, Palette
from recorder_editor.ui.style.icons import Icons
from recorder_editor.ui.style.look import TEXT_SIZE, Look, allowed_size
from recorder_editor.ui.style.menu_style import Style, style_sheet
from recorder_editor.views.units import AS_STORED, Units

Mode = Literal["system", "light", "dark", "contrast_light", "contrast_dark"]

_TYPE_OF_FILE = 2  # the column of a file dialog
_TELLS_CONTRAST = hasattr(QStyleHints, "accessibility")  # since Qt 6.10


class Theme(QObject, Look):
    """The look of the program at this moment.

    Attributes:
        mode: Whether it follows the desktop, or is light or dark.

    Signals:
        changing(): Colours or fonts are about to be others: lists that hang over a window close.
        changed(): Any of them has another value; all that paints or lays out with them does so again.
    """

    changing = Signal()
    changed = Signal()

    def __init__(self, app: QApplication, mode: Mode = "system", text_size: int = TEXT_SIZE) -> None:
        """Take over the look of ``app`` at once; the theme becomes its child."""
        super().__init__(app)
        self._app = app
        self.mode: Mode = mode
        self.text_size = allowed_size(text_size)
        self.palette = LIGHT
        self.units = AS_STORED
        self._tell_desktop()
        self.palette = self._wanted()
        self._make_fonts()
        self.icons = Icons(self)
        self._style = Style(self)
        app.setStyle(self._style)
        app.setEffectEnabled(Qt.UIEffect.UI_General, False)  # menus and tooltips that fade in, on Windows
        self._apply()
        hints = app.styleHints()
        self._followed = [hints.colorSchemeChanged]
        if _TELLS_CONTRAST:
            self._followed.append(hints.accessibility().contrastPreferenceChanged)
        for signal in self._followed:
            signal.connect(self._follow)
        app.focusWindowChanged.connect(self._fit_file_dialog)

    def set_mode(self, mode: Mode) -> None:
        """Follow the desktop, or stay light or dark, perhaps in high contrast."""
        if mode != self.mode:
            self.mode = mode
            self._tell_desktop()
            self._follow()

    def set_text_size(self, pixels: int) -> None:
        """Make all text, and the lengths that hold text, larger or smaller (9 to 24, normally 12)."""
        if allowed_size(pixels) != self.text_size:
            self.text_size = allowed_size(pixels)
            self.renew_fonts()

    def renew_fonts(self) -> None:
        """Make the fonts anew, for the language of this moment."""
        self._close_lists()
        self._make_fonts()
        self._apply()
        self.changed.emit()

    def set_units(self, units: Units) -> None:
        """Show quantities in other units."""
        if units != self.units:
            self.units = units
            self.changed.emit()

    def release(self) -> None:
        """Stop following the desktop; the application keeps its look."""
        for signal in self._followed:
            signal.disconnect(self._follow)

    def _fit_file_dialog(self) -> None:
        """Fit Qt's own file dialog, which is shown where the system has none, to the screen and to the program.

        Its columns get room for sizes and dates, the names the rest; its buttons have no icons, as all others.
        """
        dialog = self._app.activeWindow()
        if not isinstance(dialog, QFileDialog):
            return
        for button in dialog.findChildren(QPushButton):
            button.setIcon(QIcon())
        if dialog.acceptMode() == QFileDialog.AcceptMode.AcceptSave:
            dialog.setLabelText(QFileDialog.DialogLabel.LookIn, say("Save in:"))
        room = room_for(dialog)
        if dialog.size() != dialog.size().boundedTo(room):
            dialog.resize(dialog.size().boundedTo(room))
            dialog.move(dialog.screen().availableGeometry().topLeft())
        header = dialog.findChild(QHeaderView)
        if header is not None and header.count() > _TYPE_OF_FILE:
            header.setStretchLastSection(False)
            header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
            header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
            header.setSectionHidden(_TYPE_OF_FILE, True)

    def _follow(self) -> None:
        wanted = self._wanted()
        if wanted != self.palette:
            self._close_lists()
            self.palette = wanted
            self._apply()
            self.changed.emit()

    def _close_lists(self) -> None:
        """Close menus and lists: the window is deaf while it gets its new look, and they would stay until then."""
        self.changing.emit()
        popup = self._app.activePopupWidget()
        while popup is not None and popup.close():
            popup = self._app.activePopupWidget()

    def _wanted(self) -> Palette:
        """Return the palette for the mode, and for what the desktop prefers."""
        hints = self._app.styleHints()
        is_dark = self.mode.endswith("dark")
        has_high_contrast = self.mode.startswith("contrast")
        if self.mode == "system":
            is_dark = hints.colorScheme() == Qt.ColorScheme.Dark
            if _TELLS_CONTRAST:
                preference = hints.accessibility().contrastPreference()
                has_high_contrast = preference == Qt.ContrastPreference.HighContrast
        if has_high_contrast:
            return CONTRAST_DARK if is_dark else CONTRAST_LIGHT
        return DARK if is_dark else LIGHT

    def _tell_desktop(self) -> None:
        # Title bars and the desktop's own dialogs follow the program this way.
        hints = self._app.styleHints()
        if self.mode == "system":
            hints.unsetColorScheme()
        elif self.mode.endswith("dark"):
            hints.setColorScheme(Qt.ColorScheme.Dark)
        else:
            hints.setColorScheme(Qt.ColorScheme.Light)

    def _apply(self) -> None:
        self._app.setFont(self.font)
        QToolTip.setFont(self.small)
        palette = application_palette(self.palette)
        self._app.setPalette(palette)
        QToolTip.setPalette(palette)
        # Where one sheet follows another, Qt polishes a widget once for itself and once for each of its ancestors
        # (`QStyleSheetStyle.repolish`); where it follows none, once when the sheet goes and once when it comes.
        self._app.setStyleSheet("")
        self._app.setStyleSheet(style_sheet(self, self.icons))


def application_palette(palette: Palette) -> QPalette:
    """Return the colours for Qt's own widgets."""
    roles = QPalette.ColorRole
    disabled = QPalette.ColorGroup.Disabled
    colors = {
        roles.Window: palette.window,
        roles.WindowText: palette.text,
        roles.Base: palette.field,
        roles.AlternateBase: palette.alternate,
        roles.Text: palette.text,
        roles.Button: palette.control,
        roles.ButtonText: palette.text,
        roles.BrightText: palette.on_selection,
        roles.ToolTipBase: palette.control,
        roles.ToolTipText: palette.text,
        roles.PlaceholderText: palette.muted,
        roles.Highlight: palette.selection,
        roles.HighlightedText: palette.on_selection,
        roles.Accent: palette.selection,
        roles.Link: palette.selection,
        roles.LinkVisited: palette.selection,
        roles.Light: palette.field,
        roles.Midlight: palette.hairline,
        roles.Mid: palette.edge,
        roles.Dark: palette.edge,
        roles.Shadow: palette.faint,
    }
    result = QPalette()
    for role, color in colors.items():
        result.setColor(QPalette.ColorGroup.All, role, color)
    for role in (roles.WindowText, roles.Text, roles.ButtonText, roles.PlaceholderText):
        result.setColor(disabled, role, palette.faint)
    result.setColor(disabled, roles.Highlight, palette.edge)
    result.setColor(disabled, roles.HighlightedText, palette.text)
    return result
