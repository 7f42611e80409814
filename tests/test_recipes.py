"""The guide's recipes: their commands and their Python are run as they stand there, and what comes out is looked at."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from recorder_editor import resources
from recorder_editor.cli import main

from .real_recordings import MAPS
from .recording.films import COLLISIONS, beginning
from .separate_python import python_with

PAGE = resources.path("guide/recipes.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
STEP = re.compile(r"^    (recorder-editor [^\n]+)$|^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FRAMES = 40

LOOK = {
    "omega-prime": """
import omega_prime
again = omega_prime.Recording.from_parquet("a.parquet")
assert again.host_vehicle_idx == 3890 and again.df["frame"].n_unique() == 40
""",
    "Metrics without a simulator": "",
    "Rerun": """
from pathlib import Path
assert Path("a.rrd").stat().st_size > 10_000
""",
    "ScenarioNet": """
import pickle
from metadrive.scenario.scenario_description import ScenarioDescription
with open("sd_carla_a.pkl", "rb") as file:
    scenario = pickle.load(file)
ScenarioDescription.sanity_check(scenario, check_self_type=True, valid_check=True)
assert scenario["length"] == 40 and "3890" in scenario["tracks"] and len(scenario["map_features"]) > 100
""",
    "py123d": """
import polars as pl
from py123d.api import SceneFilter
from py123d.api.scene.arrow.arrow_scene_builder import ArrowSceneBuilder
from py123d.common.execution import SequentialExecutor
builder = ArrowSceneBuilder(logs_root="logs", maps_root="maps")
(scene,) = builder.get_scenes(SceneFilter(datasets=["carla"]), SequentialExecutor())
row = pl.read_parquet("a.parquet").filter(frame=21, role="hero").row(0, named=True)
pose = scene.get_ego_state_se3_at_iteration(20).center_se3
assert abs(pose.x - row["x"]) + abs(pose.y - row["y"]) + abs(pose.z - row["z"]) < 1e-6
assert abs(pose.yaw - row["yaw"]) < 1e-6
""",
}
"""What is looked at by the program that the recipe is for."""

PACKAGES = {
    "omega-prime": "omega_prime",
    "Metrics without a simulator": "omega_prime",
    "Rerun": "rerun",
    "ScenarioNet": "metadrive",
    "py123d": "py123d",
}


@pytest.fixture
def folder(recordings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the recording and the road map that the recipes name."""
    (tmp_path / "a.log").write_bytes(beginning(recordings / COLLISIONS, FRAMES))
    if not (MAPS / "Town05.xodr").is_file():
        pytest.skip("no road maps")
    shutil.copyfile(MAPS / "Town05.xodr", tmp_path / "Town05.xodr")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(title: str, python: Path) -> None:
    """Run the commands and the Python of a recipe in their order; a class is a file that a command names."""
    for command, code in STEP.findall(SECTIONS[title]):
        if command:
            assert main(shlex.split(command)[1:]) == 0
        elif "BasicMetric" in code:
            Path("nearest.py").write_text(code, encoding="utf-8")
        else:
            run_python(python, code)


def run_python(python: Path, code: str) -> None:
    done = subprocess.run([python, "-W", "ignore", "-c", code], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()[-3000:]


@pytest.mark.long
@pytest.mark.parametrize("title", PACKAGES)
def test_a_recipe_gives_what_its_program_reads(
    title: str, folder: Path, request: pytest.FixtureRequest, capfd: pytest.CaptureFixture[str]
) -> None:
    python = python_with(PACKAGES[title])
    if title.startswith("Metrics"):
        request.getfixturevalue("carla")
    run(title, python)
    run_python(python, LOOK[title])
    if title == "omega-prime":
        assert (folder / "back.log").is_file()
    if title.startswith("Metrics"):
        assert re.search(r"^3891: \d+\.\d\d m$", capfd.readouterr().out, re.MULTILINE)


@pytest.mark.long
def test_tables_like_those_of_nuscenes_lead_from_one_to_the_next(folder: Path) -> None:
    run("nuScenes-like tables", python_with("polars"))
    tables = {path.stem: json.loads(path.read_text()) for path in (folder / "v1.0-carla").iterdir()}
    by_token = {name: {row["token"]: row for row in rows} for name, rows in tables.items()}
    samples = [by_token["scene"]["a"]["first_sample_token"]]
    while by_token["sample"][samples[-1]]["next"]:
        samples.append(by_token["sample"][samples[-1]]["next"])
    assert len(samples) == FRAMES == len(tables["sample"])
    assert len(tables["ego_pose"]) == FRAMES
    for instance in tables["instance"]:
        annotation = by_token["sample_annotation"][instance["first_annotation_token"]]
        count = 1
        while annotation["next"]:
            annotation = by_token["sample_annotation"][annotation["next"]]
            assert annotation["instance_token"] == instance["token"]
            assert annotation["sample_token"] in by_token["sample"]
            count += 1
        assert (annotation["token"], count) == (instance["last_annotation_token"], instance["nbr_annotations"])
        assert instance["category_token"] in by_token["category"]


def test_each_recipe_is_run_or_says_that_it_was_not() -> None:
    assert SECTIONS.keys() == PACKAGES.keys() | {"Foxglove", "nuScenes-like tables"}
    for title, text in SECTIONS.items():
        assert ("by a test" in text) == (title != "Foxglove"), title
