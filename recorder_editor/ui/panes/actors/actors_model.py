"""The rows and columns of the pane Actors: every life with what became of it, sorted and filtered."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QMimeData, QModelIndex, QObject, Qt
from PySide6.QtGui import QColor

from ....reading import Life, Trajectory, short_blueprint
from ....texts import N_, listed, say
from ....views.describe import icon_of
from ....views.signal_key import MIME, Key
from ...session import Session
from ...session.background import Background
from ...session.color_rules import ColorRule
from ...style.colors import RULE_TINT, mix
from ...style.theme import Theme
from ...widgets.dragged_signals import drag_data
from ...widgets.rows_model import Index
from ...widgets.table_columns import (
    NATURAL,
    Column,
    NumberColumn,
    SortedModel,
    TextColumn,
    grouped,
    percent_unless_zero,
    unless_zero,
)

_RANKS = {"vehicle": 1, "two-wheeler": 1, "walker": 2}
_OTHER_RANK = 3


class ActorRow(NamedTuple):
    """One life, and what the session has found out about it up to now.

    Attributes:
        life: The life.
        background: The results of jobs in the background.
    """

    life: Life
    background: Background

    @property
    def trajectory(self) -> Trajectory | None:
        """The trajectory; None until it is known."""
        survey = self.background.trajectories
        if survey is None or self.life.index >= len(survey.trajectories):
            return None
        trajectory = survey.trajectories[self.life.index]
        if trajectory.actor != self.life.actor:  # after an edit the survey is that of the state before, for a moment
            return None
        return trajectory

    @property
    def distance(self) -> float | None:
        """The distance driven, m; None until it is known."""
        trajectory = self.trajectory
        if trajectory is None:
            return None
        return trajectory.distance

    @property
    def top_speed(self) -> float | None:
        """The top speed, m/s; None until it is known."""
        trajectory = self.trajectory
        if trajectory is None:
            return None
        return trajectory.top_speed

    @property
    def collisions(self) -> int | None:
        """The number of collisions; None until it is known."""
        trajectory = self.trajectory
        if trajectory is None:
            return None
        return trajectory.collisions

    @property
    def off_road(self) -> float:
        """The share of its time off the road; NaN where that is not known."""
        share, _ = self.background.lanes_of(self.life)
        return share

    @property
    def lane_changes(self) -> int:
        """How often it changes lanes; 0 where that is not known."""
        _, frames = self.background.lanes_of(self.life)
        return len(frames)

    @property
    def natural_key(self) -> tuple[int, int]:
        """What the row is sorted by where no column is: the hero, vehicles, walkers, then all others, each by id."""
        if self.life.is_hero:
            return 0, self.life.actor
        return _RANKS.get(self.life.class_, _OTHER_RANK), self.life.actor


COLUMNS: Sequence[Column[ActorRow]] = (
    NumberColumn(
        "actor", title=N_("Id"), width=70, icon=lambda row: icon_of(row.life), value=lambda row: row.life.actor
    ),
    TextColumn(
        "class",
        title=N_("Class"),
        tooltip=N_("Class of the actor"),
        width=84,
        shown_from=680,
        value=lambda row: row.life.class_,
        format=say,
    ),
    TextColumn("blueprint", title=N_("Blueprint"), value=lambda row: row.life.blueprint, format=short_blueprint),
    TextColumn("role", title=N_("Role"), width=78, shown_from=520, value=lambda row: row.life.role_name),
    NumberColumn(
        "first",
        title=N_("First"),
        tooltip=N_("First frame, that of its EventAdd"),
        width=46,
        shown_from=300,
        value=lambda row: row.life.born + 1,
        format=grouped,
    ),
    NumberColumn(
        "last",
        title=N_("Last"),
        tooltip=N_("Last frame; – if it exists to the end"),
        width=46,
        shown_from=340,
        value=lambda row: row.life.gone,
        format=grouped,
        missing=math.inf,
    ),
    NumberColumn(
        "distance",
        title=N_("Distance"),
        tooltip=N_("Distance driven ({unit})"),
        width=60,
        needs="trajectories",
        value=lambda row: row.distance,
        unit="m",
    ),
    NumberColumn(
        "top_speed",
        title=N_("Top speed"),
        tooltip=N_("Top speed ({unit})"),
        width=66,
        shown_from=440,
        needs="trajectories",
        value=lambda row: row.top_speed,
        unit="m/s",
    ),
    NumberColumn(
        "collisions",
        title=N_("Collisions"),
        tooltip=N_("Number of collisions"),
        width=62,
        shown_from=580,
        needs="trajectories",
        value=lambda row: row.collisions,
        format=unless_zero,
    ),
    NumberColumn(
        "off_road",
        title=N_("Off road"),
        tooltip=N_("Percentage of its time on no lane of the road map"),
        width=58,
        shown_from=740,
        needs="road map",
        value=lambda row: row.off_road,
        format=percent_unless_zero,
    ),
    NumberColumn(
        "lane_changes",
        title=N_("Lane changes"),
        tooltip=N_("Number of lane changes, by the road map"),
        width=96,
        shown_from=840,
        needs="road map",
        value=lambda row: row.lane_changes,
        format=unless_zero,
    ),
)


class ActorsModel(SortedModel[ActorRow]):
    """One row a life that the filter leaves, in the order that was asked for.

    Attributes:
        session: The session whose actors these are.
        lives: All of them, in order of birth.
        rows: Those that are shown, from above.
    """

    def __init__(self, session: Session, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, COLUMNS, parent)
        self.session = session
        self.lives: tuple[Life, ...] = ()
        self._words: tuple[str, ...] = ()
        self._row_of: dict[tuple[int, int], int] = {}
        session.opened.connect(self.rebuild)
        session.editing.changed.connect(self.rebuild)
        session.background.trajectories_changed.connect(self._show_results)
        self.rebuild()

    # --- rows -------------------------------------------------------------------------------------------

    def rebuild(self) -> None:
        """Take in the lives anew; nothing happens where they are the same."""
        actors = self.session.actors
        if actors is not None:
            lives = tuple(actors)
        else:
            lives = ()
        if lives != self.lives:
            self._reset(lives)

    def set_words(self, text: str) -> None:
        """Show only the lives that match all of these words."""
        self._words = tuple(text.lower().split())
        matches = {life.index for life in self.lives if self._matches(life)}
        if matches != {row.life.index for row in self.rows}:
            self._reset(self.lives)

    def row_of(self, life: Life) -> int | None:
        """Return the row of a life; None where it is not shown."""
        return self._row_of.get((life.actor, life.born))

    def life(self, row: int) -> Life:
        """Return the life of a row."""
        return self.rows[row].life

    def _reset(self, lives: tuple[Life, ...]) -> None:
        """Show these lives, as far as the filter leaves them."""
        self.beginResetModel()
        self.lives = lives
        background = self.session.background
        self.arrange(ActorRow(life, background) for life in lives if self._matches(life))
        self.endResetModel()

    def _matches(self, life: Life) -> bool:
        """Return whether all words of the filter are found in what the table shows of a life."""
        texts = [str(life.actor), life.class_, say(life.class_), life.blueprint, life.role_name]
        if life.is_hero:
            texts.append("hero")
        text = " ".join(texts).lower()
        return all(word in text for word in self._words)

    # --- order ------------------------------------------------------------------------------------------

    def identity(self, row: ActorRow) -> int:
        return row.life.index

    def natural_key(self, row: ActorRow) -> tuple[int, int]:
        return row.natural_key

    def arrange(self, rows: Iterable[ActorRow]) -> None:
        super().arrange(rows)
        self._row_of.clear()
        for number, row in enumerate(self.rows):
            self._row_of[(row.life.actor, row.life.born)] = number

    # --- columns ----------------------------------------------------------------------------------------

    @property
    def available(self) -> list[Column[ActorRow]]:
        """The columns that there is something in."""
        return [column for column in self.declared if self.is_available(column)]

    def is_available(self, column: Column[ActorRow]) -> bool:
        """Return whether there is something in a column: those that need a road map are empty without one."""
        return column.needs != "road map" or self.session.background.lane_use is not None

    def _show_results(self) -> None:
        """Show the results of jobs in the background."""
        self.rebuild()
        if self._sorted_by != NATURAL and self.declared[self._sorted_by].needs is not None:
            self.sort(self._sorted_by, self._order)
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, self.columns - 1))

    # --- cells ------------------------------------------------------------------------------------------

    def shown(self, row: ActorRow, column: int, role: int) -> object:
        """Return what a cell has for a role: dimmed where its actor is gone, tinted where a colour rule fits it."""
        if role == Qt.ItemDataRole.ForegroundRole:
            if row.life.is_alive(self.session.selection.frame_index):
                return self.theme.palette.text
            return self.theme.palette.faint
        if role == Qt.ItemDataRole.BackgroundRole:
            return self._tint(row.life)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tooltip(row.life)
        return super().shown(row, column, role)

    def _rule(self, life: Life) -> ColorRule | None:
        """Return the colour rule that a life meets in the current row."""
        return self.session.rule_colors.of_row(self.session.selection.row).get(life.index)

    def _tint(self, life: Life) -> QColor | None:
        rule = self._rule(life)
        if rule is None:
            return None
        return mix(self.theme.palette.field, rule.color, RULE_TINT)

    def _tooltip(self, life: Life) -> str:
        clauses = [f"{life.actor} {life.blueprint}", say(life.class_), life.role_name]
        rule = self._rule(life)
        if rule is not None:
            clauses.append(rule.text)
        return listed(clauses, "clauses")

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.isValid():
            return flags | Qt.ItemFlag.ItemIsDragEnabled
        return flags

    # --- drags ------------------------------------------------------------------------------------------

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return the speeds of the actors, to be dropped where signals are plotted."""
        return drag_data(Key("motion", "speed", "", self.life(index.row()).actor) for index in indexes)
