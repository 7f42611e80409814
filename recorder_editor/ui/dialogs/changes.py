"""What a replacement would do, as rows: where, what it is, before and after."""

from typing import Any

from PySide6.QtCore import QObject, Qt

from ...edits.replace import FieldChange
from ...format import Field, exact_text
from ...format.schema import Value
from ...format.values import flag_names
from ...recording import short_blueprint
from ...recording.expression import Query
from ...sentences import value_names
from ..rows import RowsModel
from ..session import Session
from ..theme import Theme

_COLUMNS = ("Frame", "Record", "Actor", "Field", "Before", "After")
WIDTHS = (70, 60, 220, 130, 150, 150)
FRAME_AT, RECORD_AT, ACTOR_AT, FIELD_AT, BEFORE_AT, AFTER_AT = range(6)


class ChangesModel(RowsModel[FieldChange]):
    """The first changes of a preview: texts are made of the rows in sight alone.

    Attribute: `query`, which found them.
    """

    columns = len(_COLUMNS)
    numbers = FRAME_AT, RECORD_AT

    def __init__(self, session: Session, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self.query: Query | None = None

    def shown(self, change: FieldChange, column: int, role: int) -> Any:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._text(change, column)
        palette = self.theme.palette
        if role == Qt.ItemDataRole.FontRole:
            return self.theme.font if column == FIELD_AT else self.theme.mono
        if role == Qt.ItemDataRole.ForegroundRole:
            return palette.muted if column in (RECORD_AT, BEFORE_AT) else palette.text
        return None

    def _text(self, change: FieldChange, column: int) -> str:
        if column == FRAME_AT:
            return f"{change.frame_index + 1:,}"
        if column == RECORD_AT:
            return f"{change.record + 1:,}"
        if column == ACTOR_AT:
            return self._actor(change)
        if self.query is None or not change.field:
            return ""
        field = self.query.kind.record.fields[change.field]
        if column == FIELD_AT:
            return field.label
        return value_text(field, change.before if column == BEFORE_AT else change.after)

    def _actor(self, change: FieldChange) -> str:
        if change.actor is None:
            return ""
        actors = self.session.actors
        life = actors.at(change.actor, change.frame_index) if actors is not None else None
        return f"{change.actor}  {short_blueprint(life.blueprint)}" if life is not None else str(change.actor)

    def head(self, column: int) -> str:
        return self.tr(_COLUMNS[column])


def value_text(field: Field, value: Value) -> str:
    """A value in full, with the name that an enumeration or bits give it."""
    text = exact_text(field, value)
    if isinstance(value, int) and not isinstance(value, bool):
        if field.choices:
            return f"{text} {value_names(field.choices).get(value, '')}".strip()
        if field.flags:
            return f"{text} {flag_names(field, value)}"
    return text
