"""Edits of whole actors: who is there, when, as what, under which id, and copies of them."""

from .copying import duplicate_actor, paste_actor
from .describing import set_attribute, set_blueprint, set_hero, set_role
from .removing import keep_only_actors, remove_actors, remove_from_frame
from .renumbering import set_actor_id, swap_actors
from .trimming import trim_life

__all__ = [
    "duplicate_actor",
    "keep_only_actors",
    "paste_actor",
    "remove_actors",
    "remove_from_frame",
    "set_actor_id",
    "set_attribute",
    "set_blueprint",
    "set_hero",
    "set_role",
    "swap_actors",
    "trim_life",
]
