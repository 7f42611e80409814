"""View: what the scene shows, how it follows an actor, what colours mean, and its picture."""

from ....texts import N_
from ...panes.scene.coloring import COLORINGS, ColorBy
from ...session.preferences import FOLLOW_MODE, OVERVIEW, FollowMode
from ..action import ACTOR, RECORDING, Action, Choice, Condition, Switch, in_pane, on_pane, turn_on_pane
from ..pane_list import SCENE
from ..panes import Services
from .file import COMPARING


def _has_shown_packets(services: Services) -> bool:
    snapshot = services.session.snapshot
    return snapshot is not None and bool(snapshot.dialect.kinds_in_scene)


_SHOWN_PACKETS = Condition(_has_shown_packets, N_("No packet of this recording is described with places or rays."))


def _follow(mode: FollowMode, *, text: str, tooltip: str) -> Choice:
    def follow(services: Services) -> None:
        # Now, too: the way of following cannot be seen while the scene follows no actor.
        services.settings[FOLLOW_MODE] = mode
        scene = services.panes.get(SCENE)
        if scene.view.followed is None:
            scene.follow(True)

    def is_chosen(services: Services) -> bool:
        return services.settings[FOLLOW_MODE] == mode

    return Choice(
        f"scene.follow_{mode}",
        follow,
        checked=is_chosen,
        needs=RECORDING,
        text=text,
        menu="View/Scene",
        section="follow",
        tooltip=tooltip,
    )


def _show_overview(services: Services, on: bool) -> None:
    services.settings[OVERVIEW] = on


def _has_overview(services: Services) -> bool:
    return services.settings[OVERVIEW]


def _wipe(services: Services, on: bool) -> None:
    """Show both recordings in the scene, or only the open one."""
    services.session.comparison.wipe(on=on)


SWITCHES = (
    Switch(
        "scene.roads",
        turn_on_pane(SCENE, lambda scene, on: scene.view.switch("roads", on)),
        checked=in_pane(SCENE, lambda scene: scene.view.switches["roads"]),
        needs=RECORDING,
        text=N_("Roads"),
        key="R",
        icon="roads",
        menu="View/Scene",
        where=(SCENE,),
        tooltip=N_("All recorded paths, in the background"),
        keywords=N_("scene"),
    ),
    Switch(
        "scene.trails",
        turn_on_pane(SCENE, lambda scene, on: scene.view.switch("trails", on)),
        checked=in_pane(SCENE, lambda scene: scene.view.switches["trails"]),
        needs=RECORDING,
        text=N_("Trails"),
        key="T",
        icon="trails",
        menu="View/Scene",
        where=(SCENE,),
        tooltip=N_("The paths of the selected actors, coloured by speed"),
        keywords=N_("scene"),
    ),
    Switch(
        "scene.ids",
        turn_on_pane(SCENE, lambda scene, on: scene.view.switch("ids", on)),
        checked=in_pane(SCENE, lambda scene: scene.view.switches["ids"]),
        needs=RECORDING,
        text=N_("Ids"),
        icon="ids",
        menu="View/Scene",
        where=(SCENE,),
        tooltip=N_("The ids of the actors"),
        keywords=N_("scene"),
    ),
    Switch(
        "scene.signs",
        turn_on_pane(SCENE, lambda scene, on: scene.view.switch("signs", on)),
        checked=in_pane(SCENE, lambda scene: scene.view.switches["signs"]),
        needs=RECORDING,
        text=N_("Legend"),
        key="H",
        icon="help",
        menu="View/Scene",
        where=(SCENE,),
        tooltip=N_("What the signs in view mean"),
        keywords=N_("scene symbols key"),
    ),
    Switch(
        "scene.packets",
        turn_on_pane(SCENE, lambda scene, on: scene.view.switch("packets", on)),
        checked=in_pane(SCENE, lambda scene: scene.view.switches["packets"]),
        needs=_SHOWN_PACKETS,
        text=N_("Packets"),
        icon="sensor",
        menu="View/Scene",
        where=(SCENE,),
        tooltip=N_("The places, gazes and beams that described packets hold"),
        keywords=N_("scene gaze eye tracker"),
    ),
    Switch(
        "scene.other",
        turn_on_pane(SCENE, lambda scene, on: scene.view.switch("other", on)),
        checked=in_pane(SCENE, lambda scene: scene.view.switches["other"]),
        needs=COMPARING,
        text=N_("Other recording"),
        icon="compare",
        menu="View/Scene",
        where=(SCENE,),
        tooltip=N_("The actors of the recording that this one is compared with"),
        keywords=N_("scene"),
    ),
    Switch(
        "scene.overview",
        _show_overview,
        checked=_has_overview,
        needs=RECORDING,
        text=N_("Overview map"),
        icon="map",
        menu="View/Scene",
        tooltip=N_("The whole map in a corner of the scene while little of it is in view"),
        keywords=N_("scene minimap mini map"),
    ),
    Switch(
        "scene.wipe",
        _wipe,
        checked=lambda services: services.session.comparison.is_wiping,
        needs=COMPARING,
        text=N_("Wipe between both recordings"),
        menu="View/Scene",
        where=(SCENE,),
        tooltip=N_("Both recordings, side by side at a line that can be dragged; X swaps the sides"),
        keywords=N_("scene compare side by side"),
    ),
    Switch(
        "scene.measure",
        turn_on_pane(SCENE, lambda scene, on: scene.view.switch("measure", on)),
        checked=in_pane(SCENE, lambda scene: scene.view.switches["measure"]),
        needs=RECORDING,
        text=N_("Measure"),
        key="M",
        icon="measure",
        menu="View/Scene",
        where=(SCENE,),
        hint=N_("measures"),
        tooltip=N_("Measure distance and heading between two points"),
        keywords=N_("scene"),
    ),
    _follow(
        "keep",
        text=N_("Follow: keep in view"),
        tooltip=N_("Move the view when the followed actor leaves its middle half"),
    ),
    _follow(
        "middle", text=N_("Follow: in the middle"), tooltip=N_("Keep the followed actor in the middle of the scene")
    ),
    _follow(
        "up", text=N_("Follow: heading up"), tooltip=N_("Keep the followed actor in the middle, with its heading up")
    ),
)
"""Those before the colours."""


