"""The panes of the window: how each is declared, and the order in which they stand in the menus.

The first one has the keyboard when a recording is opened. The modules of a pane are imported when it is first shown.
"""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from ...texts import N_
from ..session.settings import Settings
from ..widgets.actions import ActionSpec
from ..widgets.pane import Pane
from .action import Action, Condition, Switch, in_pane, on_pane, specs, turn_on_pane
from .docks import Placement
from .panes import PaneSpec, Services

if TYPE_CHECKING:
    from ..panes.actors.actors_pane import ActorsTable
    from ..panes.attributes.attributes_pane import AttributePanel
    from ..panes.bytes.bytes_pane import HexPane
    from ..panes.differences.differences_pane import DifferencesPane
    from ..panes.events.events_pane import EventsPane
    from ..panes.history.history_pane import HistoryPane
    from ..panes.notes.notes_pane import NotesPane
    from ..panes.packets.packets_pane import PacketPane
    from ..panes.problems.problems_pane import ProblemsPane
    from ..panes.repair.repair_pane import RepairPane
    from ..panes.scene.scene_pane import ScenePane
    from ..panes.signals.signals_pane import SignalsPane
    from ..panes.timeline.timeline_pane import TimelinePane
    from ..panes.trim.trim_pane import TrimPane


def _make_packets(services: Services) -> "PacketPane":
    from ..panes.packets.packets_pane import PacketPane
    from ..panes.packets.saved_filters import SavedFilters

    pane = PacketPane(services.session, services.theme)
    SavedFilters(services.settings, services.theme, pane.filter)
    return pane


PACKETS = PaneSpec(
    name="packets",
    title=N_("Packets"),
    make=_make_packets,
    placement=Placement("left", {"inspect": ("tabs", 0), "scene": ("tabs", 1), "repair": ("tabs", 1)}),
    guide="packets.md",
)


def _make_actors(services: Services) -> "ActorsTable":
    from ..panes.actors.actors_pane import ActorsTable

    pane = ActorsTable(services.session, services.theme, lambda: services.panes.preset == "scene")
    services.panes.layout.named.connect(pane.follow_layout)
    pane.follow_layout()
    return pane


ACTORS = PaneSpec(
    name="actors",
    title=N_("Actors"),
    make=_make_actors,
    placement=Placement("left", {"inspect": ("tabs", 1), "scene": ("tabs", 0), "repair": ("tabs", 2)}),
    guide="editing.md#Actors",
)


def _make_problems(services: Services) -> "ProblemsPane":
    from ..panes.problems.problems_pane import ProblemsPane

    return ProblemsPane(services.session, services.theme)


PROBLEMS = PaneSpec(
    name="problems",
    title=N_("Problems"),
    make=_make_problems,
    placement=Placement("left", {"inspect": ("tabs", 2), "scene": ("tabs", 4), "repair": ("tabs", 0)}),
    guide="checks.md",
)


def _make_events(services: Services) -> "EventsPane":
    from ..panes.events.events_pane import EventsPane

    return EventsPane(services.session, services.theme)


EVENTS = PaneSpec(
    name="events",
    title=N_("Events"),
    make=_make_events,
    placement=Placement("left", {"inspect": ("tabs", 3), "scene": ("tabs", 3)}, joins="behind"),
    guide="events.md",
)


def _make_notes(services: Services) -> "NotesPane":
    from ..panes.notes.notes_pane import NotesPane

    return NotesPane(services.session, services.theme)


NOTES = PaneSpec(
    name="notes",
    title=N_("Notes"),
    make=_make_notes,
    placement=Placement("left", joins="behind"),
    guide="editing.md#Notes",
)


def _make_bytes(services: Services) -> "HexPane":
    from ..panes.bytes.bytes_pane import HexPane

    return HexPane(services.session, services.theme)


BYTES = PaneSpec(
    name="bytes",
    title=N_("Bytes"),
    make=_make_bytes,
    placement=Placement("left", {"inspect": ("below", 0), "scene": ("tabs", 2), "repair": ("below", 0)}),
    guide="packets.md",
)


def _make_attributes(services: Services) -> "AttributePanel":
    from ..panes.attributes.attributes_pane import AttributePanel

    return AttributePanel(services.session, services.theme)


ATTRIBUTES = PaneSpec(
    name="attributes",
    title=N_("Attributes"),
    make=_make_attributes,
    placement=Placement("right", {"inspect": ("right", 0), "scene": ("selected", 0)}),
    guide="packets.md",
)


def _make_history(services: Services) -> "HistoryPane":
    from ..panes.history.history_pane import HistoryPane

    return HistoryPane(services.session, services.theme)


HISTORY = PaneSpec(
    name="history",
    title=N_("History"),
    make=_make_history,
    placement=Placement("right", {"inspect": ("right", 1), "scene": ("selected", 1)}),
    guide="editing.md#Scripts",
)


def _make_differences(services: Services) -> "DifferencesPane":
    from ..panes.differences.differences_pane import DifferencesPane

    return DifferencesPane(services.session, services.theme)


DIFFERENCES = PaneSpec(
    name="differences",
    title=N_("Differences"),
    make=_make_differences,
    placement=Placement("left", joins="behind"),
    shown_while=lambda session: session.comparison.other is not None,
    guide="guide.md#Differences",
)


def _make_trim(services: Services) -> "TrimPane":
    from ..panes.trim.trim_pane import TrimPane

    pane = TrimPane(services.session, services.theme)
    for spec in services.actions.present:
        if spec.menu == "Recording/Segments":
            pane.tools.add(services.actions[spec.id])
    return pane


