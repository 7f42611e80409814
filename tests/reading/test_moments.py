"""What people type for a moment."""

import pytest

from recorder_editor.reading.moments import frame_number, seconds_of


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("5", 5.0),
        (" 5s ", 5.0),
        ("12.5 s", 12.5),
        ("500ms", 0.5),
        ("2min", 120.0),
        ("-3", -3.0),
        ("1e2", 100.0),
        ("0:05", 5.0),
        ("1:02:30.5", 3750.5),
        ("-0:05", -5.0),
        ("100:00:00", 360000.0),
    ],
)
def test_times(text: str, seconds: float) -> None:
    assert seconds_of(text) == seconds
    assert frame_number(text) is None


@pytest.mark.parametrize(
    "text", ["", "soon", "nan", "inf", "1:2:3:4", "5:", ":5", "1:002", "0x10", "5 m", "f5", "1_0", "١٢", "--5", "e"]
)
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        seconds_of(text)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("f250", 250),
        ("F250", 250),
        ("#250", 250),
        (" f 1,250 ", 1250),
        ("f0", None),
        ("f-1", None),
        ("f", None),
        ("f1.5", None),
        ("250", None),
        ("f" + 30 * "9", None),
    ],
)
def test_frames(text: str, number: int | None) -> None:
    assert frame_number(text) == number
