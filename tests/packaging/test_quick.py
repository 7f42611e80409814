"""The quick run takes the tests that are close to what was changed, and says what it leaves out."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import quick

PROJECT = Path(__file__).resolve().parents[2]


def test_the_core_is_there() -> None:
    for name in quick.CORE:
        path, _, function = name.partition("::")
        tree = ast.parse((PROJECT / path).read_text(encoding="utf-8"))
        assert not function or function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, name


def test_every_table_belongs_to_a_module_that_reads_it() -> None:
    tables = {path.relative_to(PROJECT).as_posix() for path in (PROJECT / "resources").glob("*.json")}
    assert tables == quick.READ_BY.keys()
    for table, module in quick.READ_BY.items():
        assert f'table("{Path(table).stem}")' in (PROJECT / module).read_text(encoding="utf-8")
    names = ("tests/format/test_packets.py", "tests/format/test_new_release.py")
    modules = {name: set(quick.imported(PROJECT / name)) for name in names}
    assert set(names) <= set(quick.chosen(["resources/packets.json"], modules))


@pytest.mark.long
def test_the_tests_of_a_table_are_found_among_all() -> None:
    modules = quick.test_modules()
    assert len(modules) > 200
    found = quick.chosen(["resources/packets.json"], modules)
    assert {"tests/format/test_packets.py", "tests/format/test_new_release.py"} <= set(found)


def test_tests_come_in_the_order_of_their_closeness() -> None:
    tests = {
        "tests/edits/test_trim.py": {"recorder_editor.edits.trim"},
        "tests/edits/test_times.py": {"recorder_editor.edits"},
        "tests/recording/test_world.py": {"recorder_editor.edits.trim"},
        "tests/ui/test_trim.py": {"recorder_editor.ui.panes.trim"},
        "tests/ui/test_scene_world.py": set[str](),
        "tests/recording/journal/test_journal.py": {"recorder_editor", "tests.builders"},
        "tests/test_main.py": {"recorder_editor.__main__"},
        "tests/cli/test_edit.py": set[str](),
    }

    def beside_the_core(*names: str) -> list[str]:
        found = quick.chosen(names, tests)
        assert set(quick.CORE) <= set(found)
        return [name for name in found if name not in quick.CORE]

    trim = ["tests/edits/test_trim.py", "tests/recording/test_world.py", "tests/edits/test_times.py"]
    assert quick.chosen(["recorder_editor/edits/trim.py"], tests) == [trim[0], *quick.CORE, *trim[1:]]
    assert beside_the_core("recorder_editor/edits/trim.py", "tests/cli/test_edit.py", "README.md") == [
        "tests/cli/test_edit.py",
        *trim,
    ]
    scene = ["tests/ui/test_scene_world.py", "tests/ui/test_trim.py"]
    assert beside_the_core("recorder_editor/ui/panes/scene/scene_view.py") == scene
    journal = "tests/recording/journal/test_journal.py"
    assert beside_the_core("recorder_editor/recording/journal/pages.py")[0] == journal
    assert beside_the_core("tests/builders.py") == [journal]
    assert beside_the_core("recorder_editor/__init__.py") == [journal]
    assert beside_the_core("recorder_editor/__main__.py") == ["tests/test_main.py"]
    assert beside_the_core() == []


def test_tests_of_what_imports_a_module_come_before_those_of_its_folder() -> None:
    package = {"recorder_editor.edits": {"recorder_editor.edits.trim"}, "recorder_editor.edits.trim": set[str]()}
    tests = {
        "tests/edits/test_values.py": set[str](),
        "tests/recording/test_history.py": {"recorder_editor.edits"},
        "tests/ui/test_scene.py": {"recorder_editor.ui"},
    }
    found = quick.chosen(["recorder_editor/edits/trim.py"], tests, package)
    assert found[len(quick.CORE) :] == ["tests/recording/test_history.py", "tests/edits/test_values.py"]


def test_what_a_test_imports_is_known_by_its_whole_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick, "PROJECT", tmp_path)
    (tmp_path / "tests" / "ui").mkdir(parents=True)
    module = tmp_path / "tests" / "ui" / "test_one.py"
    module.write_text("import recorder_editor\nfrom recorder_editor import edits\nfrom .windows import idle\n")
    assert quick.test_modules() == {
        "tests/ui/test_one.py": {
            "recorder_editor",
            "recorder_editor.edits",
            "tests.ui.windows",
            "tests.ui.windows.idle",
        }
    }


def test_what_differs_from_the_branch_is_changed_whether_git_knows_it_or_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quick, "PROJECT", tmp_path)

    def git(*arguments: str) -> None:
        who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True)

    def commit(*names: str) -> None:
        for name in names:
            (tmp_path / name).write_text(name)
        git("add", "--all")
        git("commit", "--message", "one")

    git("init", "--initial-branch", "main")
    commit("same", "edited", "theirs")
    git("switch", "--create", "mine")
    commit("committed")
    git("switch", "main")
    commit("theirs too")
    git("switch", "mine")
    (tmp_path / "edited").write_text("otherwise")
    (tmp_path / "new").write_text("new")
    git("mv", "same", "moved")
    assert quick.changed("main") == ["committed", "edited", "moved", "new", "same"]
    git("mv", "moved", "same")
    assert quick.changed("main") == ["committed", "edited", "new"]
    assert quick.changed("no such branch") == ["edited", "new"]


TWO = "def test_one():\n    assert {outcome}\n\ndef test_two():\n    assert {outcome}\n"


def late(folder: Path, *names: str) -> "subprocess.CompletedProcess[str]":
    """Run test modules of a folder as the quick run does when its time is over."""
    environment = {**os.environ, quick.UNTIL: "0", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(PROJECT)}
    command = [sys.executable, "-m", "pytest", "-p", "tests.quick", "-p", "no:cacheprovider", *names]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_what_begins_too_late_is_left_out_and_counted_but_the_core_runs(tmp_path: Path) -> None:
    core = tmp_path / quick.CORE[0]
    core.parent.mkdir()
    core.write_text(TWO.format(outcome=True), encoding="utf-8")
    (tmp_path / "test_two.py").write_text(TWO.format(outcome=False), encoding="utf-8")
    run = late(tmp_path, "test_two.py", quick.CORE[0])
    assert run.returncode == 0, run.stdout + run.stderr
    assert "2 tests were left out" in run.stdout
    assert "2 passed, 2 skipped" in run.stdout
    core.write_text(TWO.format(outcome=False), encoding="utf-8")
    assert late(tmp_path, "test_two.py", quick.CORE[0]).returncode == 1


def test_a_run_without_any_test_fails(tmp_path: Path) -> None:
    (tmp_path / "test_two.py").write_text(TWO.format(outcome=True), encoding="utf-8")
    run = late(tmp_path, "test_two.py")
    assert run.returncode == 1, run.stdout + run.stderr
    assert "No test was run" in run.stdout
    skipping = "import pytest\n\n@pytest.mark.skip\ndef test_one():\n    pass\n"
    (tmp_path / "test_two.py").write_text(skipping, encoding="utf-8")
    assert late(tmp_path, "test_two.py").returncode == 1


def test_single_tests_of_the_core_are_of_it_and_their_neighbours_are_not() -> None:
    single = next(name for name in quick.CORE if "::" in name)
    assert quick.is_core(single)
    assert quick.is_core(f"{single}[one]")
    assert quick.is_core(f"{quick.CORE[0]}::test_any")
    assert not quick.is_core(f"{single}_or_another")
    assert not quick.is_core(f"{single.partition('::')[0]}::test_other")


def test_types_take_nothing_of_the_time_of_the_tests() -> None:
    script = (PROJECT / "packaging" / "test").read_text(encoding="utf-8")
    assert quick.UNTIL not in script
    part = script.partition('if [ -n "$is_quick" ]; then\n')[2].partition("\nfi\n")[0]
    assert 0 < part.index("tests.quick") < part.index("finish_types") < part.index('exit "$status"')
