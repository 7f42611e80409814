"""Actor, again: what changes the actors that are selected, each as one step that can be undone.

Says who it is about, and when it makes sense; what is asked is said in `dialogs`, what is done in `edits`.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QMenu

from ...recording.history import Edit
from ...recording.lives import Life
from ...recording.snapshot import Snapshot
from ..actions import Actions, ActionSpec
from ..clipboard import ActorClipboard, CopiedActor, copy_actor, map_of, source_of
from ..jobs import Cancel, Progress

if TYPE_CHECKING:
    from ..dialogs.form import Task
    from ..main_window import MainWindow

IN_CONTEXT = (
    "", "actor.copy", "actor.paste", "actor.duplicate",
    "", "actor.remove", "actor.keep", "actor.trim",
    "", "actor.traffic_light", "actor.vehicle_lights",
)  # fmt: skip
"""What context menus offer, in its order; an empty name is a line."""

DESCRIPTION = ("actor.blueprint", "actor.role", "actor.attribute", "actor.id", "actor.make_hero", "actor.swap")
PATH = ("path.move", "path.sideways", "path.smooth", "path.mirror")

Against = Callable[[Sequence[Life]], str]


class Chosen:
    """The lives of the selected actors, looked up once for all that ask; of several rows of the table, theirs."""

    def __init__(self, window: "MainWindow") -> None:
        self.window = window
        self._of: Snapshot | None = None
        self._key: tuple[object, ...] = ()
        self._lives: list[Life] = []

    def lives(self) -> list[Life]:
        """Those of the current frame, else the first one of each."""
        session = self.window.session
        picked = self.window.actors.picked_lives()
        if picked:
            return picked
        key = (session.actors_selected, session.frame_index)
        if session.snapshot is not self._of or key != self._key:
            self._of, self._key, self._lives = session.snapshot, key, self._found()
        return self._lives

    def _found(self) -> list[Life]:
        session = self.window.session
        actors = session.actors
        if actors is None:
            return []
        found = (
            actors.at(actor, session.frame_index) or next(iter(actors.of_id(actor)), None)
            for actor in session.actors_selected
        )
        return [life for life in found if life is not None]

    def against(self, *further: Against, one: bool = False) -> Callable[[], str]:
        """The sentence why an edit of the selected cannot be made now."""
        tr = self.window.tr

        def reason() -> str:
            if self.window.session.recording is None:
                return tr("Open a recording first.")
            lives = self.lives()
            if not lives:
                return tr("Select an actor first, in the scene or in the table of actors.")
            if one and len(lives) > 1:
                return tr("Select one actor; %1 are selected.").replace("%1", f"{len(lives):,}")
            return next((words for each in further if (words := each(lives))), "")

        return reason


def weather_actions(window: "MainWindow") -> list[ActionSpec]:
    """What is set for everybody."""
    tr = window.tr
    return [
        ActionSpec("recording.weather", tr("Weather..."), lambda: _ask(window, _weather(window)), "", "",
                   tr("Sun, clouds, rain and fog over the whole recording or a range"), "Recording", section="weather",
                   against=partial(_against_weather, window), words=tr("rain sun cloud fog wind")),
    ]  # fmt: skip


def actor_edits(window: "MainWindow") -> list[ActionSpec]:
    """The actions of Actor that change something."""
    chosen = Chosen(window)
    return [
        *_copies(window, chosen),
        *_there_or_not(window, chosen),
        *_described(window, chosen),
        *_paths(window, chosen),
        *_states(window, chosen),
    ]


def add_to_menu(menu: QMenu, registry: Actions, tr: Callable[[str], str]) -> None:
    """Put the actions behind what a context menu holds already; those that make no sense now are left out."""
    registry.refresh()
    _add(menu, registry, IN_CONTEXT)
    for title, names in ((tr("Change"), DESCRIPTION), (tr("Path"), PATH)):
        if any(registry.is_enabled(name) for name in names):
            _add(menu.addMenu(title), registry, names)


def _add(menu: QMenu, registry: Actions, names: Sequence[str]) -> None:
    line = False
    for name in names:
        if not name:
            line = bool(menu.actions())
        elif registry.is_enabled(name):
            if line:
                menu.addSeparator()
                line = False
            menu.addAction(registry[name])


# --- how they are asked and made ------------------------------------------------------------------------


def _ask(window: "MainWindow", task: "Task") -> None:
    """Ask for the values of an edit beside the window, with what is meant in the scene."""
    from ..dialogs.form import FormDialog

    for open_one in window.findChildren(FormDialog):
        if open_one.isVisible():
            # One question at a time: two ghosts could not be told apart.
            open_one.reject()
    dialog = FormDialog(window.session, window.theme, task, window)
    dialog.ghosts_changed.connect(window.scene.view.show_ghosts)
    dialog.show_()


def _make(window: "MainWindow", title: str, make: Callable[[Snapshot, Progress, Cancel], Edit]) -> None:
    """Make an edit that needs no question, as a job."""
    window.session.attempt_later(title, make)


# --- reasons --------------------------------------------------------------------------------------------


def _of_the_map(window: "MainWindow", lives: Sequence[Life]) -> str:
    for life in lives:
        if life.blueprint == "spectator" or life.blueprint.startswith("traffic."):
            words = window.tr("%1 %2 belongs to the map: the simulator creates none.")
            return words.replace("%1", life.blueprint).replace("%2", str(life.actor))
    return ""


def _found_by_place(window: "MainWindow", lives: Sequence[Life]) -> str:
    for life in lives:
        if life.blueprint.startswith("traffic."):
            words = window.tr("%1 %2 cannot be moved: the simulator finds traffic actors by their place.")
            return words.replace("%1", life.blueprint).replace("%2", str(life.actor))
    return ""


def _no_traffic_light(window: "MainWindow", lives: Sequence[Life]) -> str:
    other = next((life for life in lives if life.class_ != "traffic light"), None)
    words = window.tr("%1 %2 is no traffic light.")
    return words.replace("%1", other.blueprint).replace("%2", str(other.actor)) if other is not None else ""


def _no_vehicle(window: "MainWindow", lives: Sequence[Life]) -> str:
    session, tr = window.session, window.tr
    if session.snapshot is not None and session.snapshot.dialect.by_name("VehicleLight") is None:
        return tr("%1 records no lights of vehicles.").replace("%1", session.snapshot.dialect.title)
    other = next((life for life in lives if not life.blueprint.startswith("vehicle.")), None)
    words = tr("%1 %2 is no vehicle.")
    return words.replace("%1", other.blueprint).replace("%2", str(other.actor)) if other is not None else ""


def _hero_already(window: "MainWindow", lives: Sequence[Life]) -> str:
    heroes = [life for life in window.session.actors or () if life.is_hero]
    is_only = lives[0].is_hero and len(heroes) == 1
    return window.tr("%1 is the hero already.").replace("%1", str(lives[0].actor)) if is_only else ""


def _against_weather(window: "MainWindow") -> str:
    session, tr = window.session, window.tr
    if session.recording is None or session.snapshot is None:
        return tr("Open a recording first.")
    if session.snapshot.dialect.by_name("Weather") is None:
        words = tr("%1 records no weather; Recording > Convert to... ue4-2026 or ue5-2026 makes one that does.")
        return words.replace("%1", session.snapshot.dialect.title)
    return "" if session.frames else tr("There is no frame in this recording.")


# --- the actions ----------------------------------------------------------------------------------------


def _copies(window: "MainWindow", chosen: Chosen) -> list[ActionSpec]:
    session, tr = window.session, window.tr
    of_the_map = partial(_of_the_map, window)

    def duplicate() -> None:
        from ..dialogs.copies import duplicate

        _ask(window, duplicate(session, chosen.lives()[0]))

    clipboard = ActorClipboard(window)
    clipboard.changed.connect(window.registry.refresh_soon)

    def against_pasting() -> str:
        if session.recording is None:
            return tr("Open a recording first.")
        return "" if clipboard.actor is not None else tr("Copy an actor first, in this window or in another one.")

    def paste() -> None:
        if clipboard.actor is not None:
            _paste(window, clipboard.actor)

    return [
        ActionSpec("actor.copy", tr("Copy actor"), lambda: copy_actor(session, chosen.lives()[0]), "Ctrl+Shift+C",
                   "copy", menu="Actor", section="copies",
                   tooltip=tr("With its whole track, to be pasted here or into another recording"),
                   against=chosen.against(of_the_map, one=True)),
        ActionSpec("actor.paste", tr("Paste actor..."), paste, "Ctrl+Shift+V", "", menu="Actor",
                   section="copies", tooltip=tr("The actor that was copied, with its track, under an id of its own"),
                   against=against_pasting),
        ActionSpec("actor.duplicate", tr("Duplicate actor..."), duplicate, "Ctrl+Shift+D", "duplicate", menu="Actor",
                   section="copies", tooltip=tr("A second one beside it, or later on the same way"),
                   against=chosen.against(of_the_map, one=True)),
    ]  # fmt: skip


def _paste(window: "MainWindow", copied: CopiedActor) -> None:
    from ..dialogs.asking import Question
    from ..dialogs.copies import paste

    session, tr = window.session, window.tr
    here = map_of(session.snapshot_or_refuse())

    def ask() -> None:
        windows = [window, *(one for one in QApplication.topLevelWidgets() if isinstance(one, type(window)))]
        _ask(window, paste(session, copied, source_of(copied, [one.session for one in windows])))

    if copied.map == here:
        ask()
        return
    question = Question(window.theme, [(tr("Paste all the same"), ask), (tr("Cancel"), lambda: None)], window)
    words = tr("%1 was recorded on %2, this is a recording of %3: its way leads over roads that are not there.")
    for number, name in enumerate((str(copied.actor), copied.map, here)):
        words = words.replace(f"%{number + 1}", name or tr("a map without a name"))
    question.say(tr("Paste actor"), tr("Another map"), words)
    question.open_()


def _there_or_not(window: "MainWindow", chosen: Chosen) -> list[ActionSpec]:
    session, tr = window.session, window.tr

    def remove() -> None:
        from ..dialogs.actor import remove

        _ask(window, remove(session, chosen.lives()))

    def keep() -> None:
        from ..dialogs.actor import keep_only, names_of

        lives = chosen.lives()
        _make(window, tr("Keeping only %1").replace("%1", names_of(lives)), keep_only(lives))

    def trim() -> None:
        from ..dialogs.actor import trim

        _ask(window, trim(session, chosen.lives()[0]))

    return [
        ActionSpec("actor.remove", tr("Remove actor..."), remove, "Shift+Del", "delete", menu="Actor",
                   section="removing", against=chosen.against(), words=tr("delete"),
                   tooltip=tr("Every record of it goes, and who is attached to it, if you like")),
        ActionSpec("actor.keep", tr("Keep only these"), keep, "", "", menu="Actor", section="removing",
                   against=chosen.against(), words=tr("remove others all but"),
                   tooltip=tr("Everybody else goes, but for what belongs to the map and who is attached")),
        ActionSpec("actor.trim", tr("Trim life..."), trim, "", "trim", menu="Actor", section="removing",
                   tooltip=tr("It comes later, or goes earlier"), against=chosen.against(one=True),
                   words=tr("born gone spawn destroy")),
    ]  # fmt: skip


def _described(window: "MainWindow", chosen: Chosen) -> list[ActionSpec]:
    session, tr = window.session, window.tr
    of_the_map = partial(_of_the_map, window)

    def blueprint() -> None:
        from ..dialogs.actor import blueprint

        _ask(window, blueprint(session, chosen.lives()))

    def role() -> None:
        from ..dialogs.actor import role

        _ask(window, role(session, chosen.lives()))

    def attribute() -> None:
        from ..dialogs.actor import attribute

        _ask(window, attribute(session, chosen.lives()))

    def number() -> None:
        from ..dialogs.actor import number

        _ask(window, number(session, chosen.lives()[0]))

    def make_hero() -> None:
        from ..dialogs.actor import make_hero

        life = chosen.lives()[0]
        _make(window, tr("Making %1 the hero").replace("%1", str(life.actor)), make_hero(life))

    def swap() -> None:
        from ..dialogs.actor import swap

        lives = chosen.lives()
        _ask(window, swap(session, lives[0], lives[1] if len(lives) > 1 else None))

    def against_swapping(lives: Sequence[Life]) -> str:
        many = tr("Two actors change places; %1 are selected.").replace("%1", f"{len(lives):,}")
        return many if len(lives) > 2 else of_the_map(lives)

    return [
        ActionSpec("actor.blueprint", tr("Blueprint..."), blueprint, "", "", menu="Actor", section="description",
                   tooltip=tr("Make it an actor of another blueprint"), against=chosen.against(of_the_map),
                   words=tr("change type id uid model")),
        ActionSpec("actor.role", tr("Role name..."), role, "", "", menu="Actor", section="description",
                   tooltip=tr("What tools find it by, as in hero or autopilot"), against=chosen.against()),
        ActionSpec("actor.attribute", tr("Attribute..."), attribute, "", "", menu="Actor", section="description",
                   tooltip=tr("Set, add or remove one of its attributes, as in its color"), against=chosen.against(),
                   words=tr("color colour")),
        ActionSpec("actor.id", tr("Change id..."), number, "", "", menu="Actor", section="description",
                   tooltip=tr("Another number for it, in every record of every packet"),
                   against=chosen.against(one=True), words=tr("renumber")),
        ActionSpec("actor.make_hero", tr("Set as hero"), make_hero, "", "star", menu="Actor", section="description",
                   tooltip=tr("It gets the role name hero, and nobody else has it"),
                   against=chosen.against(of_the_map, partial(_hero_already, window), one=True)),
        ActionSpec("actor.swap", tr("Swap with..."), swap, "", "", menu="Actor", section="description",
                   tooltip=tr("Two actors change places: each goes the way of the other"),
                   against=chosen.against(against_swapping), words=tr("exchange")),
    ]  # fmt: skip


def _paths(window: "MainWindow", chosen: Chosen) -> list[ActionSpec]:
    session, tr = window.session, window.tr
    by_place = partial(_found_by_place, window)

    def move() -> None:
        from ..dialogs.path import move

        _ask(window, move(session, chosen.lives()))

    def sideways() -> None:
        from ..dialogs.path import sideways

        _ask(window, sideways(session, chosen.lives()[0]))

    def smooth() -> None:
        from ..dialogs.path import smooth

        _ask(window, smooth(session, chosen.lives()[0]))

    def mirror() -> None:
        from ..dialogs.path import mirror

        _ask(window, mirror(session, chosen.lives()))

    return [
        ActionSpec("path.move", tr("Move and turn..."), move, "", "", menu="Actor/Path",
                   tooltip=tr("Shift and turn the way over a range, eased in and out so that nothing jumps"),
                   against=chosen.against(by_place), words=tr("offset rotate shift ease path")),
        ActionSpec("path.sideways", tr("Offset sideways..."), sideways, "", "", menu="Actor/Path",
                   tooltip=tr("To the left or right of its own heading, as in a change of lanes"),
                   against=chosen.against(by_place, one=True), words=tr("lane offset ease path")),
        ActionSpec("path.smooth", tr("Smooth path..."), smooth, "", "", menu="Actor/Path",
                   tooltip=tr("Take the shaking out of location and heading"),
                   against=chosen.against(by_place, one=True)),
        ActionSpec("path.mirror", tr("Mirror path..."), mirror, "", "", menu="Actor/Path",
                   tooltip=tr("At a line on the ground: left becomes right"), against=chosen.against(by_place)),
    ]  # fmt: skip


def _states(window: "MainWindow", chosen: Chosen) -> list[ActionSpec]:
    session, tr = window.session, window.tr

    def traffic_light() -> None:
        from ..dialogs.state import traffic_light

        _ask(window, traffic_light(session, chosen.lives()))

    def vehicle_lights() -> None:
        from ..dialogs.state import vehicle_lights

        _ask(window, vehicle_lights(session, chosen.lives()))

    return [
        ActionSpec("actor.traffic_light", tr("Traffic light state..."), traffic_light, "", "", menu="Actor",
                   section="states", tooltip=tr("Red, yellow or green over the whole recording or a range"),
                   against=chosen.against(partial(_no_traffic_light, window)), words=tr("red yellow green")),
        ActionSpec("actor.vehicle_lights", tr("Vehicle lights..."), vehicle_lights, "", "", menu="Actor",
                   section="states", tooltip=tr("Switch lamps and blinkers on or off over a range"),
                   against=chosen.against(partial(_no_vehicle, window)), words=tr("lamps blinker brake")),
    ]  # fmt: skip


def _weather(window: "MainWindow") -> "Task":
    from ..dialogs.state import weather

    return weather(window.session)
