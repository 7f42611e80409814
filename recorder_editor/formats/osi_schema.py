"""The messages of ASAM OSI, by the description of them that the package betterosi has. Needs the extra `[osi]`."""

from functools import cache
from typing import Any

import betterosi
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass

VERSION: str = betterosi.__version_osi__
"""The version of OSI that is written and read, as `3.8.0`."""

GROUND_TRUTH_TOPIC = "ground_truth"
"""The channel of messages GroundTruth in files for omega-prime."""
MAP_TOPIC = "ground_truth_map"
"""The channel of the one message MapAsamOpenDrive."""


@cache
def _pool() -> DescriptorPool:
    pool = DescriptorPool()
    for file in FileDescriptorSet.FromString(betterosi.load_descriptor_set(VERSION)).file:
        pool.Add(file)
    return pool


@cache
def message_class(name: str) -> Any:
    """Return the class of messages of a name, as `GroundTruth`."""
    return GetMessageClass(_pool().FindMessageTypeByName(f"osi3.{name}"))


@cache
def enumeration(name: str) -> dict[str, int]:
    """Return the numbers of an enumeration by its names.

    Args:
        name: Its name below `osi3`, as `MovingObject.Type`.
    """
    values = _pool().FindEnumTypeByName(f"osi3.{name}").values
    return {value.name: value.number for value in values}
