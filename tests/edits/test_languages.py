"""Titles of edits, and why one is refused, in the language that is set; a title is said again in another."""

from collections.abc import Callable, Iterator

import pytest

from recorder_editor import Edit, Recording, edits
from recorder_editor.edits import Place
from recorder_editor.errors import EditError
from recorder_editor.texts import Text, set_language, text_from_json, text_to_json

from ..recording.films import opened
from .choices import street

TITLES: dict[str, Callable[[Recording], Edit]] = {
    "移除 8 号参与者": lambda it: edits.remove_actors(it, it.actors.of_id(8)[:1], children=False),
    "把 7 号参与者裁剪为 3 帧": lambda it: edits.trim_life(it, it.actors.of_id(7)[0], range(2, 5)),
    "移动 7 号及另外 1 个参与者，9 帧": lambda it: edits.move_actors(
        it, [it.actors.of_id(actor)[0] for actor in (7, 8)], (1.0, 0.0, 0.0), frames=range(9)
    ),
    "裁剪为第 2 到 4 帧": lambda it: edits.trim(it, range(1, 4)),
    "设置地图为 Town07、日期": lambda it: edits.set_header(it, map_name="Town07", date=1600000000),
}


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    set_language("en")
    yield
    set_language("en")


@pytest.mark.parametrize("title", TITLES)
def test_the_title_of_an_edit_is_said_in_chinese_and_again_in_english(title: str) -> None:
    with opened(street(), "ue4-2026") as recording:
        before = TITLES[title](recording).label
        set_language("zh_CN")
        label = TITLES[title](recording).label
    assert label == title
    assert isinstance(before, Text)
    assert text_from_json(text_to_json(before)) == title
    set_language("en")
    assert text_from_json(text_to_json(before)) == before != title


def test_why_an_edit_is_refused_is_said_in_chinese() -> None:
    set_language("zh_CN")
    with opened(street(), "ue4-2026") as recording, pytest.raises(EditError, match="记录文件共有 9 帧"):
        edits.trim(recording, range(5, 99))


def test_the_title_of_an_edit_has_the_name_of_a_field_of_a_frame_in_chinese() -> None:
    set_language("zh_CN")
    with opened(street(), "ue4-2026") as recording:
        label = edits.set_field(recording, Place(2, field="duration"), 0.25).label
    assert label.replace(" ", "") == "设置第3帧的持续时间"
