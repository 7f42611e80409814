"""What a server would do with a file that it cannot print: it loses its place, or crashes."""

from pathlib import Path
from typing import Any

import pytest

import recorder_editor
from recorder_editor.demo import make_town
from recorder_editor.reports.blocked import BLOCKED_READS, blocked_report
from recorder_editor.reports.collisions import COLLISIONS_READS, collision_report
from recorder_editor.reports.info import info_reads, info_report
from recorder_editor.reports.remarks import remarks, server_of
from recorder_editor.reports.text import FAMILIES, Family, family_of

from .. import builders as b
from ..recording.films import film, opened

HERE = Path("drive one.log")


def told(recording: recorder_editor.Recording, family: Family | None, *, show_all: bool = True) -> list[str]:
    reads = info_reads(recording.dialect, family or family_of(recording.snapshot), show_all=show_all)
    return remarks(recording.snapshot, HERE, family, reads)


@pytest.mark.parametrize(
    ("dialect", "family", "server"),
    [
        ("ue4-0.9.10", "0.9.13", "ue4-0.9.12"),
        ("ue4-0.9.12", "0.9.10", "ue4-0.9.10"),
        ("ue4-doors", "0.9.15", "ue4-0.9.15"),
        ("ue4-0.9.4", "newest", "ue4-2026"),
        ("ue5-2026", "0.9.15", "ue5-0.10.0"),
        ("ue5-0.10.0", "newest", "ue5-2026"),
        ("ue5-2026", "0.9.13", "ue4-0.9.12"),
    ],
)
def test_the_server_of_a_release_is_one_of_the_engine_of_the_file_if_there_is_one(
    dialect: str, family: Family, server: str
) -> None:
    with opened(film([]), dialect) as recording:
        assert server_of(recording.dialect, family).name == server


@pytest.mark.parametrize("server", b.RELEASES)
def test_the_server_of_a_dialect_is_that_one(server: str) -> None:
    with opened(film([]), "ue4-0.9.10") as recording:
        assert server_of(recording.dialect, server).name == server


@pytest.mark.parametrize("release", b.RELEASES)
@pytest.mark.parametrize("family", FAMILIES)
def test_a_server_that_loses_its_place_is_told_with_the_packets_and_the_command(release: str, family: Family) -> None:
    """Of recordings that hold every packet of their release."""
    with opened(b.everything(release), release) as recording:
        assert told(recording, None) == []
        server = server_of(recording.dialect, family)
        expected = misread(release, server.name, family)
        lines = told(recording, family)
        assert len(lines) == bool(expected)
        if expected:
            (line,) = lines
            assert f"A server of {server.releases} loses its place in this file" in line
            assert line.endswith(
                f"recorder-editor convert 'drive one.log' 'drive one-{server.name}.log' --write-as {server.name}"
            )
            assert all(name in line for name in expected)


WITHOUT_PHYSICS = ("ue4-0.9.4", "ue4-0.9.6")
OLD_WHEELS = ("ue4-0.9.10",)
DOORS_AT_21 = ("ue4-doors", "ue5-0.10.0")
DOORS_AT_23 = ("ue4-0.9.16", "ue4-2026", "ue5-2026")


def misread(file: str, server: str, family: Family) -> set[str]:
    """Packets that are read otherwise, by hand from sections 3.3, 4 and 7.1 of the format reference."""
    if file.startswith("ue5") and server.startswith("ue4"):
        return {"EventAdd"} if family == "0.9.4" else {"EventAdd", "Position"}
    found = set()
    if not {file, server} & set(WITHOUT_PHYSICS) and (file in OLD_WHEELS) != (server in OLD_WHEELS):
        found.add("PhysicsControl")
    if file in DOORS_AT_21 and server in DOORS_AT_23:
        found.add("AnimBiker")
    if file in DOORS_AT_23 and server in DOORS_AT_21:
        found.add("AnimVehicleWheels")
    return found


def test_what_the_file_does_not_hold_makes_nobody_lose_its_place() -> None:
    for packets in ([], [b.packet(15, b.u16(0))]):
        with opened(film(packets), "ue4-0.9.10") as recording:
            assert told(recording, "0.9.13") == []
    physics = b.packet(15, b.physics_control([b.physics(False)], stiffness=False))
    with opened(film([physics]), "ue4-0.9.10") as recording:
        assert len(told(recording, "0.9.13")) == 1
        assert told(recording, "0.9.13", show_all=False) == []  # skipped by its size


def test_the_other_reports_read_fewer_packets() -> None:
    with opened(b"".join(make_town(1.0, dialect="ue5-2026", seed=3)), None) as recording:
        for reads in (COLLISIONS_READS, BLOCKED_READS):
            assert remarks(recording.snapshot, HERE, "0.9.15", reads) == []
            (line,) = remarks(recording.snapshot, HERE, "0.9.13", reads)
            assert "EventAdd" in line
            assert ("Position" in line) is (reads is BLOCKED_READS)


@pytest.mark.parametrize("report", [info_report, collision_report, blocked_report])
@pytest.mark.parametrize(
    ("date", "words"),
    [
        (1 << 62, "crashes when it prints the date 4611686018427387904"),
        (-(1 << 63), "crashes when it prints the date -9223372036854775808"),
        (0, "what it would print is not known"),
    ],
)
def test_a_file_that_the_server_takes_for_a_recording_is_not_denied(report: Any, date: int, words: str) -> None:
    with opened(b.recording(b.frame(1), date=date), None) as recording:
        assert b"".join(report(recording.snapshot)) == b""
        (line,) = told(recording, None)
        assert words in line


def test_a_file_that_is_no_recording_needs_no_remark() -> None:
    with opened(b"no recording at all", None) as recording:
        assert told(recording, "0.9.15") == []
