"""The dialog for a signal by expression: a name, the expression, and the actors that it is plotted for."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from ....errors import RecorderError
from ....progress import Progress
from ....reading import SelectorError
from ....reading.expression import ExpressionError, completion, find_matching_actors, parse_value
from ....reading.pair_signals import PairSignal, pair_signal
from ....texts import say
from ....views.signal_expressions import name_and_unit, parse_expression
from ....views.signal_key import Key
from ...dialogs.base import SessionDialog
from ...dialogs.fields import Fields
from ...session import Session
from ...session.jobs import LatestJob
from ...style.boxes import fill
from ...style.theme import Theme
from ...widgets import Segmented
from ...widgets.completion import ExpressionCompleter
from ...widgets.error_line import ErrorLine

EXAMPLE = "Kinematics: abs(linear_velocity.x) * 3.6"
MOST_ACTORS = 12
"""Of more actors that meet a condition the curves could not be told apart."""

_SELECTED = 0
_MATCHING = 1
_WIDTH = 540


class ExpressionDialog(SessionDialog):
    """Asks for an expression.

    Attributes:
        name: The field for name and unit.
        line: The field for the expression.
        actors: The switch between the selected actors and those that meet the condition.
        completer: Completes the expression.
        wrong: The line that says what is wrong with it.

    Signal: `picked(tuple)` of keys, one for each actor.
    """

    picked = Signal(object)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, "signalExpression", parent, _WIDTH)
        text = say("A number from each record, as in Find and replace, plotted for each of several actors.")
        self.say(say("Plot expression"), say("Plot an expression over time"), text)
        self.name = QLineEdit()
        self.line = QLineEdit()
        self.name.setPlaceholderText("speed [km/h]")
        self.name.setAccessibleName(say("Name and unit"))
        self.line.setPlaceholderText(EXAMPLE)
        self.line.setAccessibleName(say("Expression"))
        self.line.textChanged.connect(self._check)
        self.completer = ExpressionCompleter(session, theme, self.line, partial(completion, sets=False))
        self.wrong = ErrorLine(theme, self.line)
        typed = QWidget()
        fill(QVBoxLayout(typed), self.line, self.wrong, spacing=1)
        form = Fields(theme)
        self.actors = Segmented(theme, (say("Selected"), say("All that meet the condition")), say("Actors"))
        self.actors.segment(_MATCHING).setToolTip(
            say("Every actor that meets it in a frame from In to Out, at most {most}", most=MOST_ACTORS)
        )
        self.actors.changed.connect(self._check)
        form.add_row(say("Expression"), typed)
        form.add_row(say("Actors"), self.actors)
        form.add_row(say("Name"), self.name, tip=say("Write the unit in brackets after the name"))
        self.body.addWidget(form)
        self.add_answers(say("Plot"), self.pick)
        self._latest = LatestJob(self, session.jobs)
        session.selection.changed.connect(self._check)
        self._check()
        self.line.setFocus()

    def keys(self) -> tuple[Key, ...]:
        """Return the signals of the expression: one for each selected actor, or one without an actor.

        Raises:
            ExpressionError: It is no expression, or needs an actor and none is selected.
        """
        pair = pair_signal(self.line.text())
        if pair is not None:
            return (self._key_of_pair(pair),)
        dialect = self.session.snapshot_or_refuse().dialect
        keys = [self._whole]
        if parse_value(self._whole.path, dialect).kind.actor_field is not None and self.session.selection.actors:
            keys = [self._whole._replace(actor=actor) for actor in self.session.selection.actors]
        for key in keys:
            parse_expression(key, dialect)
        return tuple(keys)

    @property
    def _whole(self) -> Key:
        """The signal without an actor."""
        return Key("expression", self.name.text().strip(), self.line.text().strip())

    def _check_matching(self) -> None:
        """Refuse what cannot be plotted for all actors that meet a condition.

        Raises:
            ExpressionError: It is no expression, or not of records of actors.
        """
        query = parse_value(self._whole.path, self.session.snapshot_or_refuse().dialect)
        if query.kind.actor_field is None:
            raise ExpressionError(say("{packet} is not recorded for each actor.", packet=query.kind.name), 1)

    def _key_of_pair(self, pair: PairSignal) -> Key:
        if self.session.actors is not None:
            try:
                pair.check(self.session.actors)
            except SelectorError as error:
                raise ExpressionError(error.message, 1) from None
        title = ""
        if self.name.text().strip():
            title, _ = name_and_unit(Key("expression", self.name.text()))
        return Key("pair", pair.measure.name, path=title, actor=pair.actor, other=pair.other)

    def _check(self) -> None:
        message = ""
        column = 0
        try:
            if self.actors.current == _MATCHING:
                self._check_matching()
            else:
                self.keys()
        except ExpressionError as error:
            message = error.message
            column = error.column
        self._latest.cancel()
        self.go.setEnabled(not message)
        if self.line.text().strip():
            self.wrong.show_error(message, column)
        else:
            self.wrong.show_error("", 0)

    def release(self) -> None:
        """Look for no actors any more."""
        self._latest.cancel()
        super().release()

    def pick(self) -> None:
        """Plot the expression; the actors that meet the condition are found first."""
        if self.actors.current == _MATCHING:
            self._find_actors()
            return
        keys = self.keys()
        self.accept()
        self.picked.emit(keys)

    def _find_actors(self) -> None:
        """Find the actors that meet the condition, as a job."""
        snapshot = self.session.snapshot_or_refuse()
        query = parse_value(self._whole.path, snapshot.dialect)
        frames = self.session.range.frames

        def work(progress: Progress) -> list[int]:
            return find_matching_actors(query, snapshot, frames, progress)

        self.go.setEnabled(False)
        self._latest.run(say("Finding actors"), work, self._take_actors, self._refuse)

    def _take_actors(self, actors: list[int]) -> None:
        """Plot the expression for actors, those that meet the condition in the most frames."""
        self.go.setEnabled(True)
        if not actors:
            self.wrong.show_error(say("No actor meets the condition."))
            return
        keys = tuple(self._whole._replace(actor=actor) for actor in actors[:MOST_ACTORS])
        self.accept()
        self.picked.emit(keys)
        if len(actors) > MOST_ACTORS:
            self.session.informed.emit(
                say(
                    "{count:,} actors meet the condition; plotted are the {most} that do in the most frames.",
                    count=len(actors),
                    most=MOST_ACTORS,
                )
            )

    def _refuse(self, error: Exception) -> None:
        self.go.setEnabled(True)
        if isinstance(error, ExpressionError):
            self.wrong.show_error(error.message, error.column)
        elif isinstance(error, RecorderError | OSError):
            self.wrong.show_error(str(error))
        else:
            self.session.jobs.failed.emit(error)
