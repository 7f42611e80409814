"""Finding the road map of a recording: by the name of its town, in the order of the guide, and from a simulator."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from recorder_editor.errors import Cancelled
from recorder_editor.extras import remedy
from recorder_editor.progress import Progress
from recorder_editor.simulator.road_maps import (
    FoundMap,
    find_road_maps,
    is_same_town,
    map_cache,
    take_from_simulator,
    town_of,
)
from recorder_editor.simulator.server import NoSimulator
from tests.roads.builders import opendrive, road
from tests.simulator import answer_with, answer_with_map

MAP = opendrive(road())


def find_road_map(*arguments: Any, **more: Any) -> FoundMap | None:
    """The first map that is found."""
    return next(find_road_maps(*arguments, **more), None)


def put(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(MAP)
    return path


def names(found: FoundMap | None) -> tuple[str, str] | None:
    return None if found is None else (found.path.name, found.origin)


def test_a_town_has_one_name() -> None:
    for name in ("/Game/Carla/Maps/Town01", "Carla/Maps/Town01_Opt", "Town01", "Carla\\Maps\\Town01"):
        assert town_of(name) == "Town01"
        assert is_same_town(name, "town01")
    assert is_same_town("Town10HD_Opt", "Town10")
    assert not is_same_town("Town01", "Town10")
    assert not is_same_town("", "")


def test_maps_are_found_in_the_order_of_the_guide(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recording = tmp_path / "here" / "a.log"
    folder, root = tmp_path / "kept", tmp_path / "CARLA"
    chosen = put(tmp_path / "mine.xodr")
    places = [
        put(recording.parent / "Town01.xodr"),
        put(recording.parent / "maps" / "town01_opt.XODR"),
        put(folder / "Town01.xodr"),
        put(root / "CarlaUE4" / "Content" / "Carla" / "Maps" / "OpenDrive" / "Town01.xodr"),
        put(root / "Plugins" / "OpenDrive" / "Town01.xodr"),
        put(map_cache() / "Town01.xodr"),
    ]
    for other in ("Town010.xodr", "Town01.xml", "Town02.xodr"):
        put(recording.parent / other)
    put(root / "Elsewhere" / "Town01.xodr")
    monkeypatch.setenv("CARLA_ROOT", str(root))
    folders = (folder, tmp_path / "absent")
    found = list(find_road_maps("Carla/Maps/Town01", recording, chosen, folders=folders))
    assert [each.path for each in found] == [chosen, *places]
    assert [each.origin for each in found] == [
        "chosen",
        "beside the recording",
        "in maps beside the recording",
        f"in {folder}",
        f"in {root}",
        f"in {root}",
        "taken from the simulator",
    ]
    assert find_road_map("Carla/Maps/Town01", recording, folders=folders) == found[1]
    assert names(find_road_map("Town02", recording, folders=folders)) == ("Town02.xodr", "beside the recording")
    assert find_road_map("Town05", recording, folders=folders) is None


def test_a_name_never_leads_out_of_the_folders(tmp_path: Path, home: Path) -> None:
    put(tmp_path / "secret.xodr")
    recording = tmp_path / "here" / "a.log"
    put(recording.parent / "Town01.xodr")
    for name in ("../secret", "..\\secret", str(tmp_path / "secret"), "", "/", ".."):
        assert find_road_map(name, recording) is None


def test_the_map_of_a_simulator_is_kept(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer_with_map("Carla/Maps/Town01", MAP, tmp_path, monkeypatch)
    path = take_from_simulator("Town01_Opt")
    assert path.read_bytes() == MAP
    assert names(find_road_map("Town01", tmp_path / "a.log")) == ("Town01.xodr", "taken from the simulator")


@pytest.mark.parametrize("name", ["", ".."])
def test_no_simulator_is_asked_for_a_map_without_a_name(home: Path, name: str) -> None:
    with pytest.raises(NoSimulator, match="This recording does not name its map"):
        take_from_simulator(name)


def test_another_map_is_a_sentence(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer_with_map("Carla/Maps/Town01", MAP, tmp_path, monkeypatch)
    with pytest.raises(
        NoSimulator, match="The simulator at localhost:2000 shows Town01, and this recording is of Town0"
    ):
        take_from_simulator("Town05")
    assert not map_cache().exists()


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (r"raise RuntimeError('time-out of 10000ms\nmore')", "time-out of 10000ms"),
        ("raise RuntimeError(' ')", "it gave no answer"),
        ("__import__('os')._exit(11)", "it gave no answer"),
    ],
    ids=["none", "no words", "a crash"],
)
def test_no_answer_is_a_sentence(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, reason: str
) -> None:
    answer_with(answer, tmp_path, monkeypatch)
    with pytest.raises(NoSimulator) as caught:
        take_from_simulator("Town01")
    assert caught.value.message == f"No simulator answers at localhost:2000: {reason}."
    assert not map_cache().exists()


def test_other_threads_run_while_a_simulator_does_not_answer_and_cancelling_ends_the_question(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library of the simulator waits without letting other threads of its process run."""
    answer_with("__import__('ctypes').PyDLL(None).sleep(3600)", tmp_path, monkeypatch)
    looks = iter([False] * 3)
    with pytest.raises(Cancelled):
        take_from_simulator("Town01", Progress(is_cancelled=lambda: next(looks, True)))


def test_without_the_simulators_package_a_sentence_says_what_to_install(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "carla", None)
    with pytest.raises(NoSimulator, match=re.escape(remedy("carla"))):
        take_from_simulator("Town01")
