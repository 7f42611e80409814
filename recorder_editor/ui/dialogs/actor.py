"""What can be asked about actors before they are changed: what they are, under which id, and copies of them.

Descriptions of forms; the edits are `edits.actors`.
"""

from collections import Counter
from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication

from ... import edits
from ...edits.actors.counting import count_records
from ...edits.actors.describing import HERO, ROLE, uid_of
from ...edits.actors.owners import fresh_id
from ...edits.actors.removing import with_children
from ...errors import EditError
from ...recording.actors import Actors
from ...recording.history import Edit
from ...recording.lives import Life, short_blueprint
from ...recording.snapshot import Snapshot
from ..jobs import Cancel, Progress
from ..session import Scope, Session
from .command_words import over, whose
from .form import Ask, Task, Values

_MOST_NAMES = 4


def tr(text: str) -> str:
    """The words of the forms for actors."""
    return QCoreApplication.translate("ActorForms", text)


# --- whom -----------------------------------------------------------------------------------------------


def chosen_lives(session: Session) -> list[Life]:
    """The lives of the selected actors: those of the current frame, else the first one of each."""
    actors = session.actors
    if actors is None:
        return []
    found = []
    for actor in session.actors_selected:
        life = actors.at(actor, session.frame_index) or next(iter(actors.of_id(actor)), None)
        if life is not None:
            found.append(life)
    return found


def again(snapshot: Snapshot, lives: Sequence[Life]) -> list[Life]:
    """The same lives in a state that may be a later one; raises `EditError` where one is no longer there."""
    actors = Actors.of(snapshot)
    found = []
    for life in lives:
        same = next((each for each in actors.of_id(life.actor) if each.born == life.born), None)
        if same is None:
            raise EditError(f"Actor {life.actor} is no longer there as it was; choose it again.")
        found.append(same)
    return found


def find_life(snapshot: Snapshot, text: str, frame_index: int) -> Life:
    """The life that somebody typed: an id, perhaps with words behind it. Raises `EditError`."""
    number = text.strip().partition(" ")[0]
    if not (number.isascii() and number.isdigit()):
        raise EditError(f"“{text}” names no actor; write an id, as in 174.")
    actors = Actors.of(snapshot)
    life = actors.at(int(number), frame_index) or next(iter(actors.of_id(int(number))), None)
    if life is None:
        raise EditError(f"There is no actor {number} in this recording.")
    return life


def named(life: Life) -> str:
    """A life as forms call it: `174 tesla.model3`."""
    return f"{life.actor} {short_blueprint(life.blueprint)}"


def names_of(lives: Sequence[Life]) -> str:
    """Several lives, the first few by name."""
    names = ", ".join(named(life) for life in lives[:_MOST_NAMES])
    more = len(lives) - _MOST_NAMES
    return names + (tr(" and %1 more").replace("%1", f"{more:,}") if more > 0 else "")


def scope_for(session: Session) -> Scope:
    """The frames that a form proposes: those edits are meant for now, but for a single frame something longer."""
    if session.scope != "frame":
        return session.scope
    return "range" if session.has_range else "life"


def frames_ask(session: Session) -> Ask:
    """The field that asks for frames."""
    return Ask("frames", tr("Frames"), "frames", scope_for(session))


def told_frames(session: Session, lives: Sequence[Life], values: Values) -> str:
    """Over how many frames, and how long, an edit of these lives goes."""
    frames = values["frames"]
    if frames is None:
        ends = [session.frames if life.gone is None else life.gone for life in lives]
        frames = range(min(life.born for life in lives), max(ends))
    elapsed = session.snapshot_or_refuse().elapsed
    frames = range(max(0, frames.start), min(frames.stop, len(elapsed)))
    seconds = float(elapsed[frames.stop - 1] - elapsed[frames.start]) if len(frames) else 0.0
    words = tr("Over 1 frame") if len(frames) == 1 else tr("Over %1 frames, %2 s")
    return words.replace("%1", f"{len(frames):,}").replace("%2", f"{seconds:.3f}")


# --- there or not ---------------------------------------------------------------------------------------


