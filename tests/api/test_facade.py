"""What a program reads and changes through `recorder_editor`: tables, signals, events, edits by selectors."""

import re
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import recorder_editor
from recorder_editor import Recording, resources
from recorder_editor.api import Signal
from recorder_editor.checks import check
from recorder_editor.errors import EditError, NothingToDo, RecorderError, WouldReplace
from recorder_editor.format import DIALECTS
from recorder_editor.reading import SelectorError

from .. import builders as b
from ..recording.films import add, collide, film

HERO = [b.attribute(3, "role_name", "hero")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Ten frames of a hero (7) that drives 10 m/s along x, and a car (8) that it runs into at the end."""
    frames = []
    for index in range(10):
        places = b.packet(6, b.position([b.pose(7, b.xyz(50.0 * index)), b.pose(8, b.xyz(1000.0))]))
        frames.append([places])
    frames[0].insert(0, add(b.actor(7, attributes=HERO), b.actor(8, blueprint="vehicle.audi.tt")))
    for index in (8, 9):
        frames[index].insert(0, collide((7, 8)))
    made = tmp_path / "town.log"
    made.write_bytes(film(*frames))
    return made


@pytest.fixture
def r(path: Path) -> Recording:
    return recorder_editor.open(path, dialect="0.9.12")


def test_tables_are_those_of_export(r: Recording) -> None:
    table = r.table("positions", actors="hero", start="f3", stop=0.25)
    rows = table.to_numpy()
    assert rows["frame"].tolist() == [3, 4, 5]
    assert rows["x_m"].tolist() == [1.0, 1.5, 2.0]
    assert rows["role"].tolist() == ["hero"] * 3
    assert table.columns == rows.dtype.names
    assert [row[0] for row in table.rows()] == [3, 4, 5]
    assert table.to_polars()["blueprint"].to_list() == table.to_arrow()["blueprint"].to_pylist()
    assert r.table("positions", step=5).to_dict()["id"].tolist() == [7, 8, 7, 8]
    assert len(r.table("Kinematics").to_dict()["frame"]) == 0


def test_values_that_are_missing_are_nan(r: Recording) -> None:
    columns = r.table("pairs").to_dict()
    numbers = [column for column in columns.values() if column.dtype.kind == "f"]
    assert numbers
    assert all(column.shape == next(iter(columns.values())).shape for column in columns.values())


def test_pandas_gets_the_columns(r: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=lambda columns: columns))
    frame = r.table("positions", actors=7).to_pandas()
    assert frame["x_m"].tolist() == r.table("positions", actors=7).to_dict()["x_m"].tolist()
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(RecorderError, match="pandas, which is not installed"):
        r.table("positions").to_pandas()


def test_signals_have_times_values_and_a_unit(r: Recording) -> None:
    speed = r.signal("speed")
    assert speed.unit == "m/s"
    assert speed.values == pytest.approx([10.0] * 10)
    assert speed.times.tolist() == r.snapshot.elapsed.tolist()
    assert (speed.actor, len(speed)) == (7, 10)
    assert r.signal("x", 8).values.tolist() == [10.0] * 10
    assert r.signal("Position: location.x", "hero").unit == "cm"
    assert r.signal("ttc2d(7, 8)").unit == "s"
    assert [signal.actor for signal in r.signals("speed", "type:vehicle.*")] == [7, 8]
    with pytest.raises(SelectorError, match="2 actors have the signal"):
        r.signal("speed", "type:vehicle.*")
    with pytest.raises(SelectorError, match="Did you mean “speed”"):
        r.signal("sped")


def test_a_plot_names_signal_and_units(r: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: dict[str, Any] = {}

    def record(name: str) -> Any:
        return lambda *values, **_: calls.setdefault(name, values)

    axes = SimpleNamespace(plot=record("plot"), set_xlabel=record("x"), set_ylabel=record("y"))
    pyplot = SimpleNamespace(subplots=lambda: (None, axes))
    monkeypatch.setitem(sys.modules, "matplotlib", SimpleNamespace(pyplot=pyplot))
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", pyplot)
    signal = r.signal("speed")
    assert signal.plot() is axes
    assert calls["y"] == ("speed / m/s",)
    assert calls["plot"][1] is signal.values
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(RecorderError, match="matplotlib"):
        signal.plot()


def test_collisions_events_and_moments(r: Recording) -> None:
    (contact,) = r.collisions
    assert (contact.frame, contact.start, contact.end) == (8, pytest.approx(0.4), pytest.approx(0.45))
    assert contact.actor is not None
    assert contact.other is not None
    assert {contact.actor.actor, contact.other.actor} == {7, 8}
    assert "collision" in [event.kind for event in r.events()]
    assert {event.kind for event in r.events("collision")} == {"collision"}
    with pytest.raises(SelectorError, match="Did you mean “near-miss”"):
        r.events("near-mis")  # type: ignore[arg-type]
    for moment in (0.25, "0.25", "0:00.25", "f6"):
        assert r.at(moment).frame.index == 5
    assert [life.actor for life in r.at(0).actors] == [7, 8]


def test_edits_take_selectors_change_it_and_are_undone(r: Recording, tmp_path: Path) -> None:
    before = r.table("positions").to_dict()["x_m"].tolist()
    assert r.trim("f2", 0.4) is r
    assert len(r) == 7
    r.move_actors("hero", (0.0, 1.0, 0.0)).set_role(7, "ego").set_blueprint(r.lives("role:ego"), "vehicle.audi.tt")
    assert set(r.table("positions", actors="role:ego").to_dict()["y_m"].tolist()) == {1.0}
    r.keep_actors("7").set_map("Town02")
    assert [life.blueprint for life in r.actors] == ["vehicle.audi.tt"]
    r.cut(None, "f3")
    assert len(r) == 5
    with pytest.raises(NothingToDo):
        r.keep_actors("7")
    r.remove_actors([7])
    assert len(r.actors) == 0
    while r.undo() is not None:
        pass
    assert r.table("positions").to_dict()["x_m"].tolist() == before
    r.trim(0.1).save(tmp_path / "part.log")
    with recorder_editor.open(tmp_path / "part.log") as part:
        assert len(part) == 8


@pytest.mark.parametrize("wrong", [{}, 2.5, None, True, [None], b"hero"])
def test_what_names_no_actor_is_told_what_does(r: Recording, wrong: Any) -> None:
    with pytest.raises(TypeError, match="give an id, a selector"):
        r.lives(wrong)


def test_wrong_kinds_and_names_are_told(r: Recording) -> None:
    with pytest.raises(TypeError, match="is no moment"):
        r.trim([1, 2, 3])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="is no name"):
        r.table(6)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="step of 0"):
        r.table("positions", step=0)
    with pytest.raises(KeyError, match="Did you mean “Position”"):
        r[1].packet("Positions")
    assert r[1].packet("VehicleDoor") is None
    assert r[1].packet("Unknown 150") is None


def test_everything_public_is_listed_and_reprs_are_short(r: Recording) -> None:
    assert {"open", "create", "Recording", "edits"} <= set(dir(recorder_editor))
    shown = [r, r[1], r[1].packets[1], r.dialect, r.table("positions"), r.signal("speed"), r.at(0.1)]
    shown += [r.actors, r.at(0.1).actors[0], *r.collisions, *r.events(), r.set_map("Town02").undo()]
    assert all(len(repr(value)) < 400 for value in shown)
    assert repr(r.at(0.1).actors[0]).startswith("<Life ")
    assert "<polyline" in r._repr_html_()
    assert "<td>hero</td>" in r.table("positions", actors="hero")._repr_html_()


def test_a_name_in_a_notebook_is_no_markup(tmp_path: Path) -> None:
    made = tmp_path / "town.log"
    role = [b.attribute(3, "role_name", "<script>x</script>")]
    made.write_bytes(film([add(b.actor(7, attributes=role)), b.packet(6, b.position([b.pose(7)]))], []))
    with recorder_editor.open(made, dialect="0.9.12") as recording:
        assert "<script>" not in recording._repr_html_() + recording.table("positions")._repr_html_()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_recording_from_nothing(tmp_path: Path, dialect: str) -> None:
    target = tmp_path / "new.log"
    new = recorder_editor.create(target, dialect=dialect, town="Town03")
    assert len(new) == 0
    new.append_frames(30, 0.1).append_frames(11, 0.1)
    if new.dialect.engine == 4:
        new.add_actor("vehicle.tesla.model3", path=[(100.0, 2.0), (300.0, 2.0)], speed=10.0, role="hero")
    new.save()
    with recorder_editor.open(target, dialect=dialect) as made:
        assert check(made.snapshot) == []
        assert len(made) == 41
        assert made.snapshot.elapsed == pytest.approx(np.arange(41) * 0.1)
        assert [frame.duration for frame in made][-2:] == [pytest.approx(0.1), -1.0]
        assert [frame.frame_id for frame in made] == list(range(1, 42))
        if made.dialect.engine == 4:
            assert made.signal("speed").values[5:15] == pytest.approx([10.0] * 10, abs=0.2)


def test_what_cannot_be_created_or_appended_is_refused(path: Path, r: Recording) -> None:
    before = path.read_bytes()
    with pytest.raises(WouldReplace):
        recorder_editor.create(path)
    assert path.read_bytes() == before
    for count, step in ((0, 0.1), (1, 0.0), (1, float("nan")), (10**9, 0.1)):
        with pytest.raises(EditError):
            r.append_frames(count, step)


def test_every_recipe_of_the_page_runs(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "drives").mkdir()
    (tmp_path / "drives" / "one.log").write_bytes(path.read_bytes())
    monkeypatch.chdir(tmp_path)
    pages = [resources.path(f"guide/{place}python.md").read_text(encoding="utf-8") for place in ("", "zh_CN/")]
    english, chinese = (re.findall(r"```python\n(.*?)```", page, re.DOTALL) for page in pages)
    assert english == chinese
    assert len(english) == 11
    assert all(len(recipe.strip().splitlines()) <= 6 for recipe in english)
    script = tmp_path / "page.py"
    script.write_text("\n".join(english), encoding="utf-8")
    runpy.run_path(str(script))
    assert "one.log 10.0" in capsys.readouterr().out


def test_signals_compare_by_identity(r: Recording) -> None:
    assert isinstance(r.signal("speed"), Signal)
    assert r.signal("speed") != r.signal("speed")


@pytest.mark.long
def test_types_pass_in_the_project_of_a_user(tmp_path: Path) -> None:
    program = tmp_path / "user.py"
    program.write_text(
        "import recorder_editor\n"
        "with recorder_editor.open('a.log') as r:\n"
        "    speed = r.signal('speed', actor='hero')\n"
        "    print(float(speed.values.max()), speed.unit, r.table('positions').to_dict()['x_m'].shape)\n"
        "    for event in r.events('near-miss'):\n"
        "        print(event.actor.blueprint, event.value)\n"
        "    r.trim('5', '12.5').move_actors('hero', (0.0, 1.0, 0.0)).save('b.log')\n"
        "new = recorder_editor.create('c.log', dialect='ue4-0.9.15', town='Town01')\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(program)],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout
