"""Recording: what is done with the traffic event that was chosen."""

from ....texts import N_, say
from ....views.event_texts import event_sentence, plotted
from ...widgets.file_dialogs import ask_save
from ..action import Action, Condition
from ..pane_list import SCENE, SIGNALS
from ..panes import Services
from .notes import edit


def ask_save_event(services: Services) -> None:
    """Let a person choose a name, and write the seconds about the event there."""
    session = services.session
    path = session.path.with_name(session.events.file_name)
    ask_save(services.window, say("Save the event as"), path, session.events.save)


def make_note(services: Services) -> None:
    """Make a note of the frames of the event."""
    session = services.session
    events = session.events.found
    row = session.events.chosen
    if events is None or row is None:
        return
    first = int(events.table["first"][row])
    last = int(events.table["last"][row])
    text = event_sentence(events, row, services.theme.units)
    if session.notes.make(text, range(first, last + 1), events.life(row).actor):
        edit(services)


def follow(services: Services) -> None:
    """See the actors of the event closely, and keep them in view from now on."""
    events = services.session.events
    view = services.panes.get(SCENE).view
    actor, *others = events.actors_of(events.chosen)
    if others:
        view.follow_both(actor, others[0])
    else:
        view.zoom_to_selection()
        view.follow_actor(actor)


def _is_current(services: Services) -> bool:
    events = services.session.events
    return services.session.is_complete and events.chosen is not None and events.is_current


def _has_more(services: Services) -> bool:
    return _is_current(services) and len(services.session.events.frames_about) < services.session.frames


def _is_of_two(services: Services) -> bool:
    events = services.session.events
    return events.found is not None and events.chosen is not None and bool(plotted(events.found, events.chosen))


CHOSEN_EVENT = Condition(_is_current, N_("Choose a traffic event first (F9)."))
PART_OF_RECORDING = Condition(
    _has_more, N_("Choose a traffic event first (F9); the seconds about it must not be the whole recording.")
)
EVENT_OF_TWO = Condition(_is_of_two, N_("Choose a traffic event of two road users first (F9)."))

ACTIONS = (
    Action(
        "event.trim",
        lambda services: services.session.events.trim(),
        needs=PART_OF_RECORDING,
        text=N_("Trim around the event"),
        key="Ctrl+Return",
        icon="trim",
        menu="Recording",
        section="traffic event",
        hint=N_("trims around it"),
        tooltip=N_("Keep only the seconds about the traffic event that was chosen"),
        keywords=N_("near miss collision moment keep crop"),
    ),
    Action(
        "event.save",
        ask_save_event,
        needs=CHOSEN_EVENT,
        text=N_("Save the event as..."),
        icon="save-as",
        menu="Recording",
        section="traffic event",
        tooltip=N_("Write the seconds about the traffic event to a new file; this recording is not changed"),
        keywords=N_("near miss collision moment copy"),
    ),
    Action(
        "event.note",
        make_note,
        needs=CHOSEN_EVENT,
        text=N_("Note of the event"),
        key="N",
        menu="Recording",
        section="traffic event",
        yields_to_panes=True,
        hint=N_("note"),
        tooltip=N_("Make a note of the traffic event that was chosen"),
        keywords=N_("near miss collision bookmark mark comment annotate"),
    ),
    Action(
        "event.follow",
        follow,
        needs=CHOSEN_EVENT,
        text=N_("Follow the event"),
        menu="View/Scene",
        section="follow",
        tooltip=N_("See the actors of the traffic event closely, and keep them in view"),
        keywords=N_("near miss collision camera both pair"),
    ),
    Action(
        "event.plot",
        lambda services: services.panes.show(SIGNALS.name),
        needs=EVENT_OF_TWO,
        text=N_("Plot the measures of the event"),
        icon="signals",
        menu="View/Plot",
        tooltip=N_("Show 2D-TTC and distance of the two in Signals, as long as the event is chosen"),
        keywords=N_("near miss ttc conflict curve chart"),
    ),
)
