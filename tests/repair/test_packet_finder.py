"""Which records of a damaged EventAdd are believed."""

from recorder_editor.format.dialects import DIALECTS
from recorder_editor.repair.packet_finder import parse_spawn_records
from tests import builders as b


def born(attributes: int) -> bytes:
    return b.event_add([b.actor(7, attributes=[b.attribute(3, "role_name", "hero")] * attributes)])[2:]


def test_an_actor_of_more_attributes_than_any_has_is_not_believed_and_the_next_one_is() -> None:
    body = b.u16(2) + born(1_001) + born(1_000)
    found = parse_spawn_records(DIALECTS["ue4-0.9.12"].packets[2], body)
    assert found.body == b.u16(1) + born(1_000)
    assert (found.number, found.lost_records) == (1, 1)
