"""Where the real recordings and the published road maps are, and which ones there are."""

import os
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
RECORDINGS = PROJECT.parent / "shared" / "recordings"
MAPS = PROJECT.parent / "shared" / "maps"
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
ONE = SOUND[-1]
"""What the short run takes where one is enough and any would do: small, with packets that only newer releases write.

It holds no Kinematics, PlatformTime, BoundingBox, PhysicsControl, TrafficLightTime, AnimWalker, EventParent, EventDel
or Collision: tests that are about them take others (`of_real` of tests/recording/films.py). The first Collision of the
recording of collisions is in frame 462.
"""

only_one = pytest.mark.parametrize(
    "sound_recording", [pytest.param(name, marks=[pytest.mark.long] * (name != ONE)) for name in SOUND], indirect=True
)
"""Decorator of a test of which `sound_recording`, or the beginning of it, is the last one only; with `--long` all."""
DAMAGED = "damaged-saved-as-text.log"


def missing(reason: str, *, may_be: bool = False) -> None:
    """Skip, or fail where CI is set, unless it may be missing there."""
    if os.environ.get("CI") and not may_be:
        pytest.fail(reason)
    pytest.skip(reason)
