"""Guess of the map of a recording by the places of its traffic lights, for the towns listed here."""

from collections.abc import Mapping
from math import isfinite

from ..recording.actors import Actors
from ..recording.snapshot import Snapshot

_PLACES: Mapping[str, str] = {
    "Town01": "7571,33334 8572,11975 9498,7041 9504,1256 10271,19255 14312,483 16068,1256 32168,13613 "
    "32380,498 33199,11893 34125,6950 34136,1271",
    "Town03": "-15824,-931 -9700,369 -9398,14585 -6719,-707 -1520,14346 -958,-21276 1662,-14675 2046,-18789 "
    "7322,-12329 9553,-21419 14333,-12152 16367,-21669",
    "Town05": "-20155,1245 -14303,-15001 -13935,-10085 -13850,13755 -11315,1160 -11230,10110 -6125,7670 "
    "-3960,-7810 -3855,1160 1860,-995 2025,-9990 4025,-1110",
}
"""Places of a dozen lights of each town: x,y in centimetres, truncated as the replayer does."""

_LIGHTS = {
    name: frozenset(tuple(map(int, place.split(","))) for place in places.split()) for name, places in _PLACES.items()
}

_ENOUGH = 0.75


def guess_map(snapshot: Snapshot) -> str | None:
    """The name of the map, or None if its lights are unknown."""
    lives = Actors.of(snapshot).lives
    places = {
        (int(life.transform.x), int(life.transform.y))
        for life in lives
        if life.blueprint.startswith("traffic.traffic_light")
        and isfinite(life.transform.x)
        and isfinite(life.transform.y)
    }
    shares = {name: len(lights & places) / len(lights) for name, lights in _LIGHTS.items()}
    best = max(shares, key=lambda name: shares[name])
    return best if shares[best] >= _ENOUGH else None