def remove(session: Session, lives: Sequence[Life]) -> Task:
    """Asks whether the lives go from the whole recording, or from the frame that is shown; says what goes along."""
    children = with_children(Actors.of(session.snapshot_or_refuse()), lives)[len(lives) :]
    frame = session.frame_index

    def in_frame(values: Values) -> bool:
        return bool(values["where"])

    def make(snapshot: Snapshot, values: Values, progress: Progress, cancel: Cancel) -> Edit:
        there, along = again(snapshot, lives), bool(values.get("children"))
        if in_frame(values):
            going = with_children(Actors.of(snapshot), there) if along else there
            return edits.remove_from_frame(snapshot, going, frame)
        return edits.remove_actors(snapshot, there, children=along, progress=progress, cancel=cancel)

    def tell(values: Values) -> str:
        if in_frame(values):
            words = tr("In frame %1 only; it stays before and after. The checks will list the hole.")
            return words.replace("%1", f"{frame + 1:,}")
        words = tr("Every record of every packet that names it goes, collisions too.") + " "
        if not children:
            return words + tr("Nobody is attached.")
        words += tr("Goes along: %1.") if values["children"] else tr("Stays, attached to nobody: %1.")
        return words.replace("%1", names_of(children))

    def count(snapshot: Snapshot, values: Values, progress: Progress, cancel: Cancel) -> str:
        if in_frame(values):
            return ""
        there = again(snapshot, lives)
        going = with_children(Actors.of(snapshot), there) if values.get("children") else there
        told = count_records(snapshot, going, progress=progress, cancel=cancel)
        words = tr("1 record in 1 frame goes.") if told.records == 1 else tr("%1 records in %2 frames go.")
        return words.replace("%1", f"{told.records:,}").replace("%2", f"{told.frames:,}")

    def command(values: Values) -> list[str] | None:
        if in_frame(values):
            return None
        stay = ["--keep-children"] if children and not values["children"] else []
        return ["edit", "--remove-actor", whose(session.snapshot_or_refuse(), lives), *stay]

    with_them = tr("With the one attached") if len(children) == 1 else tr("With the %1 attached")
    only = tr("Frame %1 only").replace("%1", f"{frame + 1:,}")
    along = Ask("children", with_them.replace("%1", f"{len(children):,}"), "check", True)
    asks = (Ask("where", tr("From"), "choice", 0, choices={0: tr("The whole recording"), 1: only}),)
    return Task(
        tr("Remove"), tr("Remove %1").replace("%1", names_of(lives)), tr("Remove"),
        (*asks, along) if children else asks, make, tell=tell, command=command, count=count,
    )  # fmt: skip


def keep_only(lives: Sequence[Life]) -> Callable[[Snapshot, Progress, Cancel], Edit]:
    """The edit without everybody else, for a job."""
    return lambda snapshot, progress, cancel: edits.keep_only_actors(
        snapshot, again(snapshot, lives), progress=progress, cancel=cancel
    )


def trim(session: Session, life: Life) -> Task:
    """Asks for the frames that a life is to last: proposed are those from in to out, else from here on."""
    end = session.frames if life.gone is None else life.gone
    wanted = session.range if session.has_range else range(session.frame_index, session.frames)
    first, stop = max(wanted.start, life.born), min(wanted.stop, end)
    if first >= stop:
        first, stop = life.born, end

    def make(snapshot: Snapshot, values: Values, progress: Progress, cancel: Cancel) -> Edit:
        frames = range(values["first"] - 1, values["last"])
        return edits.trim_life(snapshot, again(snapshot, [life])[0], frames, progress=progress, cancel=cancel)

    def tell(values: Values) -> str:
        frames, whole = range(max(values["first"] - 1, life.born), min(values["last"], end)), end - life.born
        if not len(frames):
            raise EditError(f"{life.actor} lives from frame {life.born + 1:,} to {end:,}; choose frames of these.")
        if len(frames) == whole:
            return tr("That is its whole life: %1 frames.").replace("%1", f"{whole:,}")
        elapsed = session.snapshot_or_refuse().elapsed
        words = tr("%1 of its %2 frames stay, from %3 s to %4 s.")
        for number, text in enumerate((
            f"{len(frames):,}", f"{whole:,}", f"{elapsed[frames.start]:.3f}", f"{elapsed[frames.stop - 1]:.3f}",
        )):  # fmt: skip
            words = words.replace(f"%{number + 1}", text)
        return words

    def command(values: Values) -> list[str]:
        snapshot = session.snapshot_or_refuse()
        frames = range(values["first"] - 1, values["last"])
        return ["edit", "--trim-actor", whose(snapshot, [life]), *over(snapshot, frames)]

    asks = (
        Ask("first", tr("First frame"), "whole", first + 1, low=1, high=session.frames),
        Ask("last", tr("Last frame"), "whole", stop, low=1, high=session.frames),
    )
    return Task(
        tr("Trim life"), tr("Trim the life of %1").replace("%1", named(life)), tr("Trim"), asks, make,
        tr("It is created in the first of these frames where it is then, and destroyed after the last one."), tell,
        command,
    )  # fmt: skip


