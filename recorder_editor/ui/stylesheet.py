"""The one style sheet: how Qt's own controls look, generated from a palette and a text size.

Tabs of docks are hidden here: ``DockTitle`` shows them. ``style`` adds what a sheet cannot say, and says why. The
sheet names classes of Qt and a few dynamic properties, no widget of a pane:

- ``primary="true"`` on a push button: the one filled button of a panel;
- ``large="true"`` on a push button: 28 high, for the foot of a panel;
- ``refused="true"`` on a line edit: its text cannot be stored;
- ``selected="true"`` on a line edit: its field is the selection;
- ``framed="true"`` on a tree, table or list: with an edge, as in a dialog;
- ``ground="window"`` on a list: on the ground of the window, not of editors and tables;
- ``ground="none"`` on the widget of a scroll area: on the ground of what the area is in.
"""

from PySide6.QtGui import QColor

from recorder_editor.ui.colors import Look


def style_sheet(look: Look) -> str:
    """The application's style sheet for the palette and the text size that ``look`` has now."""
    return "\n".join((_windows(look), _menus(look), _buttons(look), _fields(look), _views(look), _tabs(look)))


def _name(color: QColor) -> str:
    return color.name(QColor.NameFormat.HexRgb)


def _windows(look: Look) -> str:
    p = look.palette
    return f"""
QMainWindow, QDialog {{ background: {_name(p.window)}; }}
QMainWindow::separator {{ background: {_name(p.hairline)}; width: 1px; height: 1px; }}
QMainWindow::separator:hover {{ background: {_name(p.selection)}; }}
QSplitter::handle {{ background: {_name(p.hairline)}; }}
QSplitter::handle:hover, QSplitter::handle:pressed {{ background: {_name(p.selection)}; }}
QStatusBar {{
    background: {_name(p.window)}; color: {_name(p.muted)};
    border-top: 1px solid {_name(p.hairline)}; min-height: {look.px(24) - 1}px;
}}
QStatusBar::item {{ border: none; }}
QToolBar {{
    background: {_name(p.window)}; border: none; border-bottom: 1px solid {_name(p.hairline)};
    padding: 5px; spacing: 6px;
}}
QToolBar::separator {{ background: {_name(p.hairline)}; width: 1px; margin: 5px 2px; }}
QToolTip {{
    background: {_name(p.control)}; color: {_name(p.text)};
    border: 1px solid {_name(p.edge)}; padding: 1px; font-size: {look.text_size - 1}px;
}}
QGroupBox {{
    border: none; border-top: 1px solid {_name(p.hairline)}; margin-top: {look.px(10)}px;
    padding-top: {look.px(4)}px; font-weight: 600; font-size: {look.text_size - 1}px;
}}
QGroupBox::title {{
    subcontrol-origin: margin; subcontrol-position: top left; padding: 0 8px 0 0; color: {_name(p.text)};
}}
QProgressBar {{
    background: {_name(p.track)}; border: none; border-radius: 2px;
    min-height: 5px; max-height: 5px; color: transparent;
}}
QProgressBar::chunk {{ background: {_name(p.selection)}; border-radius: 2px; }}
QSlider {{ min-height: 20px; }}
QSlider::groove:horizontal {{ height: 4px; background: {_name(p.track)}; border-radius: 2px; }}
QSlider::sub-page:horizontal {{ background: {_name(p.muted)}; border-radius: 2px; }}
QSlider::handle:horizontal {{
    width: 10px; margin: -5px 0; border-radius: 3px;
    background: {_name(p.control)}; border: 1px solid {_name(p.faint)};
}}
QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus {{ border-color: {_name(p.selection)}; }}
QLabel {{ background: transparent; }}
QLabel:disabled, QCheckBox:disabled, QRadioButton:disabled {{ color: {_name(p.faint)}; }}
"""


