"""The controls of this program, drawn by one theme. They know how a value is shown, not which one it is."""

from recorder_editor.ui.widgets.base import ElidedLabel, Label, RunningText, ThemedButton, ThemedWidget, font_of
from recorder_editor.ui.widgets.choices import CheckEdit, ChoiceEdit, FlagsEdit
from recorder_editor.ui.widgets.dates import MomentEdit
from recorder_editor.ui.widgets.error_popup import ErrorPopup
from recorder_editor.ui.widgets.forms import Form, FormRow, GroupHeading, NumberLabel, RawBytes
from recorder_editor.ui.widgets.notices import EmptyState, ProgressStrip, SearchField
from recorder_editor.ui.widgets.numbers import AngleEdit, NumberEdit, format_number
from recorder_editor.ui.widgets.rows import WholeRows
from recorder_editor.ui.widgets.switches import CountBadge, MenuChip, Segmented, SwitchStrip, ToggleChip
from recorder_editor.ui.widgets.titles import DockTitle
from recorder_editor.ui.widgets.values import ColourEdit, TextEdit