def make_hero(life: Life) -> Callable[[Snapshot, Progress, Cancel], Edit]:
    """The edit that makes a life the only hero, for a job."""
    return lambda snapshot, _progress, _cancel: edits.set_hero(snapshot, again(snapshot, [life])[0])


# --- what it is -----------------------------------------------------------------------------------------


def blueprint(session: Session, lives: Sequence[Life]) -> Task:
    """Asks for another blueprint."""
    snapshot = session.snapshot_or_refuse()
    offers = tuple(sorted({life.blueprint for life in Actors.of(snapshot)} - {"spectator"}))

    def make(snapshot: Snapshot, values: Values, _progress: Progress, _cancel: Cancel) -> Edit:
        name, uid = values["blueprint"].strip(), values["uid"]
        # Left to be found out, it is also found where the step is made again on another recording.
        return edits.set_blueprint(
            snapshot, again(snapshot, lives), name, uid if uid != uid_of(snapshot, name) else None
        )

    def tell(values: Values) -> str:
        known = uid_of(snapshot, values["blueprint"].strip())
        if values["uid"] is None and known is None:
            raise EditError("No actor of this recording has that blueprint: give its uid, or choose another.")
        if values["uid"] in (None, known):
            return tr("The uid is that of other actors of this recording.")
        return tr("Up to CARLA 0.9.15 the uid alone decides what appears.")

    def follow(name: str, values: Values) -> Values:
        return {"uid": uid_of(snapshot, values["blueprint"].strip())} if name == "blueprint" else {}

    def command(values: Values) -> list[str]:
        snapshot, name = session.snapshot_or_refuse(), values["blueprint"].strip()
        uid = f",{values['uid']}" if values["uid"] not in (None, uid_of(snapshot, name)) else ""
        return ["edit", "--set-blueprint", f"{whose(snapshot, lives)}={name}{uid}"]

    asks = (
        Ask("blueprint", tr("Blueprint"), "text", lives[0].blueprint, offers=offers),
        Ask("uid", tr("Uid"), "whole", lives[0].uid or None, low=1, high=0xFFFFFFFF, optional=True,
            tip=tr("The number of the blueprint in the build that recorded; empty: as other actors of this recording")),
    )  # fmt: skip
    return Task(
        tr("Change blueprint"), tr("Change the blueprint of %1").replace("%1", names_of(lives)), tr("Change"), asks,
        make, tr("Attributes stay as they are."), tell, command, follow=follow,
    )  # fmt: skip


def role(session: Session, lives: Sequence[Life]) -> Task:
    """Asks for another role name."""
    used = Counter(life.role_name for life in Actors.of(session.snapshot_or_refuse()) if life.role_name)
    offers = tuple(name for name, _ in used.most_common())

    def make(snapshot: Snapshot, values: Values, _progress: Progress, _cancel: Cancel) -> Edit:
        return edits.set_role(snapshot, again(snapshot, lives), values["role"])

    def tell(values: Values) -> str:
        return tr("The simulator and its tools find the hero by this name.") if values["role"] == HERO else ""

    def command(values: Values) -> list[str]:
        return ["edit", "--set-role", f"{whose(session.snapshot_or_refuse(), lives)}={values['role']}"]

    return Task(
        tr("Role name"), tr("Role name of %1").replace("%1", names_of(lives)), tr("Change"),
        (Ask("role", tr("Role name"), "text", lives[0].role_name, offers=offers),), make, "", tell, command,
    )  # fmt: skip