def _menus(look: Look) -> str:
    p = look.palette
    return f"""
QMenuBar {{
    background: {_name(p.window)}; border: none; padding: 0 8px; spacing: 0;
    min-height: {look.px(24)}px; max-height: {look.px(24)}px;
}}
QMenuBar::item {{ background: transparent; padding: 0 8px; border-radius: 3px; }}
QMenuBar::item:selected, QMenuBar::item:pressed {{ background: {_name(p.hover)}; color: {_name(p.text)}; }}
QMenuBar::item:disabled {{ color: {_name(p.faint)}; }}
QMenu {{
    background: {_name(p.control)}; border: 1px solid {_name(p.edge)}; padding: 4px;
}}
QMenu::item {{
    padding: 0 20px 0 6px; height: {look.px(22)}px; border-radius: 3px; color: {_name(p.text)};
}}
QMenu::item:selected {{ background: {_name(p.hover)}; color: {_name(p.text)}; }}
QMenu::item:disabled {{ color: {_name(p.faint)}; background: transparent; }}
QMenu::icon {{ padding-left: 4px; }}
QMenu::separator {{ height: 1px; background: {_name(p.hairline)}; margin: 4px 6px; }}
"""


def _buttons(look: Look) -> str:
    p = look.palette
    inner = look.px(24) - 2
    return f"""
QPushButton {{
    background: {_name(p.control)}; color: {_name(p.text)}; border: 1px solid {_name(p.edge)};
    border-radius: 3px; padding: 0 12px; min-height: {inner}px; max-height: {inner}px; min-width: 48px;
}}
QPushButton:hover {{ border-color: {_name(p.faint)}; }}
QPushButton:focus {{ border: 2px solid {_name(p.selection)}; padding: 0 11px;
    min-height: {inner - 2}px; max-height: {inner - 2}px; }}
QPushButton:pressed, QPushButton:checked {{ background: {_name(p.control_down)}; }}
QPushButton:disabled {{ color: {_name(p.faint)}; background: {_name(p.window)}; border-color: {_name(p.hairline)}; }}
QPushButton[large="true"] {{ min-height: {inner + 4}px; max-height: {inner + 4}px; }}
QPushButton[large="true"]:focus {{ min-height: {inner + 2}px; max-height: {inner + 2}px; }}
QPushButton:default, QPushButton[primary="true"] {{
    background: {_name(p.selection)}; color: {_name(p.on_selection)};
    border-color: {_name(p.selection)}; font-weight: 600;
}}
QPushButton:default:hover, QPushButton[primary="true"]:hover,
QPushButton:default:pressed, QPushButton[primary="true"]:pressed {{
    background: {_name(p.selection_down)}; border-color: {_name(p.selection_down)};
}}
QPushButton:default:focus, QPushButton[primary="true"]:focus {{
    border-color: {_name(p.selection_down)};
}}
QPushButton:default:disabled, QPushButton[primary="true"]:disabled {{
    background: {_name(p.track)}; border-color: {_name(p.track)}; color: {_name(p.muted)};
}}
"""


def _fields(look: Look) -> str:
    p = look.palette
    inner = look.px(24) - 2
    return f"""
QLineEdit, QPlainTextEdit, QTextEdit {{
    background: {_name(p.field)}; color: {_name(p.text)}; border: 1px solid {_name(p.edge)}; border-radius: 3px;
    selection-background-color: {_name(p.selection)}; selection-color: {_name(p.on_selection)};
}}
QLineEdit {{ padding: 0 5px; min-height: {inner}px; max-height: {inner}px; }}
QPlainTextEdit, QTextEdit {{ padding: 2px 4px; }}
QLineEdit:hover {{ border-color: {_name(p.faint)}; }}
QLineEdit:focus, QLineEdit[selected="true"] {{
    border: 2px solid {_name(p.selection)}; padding: 0 4px;
    min-height: {inner - 2}px; max-height: {inner - 2}px;
}}
QPlainTextEdit:focus, QTextEdit:focus {{ border: 2px solid {_name(p.selection)}; padding: 1px 3px; }}
QLineEdit[refused="true"], QLineEdit[refused="true"]:focus {{
    border: 2px solid {_name(p.error)}; padding: 0 4px;
    min-height: {inner - 2}px; max-height: {inner - 2}px;
}}
QLineEdit:disabled, QPlainTextEdit:disabled, QTextEdit:disabled {{
    background: {_name(p.window)}; color: {_name(p.faint)}; border-color: {_name(p.hairline)};
}}
QLineEdit:read-only {{ background: {_name(p.window)}; border-color: {_name(p.hairline)}; }}
QAbstractSpinBox QLineEdit, QComboBox QLineEdit,
QAbstractSpinBox QLineEdit:focus, QComboBox QLineEdit:focus {{
    border: none; padding: 0; background: transparent; min-height: 0; max-height: 1000px;
}}
QAbstractItemView QLineEdit {{ border-radius: 0; padding: 0 2px; min-height: 0; max-height: 1000px; }}
QAbstractItemView QLineEdit:focus {{ padding: 0 1px; min-height: 0; max-height: 1000px; }}
QCalendarWidget QWidget#qt_calendar_navigationbar {{ background: {_name(p.window)}; }}
QCalendarWidget QSpinBox {{ background: {_name(p.field)}; }}
QComboBox QAbstractItemView {{
    background: {_name(p.control)}; border: 1px solid {_name(p.edge)}; padding: 4px; outline: 0;
    selection-background-color: {_name(p.hover)}; selection-color: {_name(p.text)};
}}
"""


