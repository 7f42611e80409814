"""Blueprints that a release does not have, and uids that are not theirs: what is certain, and the fixes."""

from collections.abc import Sequence

import pytest

from recorder_editor.api import Recording
from recorder_editor.checks import check
from recorder_editor.checks.checking import fix, fixable
from recorder_editor.reading import Actors
from recorder_editor.recording import Finding

from .. import builders as b
from ..recording.films import opened

BLUEPRINT, UID = "replay-blueprint", "replay-uid"
STOCK = [("vehicle.audi.tt", 2), ("vehicle.nissan.patrol", 13), ("vehicle.tesla.model3", 24)]
MKZ = "vehicle.lincoln.mkz_2017"
Pairs = Sequence[tuple[str, int]]


def film(dialect: str, pairs: Pairs) -> bytes:
    release = b.RELEASES[dialect]
    actors = [b.actor(n, 0, name, b.xyz(2000.0 * n), uid=uid) for n, (name, uid) in enumerate(pairs, 10)]
    births = b.packet(2, b.event_add(actors, release.wide))
    return b.recording(b.frame(1, 0.0, 0.1, [births]), b.frame(2, 0.1, -1.0), version=release.version)


def found(recording: Recording) -> list[Finding]:
    return [each for each in check(recording.snapshot) if each.code in (BLUEPRINT, UID)]


def pairs_of(recording: Recording) -> Pairs:
    return [(life.blueprint, life.uid) for life in Actors.of(recording.snapshot)]


@pytest.mark.parametrize(
    ("dialect", "pair", "code", "fixed"),
    [
        ("ue4-0.9.12", ("vehicle.lincoln.mkz2017", 26), BLUEPRINT, (MKZ, 26)),
        ("ue4-0.9.16", ("vehicle.mini.cooperst", 11), BLUEPRINT, ("vehicle.mini.cooper_s", 11)),
        ("ue4-0.9.10", (MKZ, 26), BLUEPRINT, ("vehicle.lincoln.mkz2017", 26)),
        ("ue4-0.9.15", ("vehicle.taxi.ford", 5), BLUEPRINT, ("vehicle.dodge.charger_police_2020", 31)),
        ("ue4-0.9.15", (MKZ, 3), UID, (MKZ, 26)),
        ("ue4-0.9.15", ("walker.pedestrian.0001", 7), UID, ("walker.pedestrian.0001", 61)),
        ("ue4-0.9.16", (MKZ, 45), UID, (MKZ, 26)),
        ("ue4-2026", ("static.prop.bin", 7), UID, ("static.prop.bin", 115)),
    ],
)
def test_what_is_wrong_for_sure_is_found_and_fixed(
    dialect: str, pair: tuple[str, int], code: str, fixed: tuple[str, int]
) -> None:
    with opened(film(dialect, [*STOCK, pair, pair] if dialect != "ue4-0.9.10" else [pair, pair]), dialect) as recording:
        (finding,) = found(recording)
        assert (finding.code, finding.severity, finding.frame_index) == (code, "warning", 0)
        assert "2 actors are created as " + pair[0] in finding.message
        assert fixable(recording.snapshot, [finding]) == [finding]
        recording.apply(fix(recording.snapshot, [finding]))
        assert pairs_of(recording)[-2:] == [fixed, fixed]
        assert found(recording) == []
        recording.undo()
        assert pairs_of(recording)[-2:] == [pair, pair]


@pytest.mark.parametrize(
    ("dialect", "pairs"),
    [
        # Nothing is known of blueprints of one's own, nor of uids of early releases and of Unreal 5.
        ("ue4-0.9.15", [*STOCK, ("vehicle.own.model", 3), ("harplab.vehicle.model3", 7)]),
        ("ue4-0.9.6", [(MKZ.replace("_", ""), 5), ("vehicle.audi.tt", 9)]),
        ("ue5-0.10.0", [("vehicle.lincoln.mkz", 5), ("vehicle.ue4.audi.tt", 9)]),
        # A build of one's own, whose uids are others.
        ("ue4-0.9.15", [("vehicle.audi.tt", 3), ("vehicle.nissan.patrol", 14), ("walker.pedestrian.0001", 2)]),
        # Where the name makes actors, the uid of any vehicle will do.
        ("ue4-0.9.16", [*STOCK, (MKZ, 24), ("vehicle.seat.leon", 39)]),
        ("ue4-0.9.16", [(MKZ, 45), ("vehicle.own.model", 45)]),
        # Actors of the map, and those without a uid, are no business of these rules.
        ("ue4-0.9.15", [("traffic.stop", 0), ("spectator", 2), ("static.prop.bin", 0)]),
        ("ue4-0.9.10", [("walker.pedestrian.0020", 60)]),
    ],
)
def test_what_is_not_certain_is_no_finding(dialect: str, pairs: Pairs) -> None:
    with opened(film(dialect, pairs), dialect) as recording:
        assert found(recording) == []


@pytest.mark.parametrize(
    ("dialect", "pairs", "wrong", "fixed"),
    [
        ("ue5-0.10.0", [("vehicle.a.b", 5), ("vehicle.a.b", 5), ("vehicle.a.b", 6)], 2, ("vehicle.a.b", 5)),
        ("ue4-0.9.6", [("vehicle.a.b", 70), ("vehicle.a.b", 70), ("sensor.c.d", 70)], 2, None),
        ("ue5-2026", [("vehicle.a.b", 5), ("vehicle.c.d", 5), ("walker.e.f", 5)], 2, None),
        (
            "ue5-2026",
            [("vehicle.a.b", 5), ("vehicle.a.b", 5), ("walker.e.f", 5), ("walker.e.f", 8)],
            2,
            ("walker.e.f", 8),
        ),
    ],
)
def test_a_recording_itself_tells_whose_a_uid_is(
    dialect: str, pairs: Pairs, wrong: int, fixed: tuple[str, int] | None
) -> None:
    with opened(film(dialect, pairs), dialect) as recording:
        (finding,) = found(recording)
        assert pairs[wrong][0] in finding.message
        assert bool(fixable(recording.snapshot, [finding])) == (fixed is not None)
        if fixed is not None:
            recording.apply(fix(recording.snapshot, [finding]))
            assert pairs_of(recording)[wrong] == fixed
            assert found(recording) == []
