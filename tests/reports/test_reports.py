"""What CARLA's three reports share: head, foot, numbers, families, and how they run (format reference, section 7)."""

import time
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from recorder_editor.errors import Cancelled
from recorder_editor.progress import Progress
from recorder_editor.recording import Row, Snapshot
from recorder_editor.reports.blocked import blocked, blocked_report
from recorder_editor.reports.collisions import collision_report
from recorder_editor.reports.info import info_report
from recorder_editor.reports.text import FAMILIES, Family, family_of, format_general, format_whole

from .. import builders as b
from ..recording.films import add, film, opened
from .texts import CAST, HEAD, hits, info, lines_of, one


def test_the_head_names_version_map_and_date_and_the_foot_frames_and_duration() -> None:
    data = b.recording(b.frame(1, 0.0, 0.25), b.frame(2, 0.25, -1.0))
    assert info(data, everything=False) == HEAD + "\nFrames: 2\nDuration: 0.25 seconds\n"


def test_the_date_is_local_unless_utc_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        with opened(b.recording(b.frame(1))) as recording:
            assert b"Date: 11/23/21 23:08:48\n" in b"".join(info_report(recording.snapshot))
            assert b"Date: 11/23/21 14:08:48\n" in b"".join(info_report(recording.snapshot, utc=True))
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize("report", [info_report, collision_report, blocked_report])
def test_a_file_that_is_no_recording_is_told_in_one_line(report: Any) -> None:
    with opened(b"no recording at all", None) as recording:
        assert b"".join(report(recording.snapshot)) == b"File is not a CARLA recorder\n"


def printed(value: float) -> str:
    """The number as C's standard describes %g: six digits, by a power of ten outside of 1e-4 to 1e6, no zeros behind.

    Worked out in decimals, which hold every float exactly.
    """
    exact = Decimal(value)
    if not exact:
        return "-0" if exact.is_signed() else "0"
    rounded = Context(prec=6, rounding=ROUND_HALF_EVEN).plus(exact)
    power = rounded.adjusted()
    digits = "".join(map(str, rounded.as_tuple().digits)).ljust(6, "0")
    sign = "-" if value < 0 else ""
    if not -4 <= power < 6:
        behind = digits[1:].rstrip("0")
        return f"{sign}{digits[0]}{'.' if behind else ''}{behind}e{'-' if power < 0 else '+'}{abs(power):02d}"
    if power < 0:
        digits, power = "0" * -power + digits, 0
    behind = digits[power + 1 :].rstrip("0")
    return f"{sign}{digits[: power + 1]}{'.' if behind else ''}{behind}"


@given(st.floats(allow_nan=False, allow_infinity=False) | st.floats(-1e7, 1e7, width=32) | st.integers(-(10**7), 10**7))
@example(1e-5)
@example(99999.95)
@example(999999.5)
@example(0.00001234565)
def test_a_number_has_six_digits_as_the_standard_of_c_says(value: float) -> None:
    assert format_general(float(value)) == printed(float(value))


@pytest.mark.parametrize(("value", "text"), [(0.5, "0"), (1.5, "2"), (2.5, "2"), (-0.2, "-0"), (1e20, "1" + "0" * 20)])
def test_a_number_without_decimals_rounds_halves_to_even(value: float, text: str) -> None:
    assert format_whole(value) == text


@pytest.mark.parametrize(("bits", "text"), [(0x7FF8 << 48, "nan"), (0xFFF8 << 48, "-nan"), (0x7FF << 52, "inf")])
def test_times_that_are_no_numbers_are_told_as_glibc_does(bits: int, text: str) -> None:
    data = b.recording(b.frame(1, b.Bits64(bits), -1.0, [CAST, hits((7, 8, False, False))]))
    assert lines_of(data).startswith(f"Frame 1 at {text} seconds\n")
    assert info(data).endswith(f"\nFrames: 1\nDuration: {text} seconds\n")
    with opened(data) as recording:
        told = b"".join(collision_report(recording.snapshot)).decode()
        assert f"\n{text:>8}   v w " in told
        assert told.endswith(f"Duration: {text} seconds\n")


