"""Actions as they are declared: what mypy finds in a declaration, and that a further action takes one entry."""

import importlib
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from recorder_editor.edits.operations import EVERY
from recorder_editor.texts import ENGLISH, LANGUAGES
from recorder_editor.ui.session.preferences import FollowMode, preference_table
from recorder_editor.ui.shell import action, commands
from recorder_editor.ui.shell.action import MENUS, SUBMENUS, Action, Condition, Declaration, MenuPath
from recorder_editor.ui.shell.commands import travel
from recorder_editor.ui.shell.commands.workspace import Layout
from recorder_editor.ui.shell.dock_layout import PRESETS
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import PACKETS, SIGNALS_ACTIONS
from recorder_editor.ui.shell.panes import Services
from recorder_editor.ui.style.icons import IconName
from recorder_editor.ui.style.language import native_name
from recorder_editor.ui.style.theme import Mode, Theme

from .windows import OpenWindow

PROJECT = Path(__file__).resolve().parents[2]


def declared() -> Iterator[Declaration]:
    """Every declaration, whether the window has it or not."""
    yield from SIGNALS_ACTIONS
    for found in pkgutil.iter_modules(commands.__path__):
        module = importlib.import_module(f"{commands.__name__}.{found.name}")
        for value in vars(module).values():
            if isinstance(value, tuple):
                yield from (each for each in value if isinstance(each, Declaration))


@pytest.fixture
def window(open_window: OpenWindow) -> MainWindow:
    return open_window()


def test_the_window_has_every_action_that_is_declared(window: MainWindow) -> None:
    ids = {each.id for each in declared()}
    assert len(ids) > 170
    assert ids - {spec.id for spec in window.registry} == set()


def test_a_further_action_takes_one_entry(open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    def count(services: Services) -> None:
        services.session.informed.emit(f"{services.session.frames} frames")

    further = Action(
        "go.count",
        count,
        text="Count frames",
        key="Ctrl+Alt+N",
        icon="frame",
        menu="Go",
        section="count",
        needs=Condition(lambda services: services.session.frames == 0, "There are frames."),
        where=(PACKETS,),
        tooltip="How many frames there are",
        keywords="number",
    )
    monkeypatch.setattr(travel, "ACTIONS", (*travel.ACTIONS, further))
    window = open_window()
    told: list[str] = []
    window.session.informed.connect(told.append)
    window.registry.run("go.count")
    assert told == ["0 frames"]
    spec = window.registry.spec("go.count")
    assert (spec.places, spec.where_text, spec.needs) == ({"packets"}, "Packets", "There are frames.")
    assert window.registry["go.count"] in window.menus["Go"].actions()
    assert "go.count" in [match.id for match in window.search_field.search.find("number")]


def test_icons_are_named_as_their_files(theme: Theme) -> None:
    assert get_args(IconName) == theme.icons.names()


def test_each_menu_has_a_title_that_is_translated() -> None:
    menus = {title for path in get_args(MenuPath) for title in path.split("/")[:1]} - {""}
    submenus = {title for path in get_args(MenuPath) for title in path.split("/")[1:]}
    assert (menus, submenus) == (set(MENUS), set(SUBMENUS))
    of_operations = {each.menu.path for each in EVERY.values() if each.menu is not None}
    assert {each.menu for each in declared()} | of_operations == set(get_args(MenuPath))


def test_where_one_of_several_is_chosen_each_has_its_action() -> None:
    ids = {each.id for each in declared()}
    chosen = {
        "view.theme_": get_args(Mode),
        "scene.follow_": get_args(FollowMode),
        "view.preset_": tuple(PRESETS),
        "view.language_": ("system", *LANGUAGES),
    }
    for prefix, names in chosen.items():
        assert {each for each in ids if each.startswith(prefix)} == {f"{prefix}{name}" for name in names}
    assert get_args(Layout) == tuple(PRESETS)


def test_labels_are_short_and_only_sentences_end_with_a_full_stop() -> None:
    every = list(declared())
    conditions = [value for value in vars(action).values() if isinstance(value, Condition)]
    sentences = {each.needs.missing for each in every if each.needs is not None} | {each.missing for each in conditions}
    assert [each.text for each in every if len(each.text.removesuffix("...")) > 32] == []
    assert [each.tooltip for each in every if each.tooltip.endswith(".") or each.tooltip[0].islower()] == []
    assert [each for each in sentences if each and not each.endswith(".")] == []


def test_languages_are_called_by_their_own_names() -> None:
    texts = {each.id: each.text for each in declared()}
    choices = preference_table()["language"]["choices"]
    assert (texts["view.language_en"], texts["view.language_zh_CN"]) == ("English", "简体中文")
    assert choices == {"system": "System", **{name: native_name(name) for name in LANGUAGES}}
    assert (native_name("de"), native_name("fr"), native_name(ENGLISH)) == ("Deutsch", "Français", "English")


# --- what mypy finds ------------------------------------------------------------------------------------

DECLARED = """
from recorder_editor.texts import N_
from recorder_editor.ui.shell import action, pane_list
from recorder_editor.ui.shell.action import Action, on_pane
from recorder_editor.ui.shell.panes import Services


def do(services: Services) -> None: ...


ACTION = Action(
    "go.there",
    do,
    text=N_("There"),
    icon="frame",
    menu="Go",
    needs=action.RECORDING,
    where=(pane_list.PACKETS,),
    tooltip=N_("Go there"),
)
OF_PANE = on_pane(pane_list.PACKETS, lambda pane: pane.go_to_packet(1))
"""
MISTAKES = (
    ("action.RECORDING", "action.RECORDINGS", "attr-defined"),
    ("action.RECORDING", '"open"', "arg-type"),
    ('"frame"', '"fame"', "arg-type"),
    ("pane_list.PACKETS,)", "pane_list.PAKETS,)", "attr-defined"),
    ("pane_list.PACKETS,)", '"Packets",)', "arg-type"),
    ('"Go"', '"Gone"', "arg-type"),
    ("def do(services: Services)", "def do(services: Services, on: bool)", "arg-type"),
    ("go_to_packet", "go_to_paket", "attr-defined"),
)


def checked_by_mypy(files: list[Path]) -> str:
    """What mypy says of files."""
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file", PROJECT / "pyproject.toml", *files],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    return done.stdout + done.stderr


@pytest.mark.long
def test_mypy_finds_what_is_misspelt_in_a_declaration(tmp_path: Path) -> None:
    sound = tmp_path / "sound.py"
    sound.write_text(DECLARED, encoding="utf-8")
    wrong = []
    for number, (right, mistake, _) in enumerate(MISTAKES):
        assert DECLARED.count(right) == 1
        path = tmp_path / f"wrong_{number}.py"
        path.write_text(DECLARED.replace(right, mistake), encoding="utf-8")
        wrong.append(path)
    lines = checked_by_mypy([sound, *wrong]).splitlines()
    assert not [line for line in lines if "sound.py" in line]
    for path, (_, mistake, code) in zip(wrong, MISTAKES, strict=True):
        errors = [line for line in lines if path.name in line and " error: " in line]
        assert len(errors) == 1, (mistake, errors)
        assert f"[{code}]" in errors[0], (mistake, errors)
