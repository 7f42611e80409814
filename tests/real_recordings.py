"""Where the real recordings are, and which ones there are."""

from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
RECORDINGS = PROJECT.parent / "shared" / "recordings"
SOUND = (
    "carla-0.9.6-town03-walkers.rec",
    "carla-0.9.6-town03-collision.rec",
    "carla-0.9.10-town01-scene-lights.log",
    "carla-0.9.13-town01.log",
    "carla-0.9.13-town05-collisions.log",
    "carla-0.9.13-opendrive.log",
    "carla-0.9.15-town05-bikes.log",
)
SECOND = SOUND[1], SOUND[3], SOUND[5]
"""Of a dialect that another one has, too: they are for the long run."""
DAMAGED = "damaged-saved-as-text.log"