@pytest.mark.parametrize(
    ("bits", "text"),
    [
        (0x7FC00000, "nan"),
        (0xFFC00000, "-nan"),
        (0x7F800000, "inf"),
        (0xFF800000, "-inf"),
        (0x80000000, "-0"),
        (0x3727C5AC, "1e-05"),
        (0x49967E54, "1.23284e+06"),
    ],
)
def test_odd_numbers_are_written_as_glibc_does(bits: int, text: str) -> None:
    place = b.xyz(b.Bits32(bits))
    box = {"id": 5, "origin": place, "extent": b.xyz()}
    born = b.actor(5, 1, "vehicle.audi.tt", place)
    assert lines_of(film([add(born), b.packet(13, b.bounding_box([box] * 9))])) == (
        f"Frame 1 at 0 seconds\n Create 5: vehicle.audi.tt (1) at ({text}, 0, 0)\n Actor bounding boxes: 9\n"
        + f"  Id: 5 origin: ({text}, 0, 0) extension: (0, 0, 0)\n" * 9
    )


def test_texts_that_are_not_utf8_come_out_as_they_were() -> None:
    with opened(one(2, b.event_add([b.actor(3, blueprint=b.NOT_UTF8)]))) as recording:
        text = b"".join(info_report(recording.snapshot))
        assert b" Create 3: " + b.NOT_UTF8 + b" (1) at (0, 0, 0)\n" in text


@pytest.mark.parametrize(
    ("dialect", "family"),
    [
        ("ue4-0.9.4", "0.9.4"),
        ("ue4-0.9.6", "0.9.6"),
        ("ue4-0.9.10", "0.9.10"),
        ("ue4-0.9.14", "0.9.13"),
        ("ue4-doors", "0.9.15"),
        ("ue4-2026", "newest"),
        ("ue5-0.10.0", "0.9.15"),
    ],
)
def test_the_family_is_that_of_the_release_that_wrote_the_file(dialect: str, family: str) -> None:
    with opened(film([]), dialect) as recording:
        assert family_of(recording.snapshot) == family


@pytest.mark.parametrize("report", [info_report, collision_report, blocked_report])
def test_a_report_can_be_cancelled_and_tells_how_far_it_is(report: Any) -> None:
    stands = b.packet(6, b.position([b.pose(7, b.xyz(1.0), b.turn())]))
    with opened(film([CAST, stands], *[[hits((7, 8, False, False)), stands]] * 200)) as recording:
        with pytest.raises(Cancelled):
            list(report(recording.snapshot, progress=Progress(is_cancelled=lambda: True)))
        steps: list[tuple[int, int]] = []
        list(report(recording.snapshot, progress=Progress(lambda done, total: steps.append((done, total)))))
        assert steps == [(0, 201), (64, 201), (128, 201), (192, 201), (201, 201)]


@pytest.mark.parametrize("family", FAMILIES)
def test_frames_without_records_are_told_of_unread(family: Family, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    make = Snapshot._make

    def counted(snapshot: Snapshot, row: int) -> Row:
        read.append(row)
        return make(snapshot, row)

    position = b.packet(6, b.position([b.pose(100, b.xyz(1.0), b.turn())]))
    empty = [b.frame(number, number / 10, 0.1) for number in range(2, 6)]
    data = b.recording(
        b.frame(1, 0.0, 0.1, [add(b.actor(100))]),
        *empty,
        b.frame(6, 0.6, 0.1, [position]),
        b.frame(7, 0.7, 0.1, [position]),
        b.frame(8, 0.8, -1.0),
    )
    with opened(data) as recording:
        snapshot = recording.snapshot
        monkeypatch.setattr(Snapshot, "_make", counted)
        told = b"".join(info_report(snapshot, show_all=True, family=family)).decode()
        assert set(read) <= {0, 5, 6, 7}
        read.clear()
        stays = blocked(snapshot, min_time=0.1)
        assert set(read) <= {0, 5, 6}
    times = [f"Frame {number} at {number / 10:g} seconds" for number in range(2, 6)]
    if family == "0.9.4":  # it shows no more with `show_all` than without it
        assert not any(time in told for time in times)
    else:
        between = "\n\n" if family == "newest" else "\n"
        assert between.join(times) in told
    assert [(stay.actor, stay.frame) for stay in stays] == [(100, 5)]
