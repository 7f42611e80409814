"""highD's three files: what is read of them, and the sentences where they are broken."""

import struct
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from recorder_editor.analysis.constants import Options
from recorder_editor.analysis.highd import _META, _TRACKS, load, merge, recordings_in
from recorder_editor.analysis.libraries import AnalysisError
from recorder_editor.fleet.l1 import build_many

from . import highd


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    highd.write(tmp_path, 7, highd.traffic(8))
    return tmp_path


def swapped(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def refusal(folder: Path) -> str:
    with pytest.raises(AnalysisError) as refused:
        merge(load(folder, 7))
    return refused.value.message


def test_the_numbers_that_are_present_are_found(folder: Path) -> None:
    highd.write(folder, 60, highd.traffic(4))
    highd.write(folder, 61, highd.traffic(4))
    (folder / "03_tracksMeta.csv").touch()
    assert recordings_in(folder) == [3, 7, 60]


def test_every_row_knows_its_class_size_and_direction(folder: Path) -> None:
    raw = load(folder, 7)
    assert (raw.number, raw.rate, raw.picture) == (7, 25.0, (1280, 720))
    rows, written = merge(raw), highd.traffic(8)
    assert rows["trackId"].tolist() == written["id"].tolist()
    assert (rows["veh_class"] == np.where(written["class"] == "Truck", 2, 1)).all()
    assert (rows["drivingDirection"] == written["direction"]).all()
    np.testing.assert_allclose(rows["width"], written["width"], atol=0.005)
    assert rows["global_track_id"].dtype == np.int64
    assert (rows["global_track_id"] == 70_000 + written["id"]).all()
    np.testing.assert_allclose(rows["time"], written["frame"] / 25.0)


def test_rows_in_any_order_become_tracks_in_order_of_time(folder: Path) -> None:
    before = merge(load(folder, 7))
    path = folder / "07_tracks.csv"
    names, *lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([names, *sorted(lines)]) + "\n", encoding="utf-8")
    after = merge(load(folder, 7))
    for name in ("trackId", "frame", "x_raw"):
        np.testing.assert_array_equal(after[name], before[name])


def test_columns_may_stand_in_any_order_and_text_stays_text(folder: Path) -> None:
    path = folder / "07_recordingMeta.csv"
    names, values = (line.split(",") for line in path.read_text(encoding="utf-8").splitlines())
    path.write_text(",".join(names[::-1]) + "\r\n" + ",".join(values[::-1]) + "\r\n", encoding="utf-8-sig")
    assert "10.2017" in values
    assert load(folder, 7).rate == 25.0


def test_the_picture_tells_its_size(folder: Path) -> None:
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 1024, 300)
    (folder / "07_highway.png").write_bytes(head + bytes(9))
    assert load(folder, 7).picture == (1024, 300)
    (folder / "07_highway.png").write_bytes(b"GIF89a" + bytes(30))
    assert load(folder, 7).picture == (1280, 720)


def test_a_missing_file_is_named(folder: Path) -> None:
    (folder / "07_tracksMeta.csv").unlink()
    assert "07_tracksMeta.csv is missing" in refusal(folder)


def test_missing_columns_are_named(folder: Path) -> None:
    swapped(folder / "07_tracks.csv", "xVelocity,yVelocity,xAcceleration", "speed,yVelocity,pull")
    assert refusal(folder) == "07_tracks.csv lacks the columns xVelocity, xAcceleration."


def test_a_word_in_place_of_a_number_is_named(folder: Path) -> None:
    swapped(folder / "07_tracks.csv", "\n1,1,", "\nfirst,1,")
    assert refusal(folder) == "07_tracks.csv cannot be read: “first” is not a value for the column frame."


def test_a_line_that_breaks_off_is_named(folder: Path) -> None:
    path = folder / "07_tracks.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([*lines, "1000,8,3.5"]), encoding="utf-8")
    assert refusal(folder) == f"07_tracks.csv, line {len(lines) + 1}: there is no value in the column y."


def test_a_place_that_is_no_number_is_named(folder: Path) -> None:
    path = folder / "07_tracks.csv"
    names, first, *rest = path.read_text(encoding="utf-8").splitlines()
    values = first.split(",")
    values[2] = "NaN"
    path.write_text("\n".join([names, ",".join(values), *rest]), encoding="utf-8")
    assert refusal(folder) == "07_tracks.csv, line 2: x is not a finite number."


