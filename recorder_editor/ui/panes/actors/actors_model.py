"""The rows and columns of the pane Actors: every life with what became of it, sorted and filtered."""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from PySide6.QtCore import QMimeData, QModelIndex, QObject, Qt
from PySide6.QtGui import QColor

from ....errors import RecorderError
from ....reading import Life, Trajectory, short_blueprint
from ....texts import N_, listed, say
from ....views.describe import icon_of
from ....views.moment import Moments
from ....views.signal_key import MIME, Key
from ....views.units import Units
from ...session import Session
from ...session.background import Background
from ...session.color_rules import ColorRule
from ...style.colors import RULE_TINT, mix
from ...style.theme import Theme
from ...widgets.cells import Piece
from ...widgets.dragged_signals import drag_data
from ...widgets.rows_model import Index
from ...widgets.table_columns import (
    NATURAL,
    NOTHING,
    Column,
    NumberColumn,
    PiecesColumn,
    SortedModel,
    TextColumn,
    grouped,
    percent_unless_zero,
    unless_zero,
)

# Of road users.
_RANKS = {"vehicle": 1, "two-wheeler": 1, "walker": 2}
_OTHER_RANK = 3


class ActorRow(NamedTuple):
    """One life, and what the session has found out about it up to now.

    Attributes:
        life: The life.
        background: The results of jobs in the background.
        moments: The actors in the frame that is shown.
    """

    life: Life
    background: Background
    moments: Moments

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
    def speed(self) -> float:
        """The speed in the frame, m/s; NaN where that is not known."""
        return self.moments.of(self.life.index).speed

    @property
    def to_hero(self) -> float:
        """The distance to the hero in the frame, m; NaN where that is not known."""
        return self.moments.of(self.life.index).to_hero

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


def _number_pieces(value: float, unit: str, units: Units) -> Sequence[Piece]:
    """Return a number and its unit; a dash where it is missing."""
    if math.isnan(value):
        return (Piece(NOTHING, font="mono", color="muted"),)
    number, _, shown = units.text(value, unit).rpartition(" ")
    return Piece(number, font="mono"), Piece(shown, font="small", color="muted", gap=3)


def _missing_last(value: float) -> float:
    """Return a number as rows are sorted by it: those without one come last."""
    return math.inf if math.isnan(value) else value


OF_MOMENT = ("actor", "blueprint", "speed", "to_hero")
"""The columns of what is so in the frame that is shown."""

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
    PiecesColumn(
        "speed",
        title=N_("Speed"),
        tooltip=N_("Speed in this frame"),
        width=84,
        is_number=True,
        pieces=lambda row, units: _number_pieces(row.speed, "m/s", units),
        key_of=lambda row: _missing_last(row.speed),
    ),
    PiecesColumn(
        "to_hero",
        title=N_("To hero"),
        tooltip=N_("Distance to the hero in this frame, from centre to centre"),
        width=84,
        is_number=True,
        pieces=lambda row, units: _number_pieces(row.to_hero, "m", units),
        key_of=lambda row: _missing_last(row.to_hero),
    ),
)


class ActorsModel(SortedModel[ActorRow]):
    """One row a life that the filter leaves, in the order that was asked for.

    Attributes:
        session: The session whose actors these are.
        lives: All of them, in order of birth.
        rows: Those that are shown, from above.
        of_moment: What is so in the frame that is shown is in the table, of road users, and not what became of each
            life.
        only_alive: Then only the road users of that frame are shown.
    """

    def __init__(self, session: Session, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, COLUMNS, parent)
        self.session = session
        self.lives: tuple[Life, ...] = ()
        self.of_moment = False
        self.only_alive = True
        self._moments = Moments()
        keys = [column.key for column in COLUMNS]
        self._places_of_moment = (keys.index("speed"), keys.index("to_hero"))
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
        self._show_matches()

    def _show_matches(self) -> bool:
        """Show the lives that match now; False where these are shown already."""
        matches = {life.index for life in self.lives if self._matches(life)}
        if matches == {row.life.index for row in self.rows}:
            return False
        self._reset(self.lives)
        return True

    def show_moment(self, *, on: bool, only_alive: bool) -> None:
        """Show what is so in the frame that is shown, of all road users or of those of that frame; or not."""
        self.of_moment = on
        self.only_alive = only_alive
        self.follow_frame()
        self._show_matches()

    def follow_frame(self) -> None:
        """Show what is so in the frame that is shown now, where that is in the table."""
        snapshot = self.session.snapshot
        actors = self.session.actors
        frame = self.session.selection.frame
        if not self.of_moment or snapshot is None or actors is None or frame is None:
            return
        try:
            self._moments.take(snapshot, frame, actors)
        except (RecorderError, OSError) as error:  # the file was rewritten
            self.session.jobs.failed.emit(error)
            return
        if self._show_matches():
            return
        if not self._is_in_order():
            self.sort(self._sorted_by, self._order)
        elif self.rows:
            speed, to_hero = self._places_of_moment
            self.dataChanged.emit(self.index(0, speed), self.index(len(self.rows) - 1, to_hero))

    def _is_in_order(self) -> bool:
        """Return whether the rows are in the order that was asked for, with the values of this frame."""
        keys = [self.sort_key(row, self._sorted_by) for row in self.rows]
        if self._order == Qt.SortOrder.DescendingOrder:
            keys.reverse()
        return all(before <= after for before, after in pairwise(keys))

    @property
    def every(self) -> int:
        """How many lives there are to be listed without a filter: with what is so in the frame only road users."""
        return sum(self._is_listed(life) for life in self.lives)

    @property
    def alive(self) -> int:
        """How many of them there are in the frame that is shown."""
        frame_index = self.session.selection.frame_index
        return sum(self._is_listed(life) and life.is_alive(frame_index) for life in self.lives)

    def _is_listed(self, life: Life) -> bool:
        return not self.of_moment or life.class_ in _RANKS

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
        self.arrange(ActorRow(life, background, self._moments) for life in lives if self._matches(life))
        self.endResetModel()

    def _matches(self, life: Life) -> bool:
        """Return whether a life is to be shown, and all words of the filter are found in what the table has of it."""
        if not self._is_listed(life):
            return False
        if self.of_moment and self.only_alive and not life.is_alive(self.session.selection.frame_index):
            return False
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
        """Return whether a column is in the table: it is of the moment, or not, and there is something in it."""
        if self.of_moment:
            has_hero = any(life.is_hero for life in self.lives)
            return column.key in OF_MOMENT and (column.key != "to_hero" or has_hero)
        if column.key in ("speed", "to_hero"):
            return False
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
