"""The town of a map, whose name recordings, files and simulators spell in several ways."""

import re


def town_of(map_name: str) -> str:
    """Return the town of a map: that of `/Game/Carla/Maps/Town01`, `Carla/Maps/Town01_Opt` and `Town01` is `Town01`."""
    return re.split(r"[/\\]", map_name.rstrip("/\\"))[-1].removesuffix("_Opt")


def town_key(map_name: str) -> str:
    """Return a text that is the same for all names of maps with the same roads, in small letters; empty without one."""
    town = town_of(map_name).lower().removesuffix("_opt")
    # The simulator has the roads of Town10 in high definition only, and calls them by both names.
    if town == "town10":
        return "town10hd"
    return town


def is_same_town(one: str, other: str) -> bool:
    """Whether two maps, by name, have the same roads."""
    return bool(town_key(one)) and town_key(one) == town_key(other)


def file_names(map_name: str) -> frozenset[str]:
    """Return the names, in small letters and without an ending, that the file of a map may have."""
    town = town_key(map_name)
    if not town:
        return frozenset()
    towns = {town}
    if town == "town10hd":
        towns.add("town10")
    return frozenset(towns | {f"{name}_opt" for name in towns})