def test_an_empty_recording_is_refused(folder: Path) -> None:
    path = folder / "07_tracks.csv"
    path.write_text(path.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    assert refusal(folder) == "07_tracks.csv holds no rows."


def test_a_row_that_comes_twice_is_named(folder: Path) -> None:
    path = folder / "07_tracks.csv"
    names, first, *rest = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([names, first, first, *rest]), encoding="utf-8")
    assert refusal(folder) == "Recording 07: track 1 has two rows of frame 1."


def test_a_track_that_nobody_told_of_is_named(folder: Path) -> None:
    path = folder / "07_tracksMeta.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
    assert refusal(folder) == "07_tracks.csv holds track 8, which is not in 07_tracksMeta.csv."
    path.write_text("\n".join([*lines, lines[-1]]) + "\n", encoding="utf-8")
    assert refusal(folder) == "07_tracksMeta.csv has track 8 twice."


def test_an_unknown_class_is_named(folder: Path) -> None:
    swapped(folder / "07_tracksMeta.csv", "Truck", "Bus")
    assert "track 5 is of class “Bus”" in refusal(folder)


@pytest.mark.parametrize("change", [("7,25", "8,25"), ("7,25", "7,0")])
def test_a_recording_of_another_number_or_without_time_is_refused(folder: Path, change: tuple[str, str]) -> None:
    swapped(folder / "07_recordingMeta.csv", *change)
    assert "with the id 7 and a frameRate from 0.01 to 10,000" in refusal(folder)


def with_value(path: Path, column: str, value: str) -> None:
    """Put a value into the first row of a file."""
    names, first, *rest = path.read_text(encoding="utf-8").splitlines()
    values = first.split(",")
    values[names.split(",").index(column)] = value
    path.write_text("\n".join([names, ",".join(values), *rest]) + "\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "column", "value", "said"),
    [
        ("tracksMeta", "width", "nan", "width is not a finite number."),
        ("tracksMeta", "height", "inf", "height is not a finite number."),
        ("tracksMeta", "width", "1e300", "width is too large."),
        ("tracks", "x", "-1e300", "x is too large."),
        ("tracks", "xVelocity", "1e8", "xVelocity is too large."),
    ],
)
def test_a_size_or_place_that_the_table_cannot_hold_is_named(
    folder: Path, name: str, column: str, value: str, said: str
) -> None:
    with_value(folder / f"07_{name}.csv", column, value)
    assert refusal(folder) == f"07_{name}.csv, line 2: {said}"


CELLS = [
    ("recordingMeta", "frameRate"),
    *(("tracksMeta", column) for column in _META),
    *(("tracks", column) for column in _TRACKS),
]
"""The cells that are read."""


@pytest.mark.parametrize(("name", "column"), CELLS)
def test_a_number_without_bounds_is_refused_or_does_no_harm(
    folder: Path, tmp_path: Path, name: str, column: str
) -> None:
    path = folder / f"07_{name}.csv"
    sound = path.read_bytes()
    for value in ("1e308", "-1e308", "1e7", "-1e7", "1e-308", "2147483647"):
        path.write_bytes(sound)
        with_value(path, column, value)
        (outcome,) = build_many(folder, tmp_path / "out", [7], Options(), workers=1)
        assert outcome.error is None or outcome.error.startswith("07_")


@pytest.mark.parametrize("name", ["recordingMeta", "tracksMeta", "tracks"])
def test_a_quotation_mark_that_is_never_closed_is_a_sentence(
    folder: Path, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with (folder / f"07_{name}.csv").open("a", encoding="utf-8") as file:
        file.write('"\n')
    assert refusal(folder).startswith(f"07_{name}.csv")
    assert capfd.readouterr() == ("", "")


def test_where_polars_panics_the_other_recordings_go_on(folder: Path, tmp_path: Path) -> None:
    """A panic of polars is no `Exception`; whatever makes it panic must not end the work on other recordings."""
    highd.write(folder, 8, highd.traffic(8))
    read = pl.read_csv

    def panics(path: Path, **options: object) -> pl.DataFrame:
        if path.name == "07_tracks.csv":
            raise pl.exceptions.PanicException("index out of bounds")
        return read(path, **options)  # type: ignore[arg-type] # handed on

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pl, "read_csv", panics)
        first, second = build_many(folder, tmp_path / "out")
    assert first.error == "07_tracks.csv cannot be read: index out of bounds."
    assert second.result is not None
