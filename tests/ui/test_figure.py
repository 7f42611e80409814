"""Pictures for papers: what is in the files, how large it is, and that it is lines and text."""

import re
import shlex
import zlib
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from recorder_editor.__main__ import main
from recorder_editor.formats.picture import PictureOptions
from recorder_editor.progress import Progress
from recorder_editor.recording import open_recording
from recorder_editor.ui.dialogs.picture import PictureDialog, ShownFigure
from recorder_editor.ui.session import Session
from recorder_editor.ui.shell.figure import WindowFigures, make_figure
from recorder_editor.ui.style.colors import PRINT
from recorder_editor.ui.style.theme import Theme

from .. import builders as b

pytestmark = pytest.mark.usefixtures("qapp")

SVG = "{http://www.w3.org/2000/svg}"
Draw = Callable[[str, str], bytes]


@pytest.fixture
def draw(tmp_path: Path, qapp: QApplication) -> Draw:
    """Draws a picture of a drive of 2 s with the verb, from its options and its ending."""
    path = tmp_path / "a.log"
    path.write_bytes(b.drive(41, vehicles=3))

    def run(words: str, kind: str) -> bytes:
        out = tmp_path / f"out.{kind}"
        assert main(["picture", str(path), str(out), "-f", *words.split()]) == 0
        return out.read_bytes()

    return run