TRIM = PaneSpec(
    name="trim",
    title=N_("Trim"),
    make=_make_trim,
    placement=Placement("right", {"trim": ("right", 0)}),
    guide="editing.md#In the window",
)


def _make_repair(services: Services) -> "RepairPane":
    from ..panes.repair.repair_pane import RepairPane

    pane = RepairPane(services.session, services.theme)
    pane.save_asked.connect(lambda path: services.documents.ask_save_as(suggested=path))
    return pane


REPAIR = PaneSpec(
    name="repair",
    title=N_("Repair"),
    make=_make_repair,
    placement=Placement("right", {"repair": ("right", 0)}),
    guide="repair.md#In the window",
)


def _make_timeline(services: Services) -> "TimelinePane":
    from ..panes.timeline.timeline_pane import TimelinePane

    pane = TimelinePane(services.session, services.theme, services.player)
    settings = services.settings
    canvas = pane.canvas
    canvas.remember(settings.timeline_lanes)
    known = canvas.wishes

    def keep_timeline_lanes() -> None:
        nonlocal known
        settings.put(Settings.timeline_lanes, canvas.wishes, before=known)
        known = canvas.wishes

    canvas.wished.connect(keep_timeline_lanes)
    dock = services.panes.docks[TIMELINE.name]
    canvas.room_asked.connect(partial(services.panes.layout.heighten, dock))
    pane.transport.offer_around(services.actions["range.around_cursor"], services.actions["range.around_event"])
    canvas.picture_at = lambda frame: services.panes.get(SCENE).picture_at(frame)
    return pane


TIMELINE = PaneSpec(
    name="timeline",
    title=N_("Timeline"),
    make=_make_timeline,
    placement=Placement(
        "bottom",
        {"inspect": ("bottom", 0), "scene": ("bottom", 0), "trim": ("bottom", 0), "repair": ("bottom", 0)},
        is_quiet=True,
    ),
)


def _make_signals(services: Services) -> "SignalsPane":
    from ..panes.signals.signals_menu import offer_menus
    from ..panes.signals.signals_pane import SignalsPane

    pane = SignalsPane(services.session, services.theme, services.panes.get(TIMELINE).canvas)
    offer_menus(pane)
    # Once the layout knows of the new height.
    pane.room_asked.connect(services.panes.layout.make_room, Qt.ConnectionType.QueuedConnection)
    return pane


def _signals_actions(services: Services) -> Sequence[ActionSpec]:
    return specs(services, SIGNALS_ACTIONS)


SIGNALS = PaneSpec(
    name="signals",
    title=N_("Signals"),
    make=_make_signals,
    placement=Placement("bottom", joins="below"),
    actions=_signals_actions,
    guide="signals.md",
)

PLOTTED = Condition(in_pane(SIGNALS, lambda pane: pane.traces), N_("Plot a signal first."))

SIGNALS_ACTIONS = (
    Switch(
        "signals.cursors",
        turn_on_pane(SIGNALS, lambda pane, on: pane.show_cursors(on)),
        checked=in_pane(SIGNALS, lambda pane: pane.cursors),
        needs=PLOTTED,
        text=N_("Cursors"),
        key="C",
        menu="View/Plot",
        where=(SIGNALS,),
        tooltip=N_("Two cursors with differences"),
        keywords=N_("signals measure difference"),
    ),
    Action(
        "signals.back",
        on_pane(SIGNALS, lambda pane: pane.step_view(-1)),
        needs=PLOTTED,
        text=N_("Previous view"),
        key="Backspace",
        icon="previous",
        menu="View/Plot",
        where=(SIGNALS,),
        tooltip=N_("Back to the view before the last move or zoom"),
        keywords=N_("plot curve chart"),
    ),
    Action(
        "signals.forward",
        on_pane(SIGNALS, lambda pane: pane.step_view(1)),
        needs=PLOTTED,
        text=N_("Next view"),
        key="Shift+Backspace",
        icon="next",
        menu="View/Plot",
        where=(SIGNALS,),
        tooltip=N_("Forward to the view before going back"),
        keywords=N_("plot curve chart"),
    ),
    Action(
        "signals.export",
        on_pane(SIGNALS, lambda pane: pane.ask_export()),
        needs=PLOTTED,
        text=N_("Export signals as CSV..."),
        icon="export",
        menu="View/Plot",
        where=(SIGNALS,),
        tooltip=N_("Write the plotted values, frame by frame"),
        keywords=N_("plot curve chart"),
    ),
    Action(
        "signals.clear",
        on_pane(SIGNALS, lambda pane: pane.model.clear()),
        needs=PLOTTED,
        text=N_("Remove all signals"),
        menu="View/Plot",
        where=(SIGNALS,),
        tooltip=N_("Remove all signals from the plot"),
        keywords=N_("plot curve chart"),
    ),
)
"""What can be done with the signals that are plotted."""


def _make_scene(services: Services) -> "ScenePane":
    from ..panes.scene.scene_pane import ScenePane

    return ScenePane(services.session, services.theme, services.player, services.settings, services.actions)


SCENE = PaneSpec(name="scene", title=N_("Scene"), make=_make_scene, placement=None)

PANES: tuple[PaneSpec[Pane], ...] = (
    PACKETS,
    ACTORS,
    PROBLEMS,
    EVENTS,
    NOTES,
    BYTES,
    ATTRIBUTES,
    HISTORY,
    DIFFERENCES,
    TRIM,
    REPAIR,
    TIMELINE,
    SIGNALS,
    SCENE,
)
