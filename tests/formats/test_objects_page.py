"""What the guide says of the table of objects: its columns are those of the table, its commands and programs work."""

import re
import shlex
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from recorder_editor import resources
from recorder_editor.cli import main
from recorder_editor.formats.road_user_boxes import SIZES_FROM
from recorder_editor.reading.osi_types import SUBTYPES

from ..reading.films import Actor, along, film
from ..roads.builders import lane, opendrive, road, section

ENGLISH, CHINESE = (
    resources.path(f"guide/{folder}objects.md").read_text(encoding="utf-8") for folder in ("", "zh_CN/")
)
COMMANDS = re.findall(r"^    recorder-editor (.*)$", ENGLISH, re.MULTILINE)
PROGRAMS = re.findall(r"```python\n(.*?)```", ENGLISH, re.DOTALL)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The recordings and the road map of the page, in the current folder."""
    actors = {
        1: Actor(along(0, 2, 0, 10), role="hero"),
        2: Actor(along(-10, -2, 0, 15)),
        3: Actor(along(5, 4, 90, 1), kind="walker"),
    }
    (tmp_path / "recordings").mkdir()
    film(tmp_path / "a.log", actors, seconds=1)
    film(tmp_path / "recordings" / "b.log", actors, seconds=0.1)
    (tmp_path / "Town05.xodr").write_bytes(opendrive(road(lanes=section(right=[lane(-1)]))))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def table() -> pl.DataFrame:
    for command in COMMANDS:
        assert main(shlex.split(command)) == 0
    return pl.read_parquet("a.parquet")


def run(program: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(program, "objects.md", "exec"), names)
    return names


def test_the_commands_write_the_columns_of_the_page(table: pl.DataFrame) -> None:
    assert len(COMMANDS) == 3
    columns = pl.read_csv("a.csv").columns
    assert list(Path("tables").rglob("*.parquet"))
    for page in (ENGLISH, CHINESE):
        rows = re.findall(r"^\| (`.*?`.*?) \|", page.partition("\n## ")[2], re.MULTILINE)
        told = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
        assert told[: len(table.columns)] == table.columns
        assert told[: told.index("front_left_bottom_x") + 1] == columns[:-23]
        for word in (*SIZES_FROM, *SUBTYPES.values()):
            assert f"`{word}`" in page


def test_the_program_with_polars(table: pl.DataFrame) -> None:
    names = run(PROGRAMS[0])
    assert names["fastest"].rows() == [(2, pytest.approx(15, abs=1e-3)), (1, pytest.approx(10, abs=1e-3))]
    assert len(names["tracks"]) == 3
    assert names["tracks"]["x"].list.len().to_list() == [21] * 3


def test_the_program_with_pandas(table: pl.DataFrame) -> None:
    pytest.importorskip("pandas")
    others = run(PROGRAMS[1])["others"]
    first = others[others["id"] == 2].iloc[0]
    assert (first["ahead"], first["left"]) == (pytest.approx(-10, abs=1e-3), pytest.approx(4, abs=1e-3))


def test_the_programs_of_both_languages_are_the_same() -> None:
    assert re.findall(r"```python\n(.*?)```", CHINESE, re.DOTALL) == PROGRAMS
    assert re.findall(r"^    recorder-editor (.*)$", CHINESE, re.MULTILINE) == COMMANDS