def _views(look: Look) -> str:
    p = look.palette
    return f"""
QTreeView, QTableView, QListView {{
    background: {_name(p.field)}; color: {_name(p.text)}; border: none; outline: 0;
    alternate-background-color: {_name(p.alternate)}; gridline-color: {_name(p.hairline)};
    selection-background-color: {_name(p.selection)}; selection-color: {_name(p.on_selection)};
}}
QTreeView[framed="true"], QTableView[framed="true"], QListView[framed="true"] {{
    border: 1px solid {_name(p.edge)}; border-radius: 3px;
}}
QListView[ground="window"] {{ background: {_name(p.window)}; }}
QHeaderView {{ background: {_name(p.alternate)}; border: none; }}
QHeaderView::section {{
    background: {_name(p.alternate)}; color: {_name(p.muted)}; font-size: {look.text_size - 1}px; font-weight: 400;
    border: none; border-bottom: 1px solid {_name(p.hairline)}; padding: 0 4px; height: {look.px(20) - 1}px;
}}
QHeaderView::section:horizontal:first, QHeaderView::section:horizontal:only-one {{ padding-left: 12px; }}
QTableView[framed="true"] QHeaderView::section:horizontal:first {{ padding-left: 4px; }}
QHeaderView::section:hover {{ color: {_name(p.text)}; }}
QTableCornerButton::section {{ background: {_name(p.alternate)}; border: none; }}
QScrollArea {{ border: none; background: transparent; }}
QScrollArea > QWidget > QWidget[ground="none"] {{ background: transparent; }}
QAbstractScrollArea::corner {{ background: transparent; border: none; }}
QScrollBar {{ background: transparent; border: none; }}
QScrollBar:vertical {{ width: 12px; margin: 0; }}
QScrollBar:horizontal {{ height: 12px; margin: 0; }}
QScrollBar::handle {{ background: {_name(p.edge)}; border-radius: 2px; }}
QScrollBar::handle:hover, QScrollBar::handle:pressed {{ background: {_name(p.faint)}; }}
QScrollBar::handle:vertical {{ min-height: 24px; margin: 2px 3px 2px 4px; }}
QScrollBar::handle:horizontal {{ min-width: 24px; margin: 4px 2px 3px 2px; }}
QScrollBar::handle:disabled {{ background: transparent; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; border: none; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""


def _tabs(look: Look) -> str:
    p = look.palette
    return f"""
QTabWidget::pane {{ border: none; border-top: 1px solid {_name(p.hairline)}; }}
QTabBar {{ background: transparent; border: none; qproperty-drawBase: 0; }}
QTabBar::tab {{
    background: transparent; color: {_name(p.muted)}; border: none; border-bottom: 2px solid transparent;
    margin: 0 9px; padding: 0; min-width: 8px; height: {look.px(26)}px;
}}
QTabBar::tab:selected {{ color: {_name(p.text)}; border-bottom-color: {_name(p.text)}; }}
QTabBar::tab:hover {{ color: {_name(p.text)}; }}
QTabBar::tab:focus {{ border-bottom-color: {_name(p.selection)}; }}
QTabBar::tab:disabled {{ color: {_name(p.faint)}; }}
QMainWindow > QTabBar {{ min-height: 0; max-height: 0; }}
QMainWindow > QTabBar::tab {{ height: 0; min-height: 0; max-height: 0; border: none; }}
"""