def attribute(session: Session, lives: Sequence[Life]) -> Task:
    """Asks for an attribute and its value."""
    mine = {each.id: each.value for each in lives[0].attributes if each.id}
    every = {each.id for life in Actors.of(session.snapshot_or_refuse()) for each in life.attributes if each.id}
    offers = (*mine, *sorted(every - set(mine)))
    first = next((name for name in mine if name != ROLE), ROLE)

    def make(snapshot: Snapshot, values: Values, _progress: Progress, _cancel: Cancel) -> Edit:
        value = None if values["without"] else values["value"]
        return edits.set_attribute(snapshot, again(snapshot, lives), values["key"].strip(), value)

    def tell(values: Values) -> str:
        held = [value for life in lives if (value := life.attribute(values["key"].strip())) is not None]
        if not held and values["without"]:
            raise EditError(f"None of them has an attribute {values['key'].strip()}.")
        if not held:
            return tr("It is not there yet and is added.")
        return tr("Now it is %1.").replace("%1", ", ".join(dict.fromkeys(map(str, held))) or tr("empty"))

    def follow(name: str, values: Values) -> Values:
        return {"value": lives[0].attribute(values["key"].strip()) or ""} if name == "key" else {}

    def command(values: Values) -> list[str]:
        who, key = whose(session.snapshot_or_refuse(), lives), values["key"].strip()
        if values["without"]:
            return ["edit", "--remove-attribute", f"{who}:{key}"]
        return ["edit", "--set-attribute", f"{who}:{key}={values['value']}"]

    asks = (
        Ask("key", tr("Attribute"), "text", first, offers=offers),
        Ask("value", tr("Value"), "text", mine.get(first, "")),
        Ask("without", tr("Remove it"), "check", False),
    )  # fmt: skip
    return Task(
        tr("Attribute"), tr("Attribute of %1").replace("%1", names_of(lives)), tr("Change"), asks, make, "", tell,
        command, follow=follow,
    )  # fmt: skip


def number(session: Session, life: Life) -> Task:
    """Asks for another id."""

    def make(snapshot: Snapshot, values: Values, progress: Progress, cancel: Cancel) -> Edit:
        return edits.set_actor_id(snapshot, again(snapshot, [life])[0], values["id"], progress=progress, cancel=cancel)

    def tell(values: Values) -> str:
        if values["id"] == life.actor:
            return tr("The first id that nobody ever had is %1.").replace("%1", str(free))
        others = Actors.of(session.snapshot_or_refuse()).of_id(values["id"])
        return tr("There are other lives of that id, at other times.") if others else ""

    def command(values: Values) -> list[str]:
        return ["edit", "--set-id", f"{whose(session.snapshot_or_refuse(), [life])}={values['id']}"]

    free = fresh_id(session.snapshot_or_refuse())
    asks = (Ask("id", tr("Id"), "whole", life.actor, low=1, high=0xFFFFFFFE),)
    return Task(
        tr("Change id"), tr("Another id for %1").replace("%1", named(life)), tr("Change"), asks, make,
        tr("In every record of every packet that means it; other lives of that id keep it."), tell, command,
    )  # fmt: skip


def swap(session: Session, life: Life, other: Life | None = None) -> Task:
    """Asks with whom an actor changes places."""
    frame = session.frame_index
    alike = [each for each in session.actors or () if each.index != life.index and each.class_ == life.class_]
    offers = tuple(named(each) for each in alike)

    def make(snapshot: Snapshot, values: Values, progress: Progress, cancel: Cancel) -> Edit:
        with_whom = find_life(snapshot, values["other"], frame)
        return edits.swap_actors(snapshot, again(snapshot, [life])[0], with_whom, progress=progress, cancel=cancel)

    def tell(values: Values) -> str:
        if not values["other"].strip():
            return tr("Type an id, or a part of a blueprint to choose from.")
        whom = find_life(session.snapshot_or_refuse(), values["other"], frame)
        return tr("%1 drives the way of %2, and the other way round.").replace("%1", named(life)).replace(
            "%2", named(whom)
        )  # fmt: skip

    def command(values: Values) -> list[str] | None:
        if not values["other"].strip():
            return None
        snapshot = session.snapshot_or_refuse()
        return ["edit", "--swap", whose(snapshot, [life, find_life(snapshot, values["other"], frame)])]

    asks = (Ask("other", tr("With"), "text", named(other) if other is not None else "", offers=offers),)
    return Task(
        tr("Swap"), tr("Let %1 change places with another").replace("%1", named(life)), tr("Swap"), asks, make,
        tr("Each keeps id, blueprint and attributes, and takes over where and when the other goes."), tell,
        command,
    )  # fmt: skip
