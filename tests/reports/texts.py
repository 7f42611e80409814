"""Small recordings for the tests of CARLA's reports, and the info text of one."""

from recorder_editor.reports.info import info_report
from recorder_editor.reports.text import Family

from .. import builders as b
from ..recording.films import add, opened

CAST = add(b.actor(7, 1, "vehicle.audi.tt"), b.actor(8, 2, "walker.pedestrian.0001"), b.actor(9, 4, "traffic.stop"))
HEAD = "Version: 1\nMap: Town01\nDate: 11/23/21 14:08:48\n\n"


def info(data: bytes, family: Family | None = None, *, everything: bool = True, dialect: str = "ue4-0.9.12") -> str:
    with opened(data, dialect) as recording:
        pieces = info_report(recording.snapshot, show_all=everything, family=family, utc=True)
        return b"".join(pieces).decode("utf-8", "surrogateescape")


def lines_of(data: bytes, family: Family | None = None, *, everything: bool = True, dialect: str = "ue4-0.9.12") -> str:
    """What stands between head and foot."""
    text = info(data, family, everything=everything, dialect=dialect)
    assert text.startswith(HEAD)
    return text.removeprefix(HEAD).rpartition("\n\nFrames: ")[0] + "\n"


def one(number: int, body: bytes) -> bytes:
    """A recording of one frame that holds one packet."""
    return b.recording(b.frame(1, 0.5, -1.0, [b.packet(number, body)]))


def hits(*pairs: tuple[int, int, bool, bool]) -> bytes:
    return b.packet(
        5,
        b.collision(
            [
                {"id": number, "actor1": one, "actor2": two, "hero1": hero, "hero2": hero_too}
                for number, (one, two, hero, hero_too) in enumerate(pairs)
            ]
        ),
    )


def at(*places: tuple[int, float]) -> bytes:
    return b.packet(6, b.position([b.pose(actor, b.xyz(x)) for actor, x in places]))
