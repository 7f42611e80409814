"""Reports for a browser: what each section says, of several recordings, of hostile, damaged and empty ones."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from lxml import html

import recorder_editor
from recorder_editor.analysis.libraries import LibraryMissing
from recorder_editor.errors import Cancelled, SaveRefused
from recorder_editor.progress import Progress
from recorder_editor.recording.notes import NoteBook
from recorder_editor.roads import read_road_map
from recorder_editor.texts import speaking
from recorder_editor.views.html_report import Source, render_report, write_report
from recorder_editor.views.html_report.drawing import Box, View, Wish, corner_rows, place_labels, polyline
from recorder_editor.views.html_report.moments import MOST_CONTACTS, MOST_RISKS
from recorder_editor.views.html_report.tables import MOST_FINDINGS

from .. import builders as b
from ..reading.films import Actor, along, film
from ..roads import builders as roads

HOSTILE = "<script>alert(1)</script>\"'&\x1b[31m\u202egnp.exe"
SECTIONS = ("short", "map", "speed", "collisions", "risks", "checks", "edits", "notes")


def collision(first: int, second: int) -> bytes:
    record = {"id": 1, "actor1": first, "actor2": second, "hero1": 1, "hero2": 0}
    return b.packet(5, b.collision([record]))


def crash(index: int) -> list[bytes]:
    """The hero meets the bicycle in frames 41 to 45."""
    return [collision(1, 2)] if 40 <= index <= 44 else []


MEETING = {
    1: Actor(along(-20, 0, 0, 10), role="hero"),
    2: Actor(along(0, -20.0, 90, 10), kind="two-wheeler"),
    3: Actor(along(-60, 30, 0, 12)),
    4: Actor(along(-40, 30, 0, 4)),
    5: Actor(along(10, 12, 0, 1), kind="walker"),
}
"""A hero and a bicycle that meet after two seconds, a car that closes up to another one, and somebody on foot."""


def rendered(paths: Sequence[Path], *, edits: Sequence[str] = (), xodr: Path | None = None) -> bytes:
    with ExitStack() as stack:
        sources = []
        for path in paths:
            recording = stack.enter_context(recorder_editor.recording.open_recording(path))
            NoteBook(recording)
            if xodr is not None:
                recording.context.use_road_map(read_road_map(xodr), xodr)
            sources.append(Source(recording.path, recording.snapshot, edits))
        return render_report(sources, "out.html")


def tree(page: bytes) -> html.HtmlElement:
    return html.document_fromstring(page.decode("utf-8"))


def text(page: html.HtmlElement, section: str, key: str = "r1") -> str:
    """The words of a section, with single blanks between."""
    return " ".join(page.xpath(f"string(//section[@id='{key}-{section}'])").split())


def cells(page: html.HtmlElement, path: str) -> list[list[str]]:
    return [[" ".join(cell.text_content().split()) for cell in row] for row in page.xpath(f"{path}//tbody/tr")]


@pytest.fixture(scope="module")
def meeting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = film(tmp_path_factory.mktemp("report") / "meeting.log", MEETING, 4.0, more=crash)
    notes = [{"notes": 1, "fingerprint": ""}, {"frame": 41, "text": "First contact.\nBoth go on.", "tags": ["crash"]}]
    path.with_name("meeting.log.notes.json").write_text("\n".join(map(json.dumps, notes)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def page(meeting: Path) -> html.HtmlElement:
    return tree(rendered([meeting], edits=["Yaw of 3 set to 12"]))


# --- one recording ------------------------------------------------------------------------------------------


def test_the_head_has_eight_facts_and_the_state(page: html.HtmlElement, meeting: Path) -> None:
    assert page.xpath("string(//h1)") == "meeting.log"
    facts = dict(zip(page.xpath("//dt/text()"), page.xpath("//dd/text()"), strict=True))
    assert len(facts) == 8
    assert facts["Length"] == "4.000 s, 81 frames of 0.050 s"
    assert facts["Hero"] == "1, lincoln.mkz_2017"
    assert facts["Road users"] == "3 vehicles, 1 two-wheeler, 1 walker"
    assert facts["Size"] == f"{meeting.stat().st_size:,} bytes"
    state = page.xpath("//div[starts-with(@class, 'health')]")[0]
    assert "Readable to the last byte" in state.text_content()
    assert state.getprevious().tag == "dl"


def test_every_section_is_there_and_is_linked(page: html.HtmlElement) -> None:
    assert page.xpath("//section/@id") == [f"r1-{name}" for name in SECTIONS]
    ids = page.xpath("//@id")
    assert len(ids) == len(set(ids))
    links = page.xpath("//a/@href | //*[local-name()='use']/@href")
    assert set(links) <= {f"#{name}" for name in ids}
    assert page.xpath("//nav/a/@href") == [f"#r1-{name}" for name in SECTIONS[1:]]
    levels = [int(heading.tag[1]) for heading in page.xpath("//h1 | //h2 | //h3")]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_in_short_it_says_who_drove_and_what_happened(page: html.HtmlElement) -> None:
    words = text(page, "short")
    assert "The hero 1 drives 40.0 m in 4.0 s, at most 10.0 m/s." in words
    assert "At 2.000 s 1 lincoln.mkz_2017 (hero) and 2 bh.crossbike collide" in words
    assert "they touch until 2.200 s (5 records)." in words
    assert "The whole recording has" in words


def test_who_was_put_elsewhere_did_not_drive_there(tmp_path: Path) -> None:
    def way(seconds: float) -> float:
        if seconds < 2:
            return 10 * seconds
        return 10 * seconds + 6500

    path = film(tmp_path / "jump.log", {1: Actor(along(0, 0, 0, way), role="hero")}, seconds=4.0)
    page = html.fromstring(rendered([path]))
    words = " ".join(page.text_content().split())
    assert "at most 10.0 m/s" in words


def test_the_map_has_paths_labels_and_two_sizes(page: html.HtmlElement) -> None:
    wide, narrow = page.xpath("//section[@id='r1-map']//*[contains(@class, 'picture map')]")
    assert wide.get("viewbox") == "0 0 736 560"
    assert narrow.get("viewbox") == "0 0 358 400"
    assert "2.000 s, 1 and 2" in wide.text_content()
    assert "2.000 s, contact" in narrow.text_content()
    assert "1 hero, 0.000 s" in wide.text_content()
    assert page.xpath("//*[@id='r1-ground-streets']/@d")[0].startswith("M")
    assert "without a road map" in text(page, "map")


def test_the_tables_add_up_to_the_actors_and_the_size(page: html.HtmlElement, meeting: Path) -> None:
    classes = cells(page, "//section[@id='r1-map']//table[1]")
    assert [row[:3] for row in classes] == [["Vehicles", "3", "3"], ["Two-wheelers", "1", "1"], ["Walkers", "1", "1"]]
    assert classes[1][3:] == ["40.0 m", "10.0 m/s"]
    packets = cells(page, "//table[@class='packets']")
    assert packets[0][0] == "Position"
    assert sum(int(row[2].replace(",", "")) for row in packets) == meeting.stat().st_size


def test_the_chart_has_curves_contacts_risks_and_moments(page: html.HtmlElement) -> None:
    wide, printed = page.xpath("//section[@id='r1-speed']//*[starts-with(@class, 'chart ')]")
    assert wide.xpath("string(.//*[contains(@class, 'curve')]/@d)").startswith("M56,")
    assert "contact with 2" in wide.text_content()
    moments = wide.xpath(".//*[@class='hover']")
    assert len(moments) == 21
    assert "2.00 s, 10.00 m/s, nobody ahead" in wide.text_content()
    assert not printed.xpath(".//*[@class='hover']")
    scroll = wide.getparent()
    assert (scroll.get("tabindex"), scroll.get("role")) == ("0", "region")


def test_a_contact_has_a_picture_before_first_and_last(page: html.HtmlElement) -> None:
    titles = page.xpath("//section[@id='r1-collisions']//figcaption/b/text()")
    assert titles == ["1.000 s, before", "2.000 s, first contact", "2.200 s, last contact"]
    assert "1 lincoln.mkz_2017 (hero) and 2 bh.crossbike2.000 to 2.200 s, frames 41 to 45" in text(page, "collisions")
    assert "1 hero 10.00 m/s, 2 10.00 m/s" in text(page, "collisions")
    pictures = page.xpath("//section[@id='r1-collisions']//figure/*[@role='img']")
    assert [len(picture.xpath(".//*[@href='#burst']")) for picture in pictures] == [0, 1, 1]
    assert all(picture.get("aria-label") for picture in page.xpath("//*[@role='img']"))


def test_risks_tell_who_is_behind_whom(page: html.HtmlElement) -> None:
    assert "least time to collision of a pair" in text(page, "risks")
    caption = page.xpath("string(//section[@id='r1-risks']//figcaption)")
    assert "3 lincoln.mkz_2017 behind" in caption
    assert "4 lincoln.mkz_2017" in caption
    assert len(page.xpath("//section[@id='r1-risks']//figure")) <= MOST_RISKS


def test_those_that_collide_are_no_risk_besides(tmp_path: Path) -> None:
    actors = {1: Actor(along(0, 0, 0, 10)), 2: Actor(along(15, 0, 0, 4))}
    page = tree(
        rendered([film(tmp_path / "rear.log", actors, 2.0, more=lambda i: [collision(1, 2)] if i > 35 else [])])
    )
    assert not page.xpath("//section[@id='r1-risks']//figure")
    assert "Only those that collide come near each other." in text(page, "risks")


def test_edits_notes_definitions_and_commands_close_it(page: html.HtmlElement) -> None:
    assert page.xpath("//section[@id='r1-edits']//li/text()") == ["Yaw of 3 set to 12"]
    note = page.xpath("//div[@class='note']")[0]
    assert note.xpath("string(div[1])") == "2.000 s"
    assert note.xpath("div[2]/text()") == ["First contact.", "Both go on."]
    assert note.xpath("string(.//*[@class='tag'])") == "#crash"
    commands = page.xpath("//footer/p/text()")
    assert commands[0] == "recorder-editor report meeting.log out.html"
    assert commands[1] == "recorder-editor export meeting.log meeting.log.csv --table l1"
    digest = page.xpath("string(//div[@class='definitions']/p[last()])")
    assert len(digest.rpartition(" ")[2]) == 64


def test_it_has_no_script_and_asks_no_network(meeting: Path) -> None:
    data = rendered([meeting]).decode()
    assert "<script" not in data
    assert "http-equiv" in data
    assert data.replace("http://www.w3.org/2000/svg", "").count("http:") == 0
    assert "https:" not in data
    assert "url(" not in data
    for palette in ("prefers-color-scheme: dark", "@media print"):
        assert palette in data


# --- others -------------------------------------------------------------------------------------------------


def test_hostile_names_are_escaped_wherever_they_stand(tmp_path: Path) -> None:
    attributes = [b.attribute(3, "role_name", "hero"), b.attribute(1, "number_of_wheels", "4")]
    odd = [b.attribute(3, "role_name", HOSTILE), b.attribute(1, "number_of_wheels", "4")]
    actors = [
        b.actor(1, 1, f"vehicle.{HOSTILE}", attributes=attributes),
        b.actor(2, 1, f"vehicle.{HOSTILE}", attributes=odd),
    ]
    frames = []
    for index in range(12):
        packets = [b.packet(2, b.event_add(actors))] if not index else []
        poses = [b.pose(1, b.xyz(100.0 * index)), b.pose(2, b.xyz(600.0))]
        packets.append(b.packet(6, b.position(poses)))
        packets.append(collision(1, 2))
        frames.append(b.frame(index + 1, 0.1 * index, 0.1, packets))
    path = tmp_path / "<b onclick='x'>&\u202e.log"
    path.write_bytes(b.recording(*frames, map_name="<i>Town</i>\"'&"))
    note = {"frame": 1, "text": f"{HOSTILE} {{{{ 7 * 7 }}}}", "tags": [HOSTILE]}
    notes = path.with_name(path.name + ".notes.json")
    notes.write_text("\n".join(map(json.dumps, [{"notes": 1, "fingerprint": ""}, note])), encoding="utf-8")
    data = rendered([path], edits=[HOSTILE]).decode("utf-8")
    assert "\u202e" not in data
    assert "\x1b" not in data
    page = tree(data.encode())
    assert not page.xpath("//script | //b[@onclick] | //*[@onclick]")
    assert page.xpath("string(//h1)") == "<b onclick='x'>&\\u202e.log"
    shown = HOSTILE.replace("\x1b", "\\x1b").replace("\u202e", "\\u202e")
    assert page.xpath("//dd[1]/text()")[0] == "i>\"'&"
    for place in ("//section[@id='r1-notes']", "//section[@id='r1-edits']", "//h3", "//dl"):
        assert shown in page.xpath(f"string({place})"), place
    assert "{{ 7 * 7 }}" in text(page, "notes")


def test_several_recordings_have_a_table_with_a_row_each(meeting: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.log"
    empty.write_bytes(b.recording())
    page = tree(rendered([meeting, empty]))
    assert page.xpath("string(//title)") == "2 recordings"
    rows = cells(page, "//table[@class='recordings']")
    assert [row[1:4] for row in rows] == [["meeting.log", "Town01", "4.0 s"], ["empty.log", "Town01", "-"]]
    assert rows[0][4:6] == ["5", "1"]
    assert page.xpath("//table[@class='recordings']//a/@href") == ["#r1", "#r2"]
    assert page.xpath("//article/@id") == ["r1", "r2"]
    ids = page.xpath("//@id")
    assert len(ids) == len(set(ids))


def test_without_frames_every_section_says_so(tmp_path: Path) -> None:
    path = tmp_path / "empty.log"
    path.write_bytes(b.recording())
    page = tree(rendered([path]))
    assert text(page, "short") == "In shortThe recording has no frames."
    assert "No road user has a position." in text(page, "map")
    assert "No actor is recorded." in text(page, "map")
    assert "No road user moves." in text(page, "speed")
    assert "No collision is recorded." in text(page, "collisions")
    assert "None. The bytes are those of the file that was opened." in text(page, "edits")
    assert text(page, "notes") == "NotesNone."


def test_without_a_hero_it_is_about_the_one_that_drives_farthest(tmp_path: Path) -> None:
    actors = {7: Actor(along(0, 0, 0, 3)), 8: Actor(along(0, 40, 0, 9))}
    page = tree(rendered([film(tmp_path / "two.log", actors, 2.0)]))
    assert "There is no hero; 8 lincoln.mkz_2017 drives farthest, 18.0 m" in text(page, "short")
    assert "of 8, which drives farthest: there is no hero" in text(page, "speed")


def test_the_state_of_a_damaged_recording_comes_first(meeting: Path, tmp_path: Path) -> None:
    torn = tmp_path / "torn.log"
    torn.write_bytes(meeting.read_bytes()[:-60])
    page = tree(rendered([torn]))
    state = page.xpath("//div[starts-with(@class, 'health')]")[0]
    assert state.get("class") == "health error"
    assert state.getnext().tag == "dl"
    assert "Damaged at 0x" in state.text_content()
    assert "frames can be kept." in state.text_content()
    assert "Error" in cells(page, "//table[@class='findings']")[0][0]


def test_many_findings_of_one_rule_are_one_row_and_many_contacts_a_table(tmp_path: Path) -> None:
    actors = {number: Actor(along(0, 10 * number, 0, 1)) for number in range(1, 14)}

    def more(index: int) -> Iterator[bytes]:
        # Ten contacts, and in each frame an actor that was never added.
        if index:
            yield b.packet(6, b.position([b.pose(1000 + index)]))
        for number in range(1, 11):
            if index == number:
                yield collision(number, number + 1)

    page = tree(rendered([film(tmp_path / "many.log", actors, 3.0, more=more)]))
    findings = cells(page, "//table[@class='findings']")
    assert len(findings) < MOST_FINDINGS
    assert any("findings)" in row[1] for row in findings)
    assert len(page.xpath("//section[@id='r1-collisions']//h3")) == MOST_CONTACTS + 1
    assert len(cells(page, "//section[@id='r1-collisions']")) == 10 - MOST_CONTACTS


def test_a_road_map_lies_under_the_pictures_once(tmp_path: Path) -> None:
    xodr = tmp_path / "road.xodr"
    xodr.write_bytes(roads.opendrive(roads.road()))
    actors = {1: Actor(along(5, 1.75, 0, 10), role="hero"), 2: Actor(along(2, 1.75, 0, 10))}
    path = film(tmp_path / "drive.log", actors, 3.0, more=lambda index: [collision(1, 2)] if index == 20 else [])
    page = tree(rendered([path], xodr=xodr))
    assert page.xpath("count(//*[@id='r1-ground'])") == 1
    assert page.xpath("//*[@id='r1-ground']/*/@fill")[0].startswith("var(--road")
    assert len(page.xpath("//*[@href='#r1-ground']")) >= 4
    assert "on Town01" in text(page, "map")
    assert page.xpath("string(//footer/p)") == "recorder-editor report drive.log out.html --xodr road.xodr"


def test_it_speaks_the_language_that_is_set(meeting: Path) -> None:
    with speaking("zh_CN"):
        page = tree(rendered([meeting]))
    assert page.xpath("string(/html/@lang)") == "zh-CN"
    assert page.xpath("string(//section[@id='r1-notes']/h2)").startswith("备注")
    assert page.xpath("string(//footer/p)").endswith("--lang zh_CN")


def test_a_report_never_takes_the_place_of_its_recording(meeting: Path) -> None:
    before = meeting.read_bytes()
    with recorder_editor.recording.open_recording(meeting) as recording:
        source = Source(recording.path, recording.snapshot)
        with pytest.raises(SaveRefused, match="is the recording itself"):
            write_report(meeting, [source], overwrite=True)
    assert meeting.read_bytes() == before


def test_cancelling_leaves_no_file(meeting: Path, tmp_path: Path) -> None:
    with recorder_editor.recording.open_recording(meeting) as recording:
        source = Source(recording.path, recording.snapshot)
        with pytest.raises(Cancelled):
            write_report(tmp_path / "out.html", [source], progress=Progress(None, lambda: True))
    assert not list(tmp_path.iterdir())


def test_a_missing_library_is_told_with_what_installs_it(meeting: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(LibraryMissing, match=r"needs jinja2.*jinja2>=3\.1"):
        rendered([meeting])


# --- drawing ------------------------------------------------------------------------------------------------


def test_labels_keep_off_what_is_taken_and_stay_inside() -> None:
    area = Box(0, 0, 200, 200)
    wishes = [Wish("3890", "hero", 100, 100, 10), Wish("3891", "vehicle", 100, 100, 10), Wish("1", "text", 196, 5, 2)]
    taken = Box(116, 80, 200, 120)
    labels = place_labels(wishes, [taken], area)
    boxes = [Box(label.x, label.y, label.x + label.width, label.y + 18) for label in labels]
    for number, box in enumerate(boxes):
        assert not box.shared(taken)
        assert not box.outside(area)
        assert not any(box.shared(other) for other in boxes[:number])


def test_a_line_keeps_the_corners_that_show_it() -> None:
    points = np.array([(0, 0), (1, 0.05), (2, 0), (3, 2), (4, 4)], np.float64)
    assert corner_rows(points, 0.1) == [0, 2, 4]
    assert polyline([(0.04, -0.01), (12.5, 3.0)]) == "M0,0L12.5,3"


def test_a_picture_places_metres_in_pixels() -> None:
    view = View(x=10, y=-5, width=360, height=220, scale=7.5)
    assert view.place(10, -5) == pytest.approx((180, 110))
    assert view.bounds == pytest.approx((-14, -5 - 220 / 15, 34, -5 + 220 / 15))
    assert view.ground_transform == "translate(105 147.5) scale(0.075)"