def texts(svg: bytes) -> list[str]:
    return ["".join(element.itertext()).strip() for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def millimetres(svg: bytes) -> tuple[float, float]:
    root = ElementTree.fromstring(svg)
    return float(root.get("width", "").removesuffix("mm")), float(root.get("height", "").removesuffix("mm"))


def test_an_svg_is_lines_and_text_in_millimetres(draw: Draw, subtests: pytest.Subtests) -> None:
    svg = draw("--at 1 --follow 100 --across 60 --labels all --actors 100", "svg")
    root = ElementTree.fromstring(svg)
    width = float(root.get("viewBox", "").split()[2])
    with subtests.test("its size, and that of its text"):
        assert millimetres(svg) == (84.0, 63.0)
        sizes = {
            float(element.get("font-size", "0")) for element in root.iter() if element.find(f"{SVG}text") is not None
        }
        assert 11.0 in sizes
        assert 11.0 * 84.0 / width == pytest.approx(8 * 25.4 / 72, rel=1e-3), "8 points"
    with subtests.test("text stays text, and nothing is pixels"):
        assert {"101", "102", "N"} <= set(texts(svg))
        assert any(text.startswith("100 ") for text in texts(svg))
        assert not list(root.iter(f"{SVG}image"))
        assert b", sans-serif" in svg
    with subtests.test("the scale bar is as long as it says"):
        (text,) = [text for text in texts(svg) if re.fullmatch(r"\d+ m", text)]
        lengths = set()
        for line in root.iter(f"{SVG}polyline"):
            points = [tuple(map(float, point.split(","))) for point in line.get("points", "").split()]
            for (left, top), (right, bottom) in pairwise(points):
                if top == bottom:
                    lengths.add(round(abs(right - left) * 60 / width, 2))
        assert float(text.removesuffix(" m")) in lengths


def test_the_heading_of_the_followed_actor_can_be_up_and_its_ttc_its_colour(draw: Draw) -> None:
    words = "--at 1 --follow 100 --across 40 --labels all"
    north_up = draw(words, "svg")
    heading_up = draw(f"{words} --follow-mode up", "svg")
    assert texts(heading_up) == texts(north_up)
    assert heading_up != north_up
    legend = texts(draw(f"{words} --color-by ttc", "svg"))
    assert {"10 s", "0 s", "none"} <= set(legend)


def test_a_strip_has_a_caption_for_each_picture_and_stays_in_its_frames(draw: Draw) -> None:
    svg = draw("--at 0.5,1,1.5,2 --width 174", "svg")
    assert [text for text in texts(svg) if text.startswith("(")] == [
        "(a)  0.500 s",
        "(b)  1.000 s",
        "(c)  1.500 s",
        "(d)  2.000 s",
    ]
    width, height = millimetres(svg)
    assert width == 174.0
    assert height < 45, "four side by side"
    assert b"<clipPath" in svg
    assert millimetres(draw("--at 0.5,1,1.5,2 --width 84", "svg"))[1] > 60, "two by two"
    assert millimetres(draw("--at 1 --height 40", "svg")) == (84.0, 40.0)


def test_paths_have_marks_of_time(draw: Draw) -> None:
    svg = draw("--path --actors 100,102 --every 0.5", "svg")
    marks = [text for text in texts(svg) if text.endswith(" s")]
    assert sorted(marks) == sorted(2 * ["0 s", "0.5 s", "1 s", "1.5 s", "2 s"])
    assert not [text for text in texts(svg) if "101" in text]


def test_signals_are_curves_with_axes(draw: Draw) -> None:
    svg = draw("--signals speed --signals AnimVehicle:throttle;AnimVehicle:gear --actors 100", "svg")
    shown = texts(svg)
    assert {"100 speed", "m/s", "100 throttle", "100 gear", "time in s"} <= set(shown)
    assert not ElementTree.fromstring(svg).find(f".//{SVG}image")
    assert b"stroke-dasharray" in svg, "curves of one plot differ without colour"


def test_a_pdf_has_its_size_its_fonts_and_its_text(draw: Draw) -> None:
    pdf = draw("--at 1 --follow 100 --labels all --width 84", "pdf")
    box = re.search(rb"/MediaBox \[([^\]]+)\]", pdf)
    assert box is not None
    sides = [float(side) / 72 * 25.4 for side in box[1].split()]
    assert sides == pytest.approx([0, 0, 84, 63], abs=0.3)
    assert b"/FontFile2" in pdf, "fonts are embedded"
    assert b"/Subtype /Image" not in pdf
    assert "101" in pdf_text(pdf)
    assert "102" in pdf_text(pdf)


def pdf_text(pdf: bytes) -> str:
    """The text of a PDF of Qt: glyphs by the tables that say which letters they are."""
    streams = []
    for match in re.finditer(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        try:
            streams.append(zlib.decompress(match[1]))
        except zlib.error:
            streams.append(match[1])
    letters = {}
    for stream in streams:
        for block in re.findall(rb"beginbfrange(.*?)endbfrange", stream, re.DOTALL):
            for low, high, code in re.findall(rb"<(\w+)> <(\w+)> <(\w+)>", block):
                for glyph in range(int(low, 16), int(high, 16) + 1):
                    letters[glyph] = chr(int(code, 16) + glyph - int(low, 16))
            for low, _, codes in re.findall(rb"<(\w+)> <(\w+)> \[([^\]]+)\]", block):
                for number, code in enumerate(re.findall(rb"<(\w+)>", codes)):
                    letters[int(low, 16) + number] = chr(int(code, 16))
    text = []
    for stream in streams:
        for glyphs in re.findall(rb"<([0-9a-fA-F]+)> ?Tj", stream):
            codes = [int(glyphs[start : start + 4], 16) for start in range(0, len(glyphs), 4)]
            text.append("".join(letters.get(code, "?") for code in codes))
    return "".join(text)


def test_a_png_has_the_pixels_of_its_resolution(draw: Draw) -> None:
    image = QImage.fromData(draw("--at 1 --dpi 150", "png"))
    assert (image.width(), image.height()) == (496, 372)
    assert image.dotsPerMeterX() == round(150 / 0.0254)
    corner = image.pixelColor(5, 5)
    assert corner.lightness() > 240, "the ground is white"


def test_a_recording_without_frames_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.log"
    path.write_bytes(b.recording())
    assert main(["picture", str(path), str(tmp_path / "out.svg")]) == 1
    assert "There are no frames to show." in capsys.readouterr().err
    assert not (tmp_path / "out.svg").exists()


def test_colours_of_classes_differ_in_grey() -> None:
    lumas = sorted(
        0.299 * color.redF() + 0.587 * color.greenF() + 0.114 * color.blueF()
        for color in (PRINT.text, PRINT.hero, PRINT.vehicle, PRINT.two_wheeler, PRINT.walker, PRINT.scene)
    )
    assert all(lighter - darker > 0.12 for darker, lighter in pairwise(lumas))


def test_the_same_choices_give_the_same_picture(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(b.drive(11, vehicles=2))
    options = PictureOptions(at=("0.2",), theme="dark")
    with open_recording(path) as recording:
        made = []
        for chosen in (options, options, replace(options, at=("0.4",))):
            figure = make_figure(recording.snapshot, chosen, range(11))
            made.append(figure.written("svg"))
            figure.close()
    assert made[0] == made[1] != made[2]


# --- the dialog -------------------------------------------------------------------------------------------


class Drawn:
    """What draws for the dialog: the recording's pictures, as the window's would be."""

    has_signals = False

    def __init__(self, session: Session, theme: Theme) -> None:
        self._figures = WindowFigures(session, theme, None, ())

    def shown_area(self) -> str:
        return "-10,-5,30,25"

    def figure(self, options: PictureOptions, frames: range, *, of_signals: bool) -> Callable[[Progress], ShownFigure]:
        return self._figures.figure(options, frames, of_signals=of_signals)


@pytest.fixture
def dialog(session: Session, theme: Theme, path: Path, qtbot: QtBot) -> PictureDialog:
    session.open(path)
    qtbot.waitUntil(lambda: not session.jobs.running)
    start = PictureOptions(at=("f11",), area="-10,-5,30,25")
    dialog = PictureDialog(session, theme, Drawn(session, theme), start)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: dialog.is_ready)
    return dialog


def test_the_dialog_shows_the_picture_and_writes_it(
    dialog: PictureDialog, path: Path, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests, qtbot: QtBot
) -> None:
    with subtests.test("its size on paper, and the command that does the same"):
        assert dialog.size_text.text() == "84 × 63 mm in print"
        words = shlex.split(dialog.command_line())
        assert words[:4] == ["recorder-editor", "picture", path.name, "town 1.svg"]
        assert words[4:] == ["--at", "f11", "--area=-10,-5,30,25"]
        assert not dialog.rows["dpi"].isVisible()
        assert not dialog.rows["across"].isVisible()
    with subtests.test("several moments are a strip"):
        dialog.form.set_value("at", "f1, f11")
        dialog.on_change()
        qtbot.waitUntil(lambda: dialog.is_ready)
        assert dialog.size_text.text() == "84 × 35 mm in print"
    with subtests.test("what cannot be drawn is a sentence"):
        dialog.form.set_value("at", "never")
        dialog.on_change()
        qtbot.waitUntil(lambda: "never" in dialog.empty.text())
        assert not dialog.go.isEnabled()
        dialog.form.set_value("at", "f11")
    with subtests.test("a PNG asks for its resolution, and is written"):
        qtbot.mouseClick(dialog.format.segment(2), Qt.MouseButton.LeftButton)
        assert dialog.rows["dpi"].isVisible()
        qtbot.waitUntil(lambda: dialog.is_ready)
        target = path.with_name("made.png")
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(target), "PNG (*.png)"))
        qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(target.exists)
        qtbot.waitUntil(lambda: not dialog.job_panel.is_busy)
        assert QImage(str(target)).width() == 992
    with subtests.test("the recording itself is never written over"):
        dialog.write(path)
        assert path.read_bytes() == b.drive(40, vehicles=3)