def _color_choice(by: ColorBy, text: str, tooltip: str) -> Choice:
    return Choice(
        f"scene.color_{by}",
        on_pane(SCENE, lambda scene: scene.color_by(by)),
        checked=in_pane(SCENE, lambda scene: scene.view.color_by == by),
        needs=RECORDING,
        text=text,
        menu="View/Colour by",
        tooltip=tooltip,
        keywords=N_("scene colours of actors"),
    )


COLORS = tuple(_color_choice(by, text, tooltip) for by, (text, tooltip) in COLORINGS.items())
"""A choice for each value that can colour the actors."""


ACTIONS = (
    Action(
        "scene.move",
        on_pane(SCENE, lambda scene: scene.view.move_by_keys()),
        needs=ACTOR,
        text=N_("Move with arrow keys"),
        key="G",
        menu="View/Scene",
        section="move",
        where=(SCENE,),
        hint=N_("moves by keys"),
        tooltip=N_("Arrow keys move the selected actor, or the chosen key of the edited path; Enter ends, Esc cancels"),
        keywords=N_("keyboard drag nudge"),
    ),
    Action(
        "scene.fit",
        on_pane(SCENE, lambda scene: scene.view.fit()),
        needs=RECORDING,
        text=N_("Fit road users"),
        key="F",
        icon="fit",
        menu="View/Scene",
        section="fit",
        where=(SCENE,),
        hint=N_("shows all"),
        tooltip=N_("Show all road users of this frame"),
    ),
    Action(
        "scene.zoom",
        on_pane(SCENE, lambda scene: scene.view.zoom_to_selection()),
        needs=RECORDING,
        text=N_("Zoom to selection"),
        key="Z",
        menu="View/Scene",
        section="fit",
        where=(SCENE,),
        hint=N_("zooms to it"),
        tooltip=N_("Zoom to the selected actors"),
    ),
    Action(
        "scene.back",
        on_pane(SCENE, lambda scene: scene.view.step_view(back=True)),
        needs=RECORDING,
        text=N_("Previous view"),
        key="Backspace",
        menu="View/Scene",
        section="fit",
        where=(SCENE,),
        tooltip=N_("Back to the view before the last move or zoom"),
    ),
    Action(
        "scene.forward",
        on_pane(SCENE, lambda scene: scene.view.step_view(back=False)),
        needs=RECORDING,
        text=N_("Next view"),
        key="Shift+Backspace",
        menu="View/Scene",
        section="fit",
        where=(SCENE,),
        tooltip=N_("Forward to the view before going back"),
    ),
)
"""Those behind the colours."""
