"""The layers of the scene, from the ground up. A new layer is a module and its line in `LAYERS`."""

from .actor_layer import ActorShapes, Props, TrafficLights
from .conflict_layer import Conflicts
from .label_layer import Labels
from .layer import Layer
from .mark_layer import Collisions, LeaderLines, Rings
from .marked_paths import MarkedPaths
from .other_layer import ComparedThing, OtherRecording, WipeLine
from .overlays import Grid, Overlays
from .path_keys import PathKeys
from .ray_lines import RayLines
from .recorded_paths import RecordedPaths
from .road_layer import Roads
from .sign_legend import SignLegend
from .tool_layer import DrawnPath, FormerPlaces, Ghosts, Tools
from .trail_lines import TrailLines

LAYERS: tuple[type[Layer], ...] = (
    Roads,
    RecordedPaths,
    Grid,
    TrailLines,
    Props,
    TrafficLights,
    OtherRecording,
    LeaderLines,
    Conflicts,
    ActorShapes,
    MarkedPaths,
    FormerPlaces,
    RayLines,
    Rings,
    Collisions,
    ComparedThing,
    WipeLine,
    PathKeys,
    Labels,
    DrawnPath,
    Ghosts,
    Tools,
    SignLegend,
    Overlays,
)
"""What is drawn first lies lowest."""

__all__ = ["LAYERS", "Layer", "RecordedPaths", "Roads", "WipeLine"]
