"""Reports in a real browser: nothing is complained of, nothing overflows, and the accessibility rules find nothing.

Each is skipped, with the reason, where there is no Chromium; the rules of axe where its package is not installed.
"""

import html
import json
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from recorder_editor import resources
from recorder_editor.recording import open_recording
from recorder_editor.texts import speaking
from recorder_editor.views.html_report import Source, render_report

from .test_html_report import HOSTILE

pytestmark = pytest.mark.long

WIDTHS = (360, 390, 640, 768, 1024, 1280, 1920)
PAPER = 688  # px of A4 without its margins of 14 mm
LONGEST = 120  # s that a page may take
DARK = ("--force-dark-mode", "--blink-settings=preferredColorScheme=0")

MEASURE = """
<iframe id="frame" style="border:0;height:900px" srcdoc="PAGE"></iframe><pre id="result"></pre>
<script>
const frame = document.getElementById("frame");
frame.onload = () => {
  const found = {};
  for (const width of WIDTHS) {
    frame.style.width = width + "px";
    const root = frame.contentDocument.documentElement;
    const past = [];
    for (const box of root.querySelectorAll("main *:not(svg *)")) {
      const isInScroll = box.closest(".scroll") && !box.matches(".scroll");
      const isHidden = box.closest(".hidden, .defs");
      if (!isInScroll && !isHidden && box.getBoundingClientRect().right > width + 0.5) past.push(box.className);
    }
    found[width] = {whole: root.scrollWidth, past: past};
  }
  document.getElementById("result").textContent = JSON.stringify(found);
};
</script>
"""
RULES = """
<script>
axe.run(document).then(found => {
  const result = document.createElement("pre");
  result.id = "result";
  result.textContent = JSON.stringify(found.violations.map(rule => [
    rule.id, rule.impact, rule.nodes.slice(0, 3).map(node => node.html.slice(0, 200))]));
  document.body.appendChild(result);
});
</script>
"""


@cache
def browser() -> str:
    """The path of Chromium, or a skipped test."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        found = shutil.which(name)
        if found is not None:
            return found
    pytest.skip("there is no Chromium")


def loaded(page: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """What Chromium makes of a page: its elements on stdout, what it logs on stderr."""
    profile = page.with_name("profile")
    command = [browser(), "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}"]
    command += [
        "--enable-logging=stderr",
        "--hide-scrollbars",
        "--virtual-time-budget=20000",
        "--window-size=1280,900",
        *options,
    ]
    done = subprocess.run(
        [*command, "--dump-dom", page.as_uri()], capture_output=True, text=True, check=True, timeout=LONGEST
    )
    shutil.rmtree(profile, ignore_errors=True)
    return done


def result_in(dom: str) -> Any:
    text = dom.partition('<pre id="result">')[2].partition("</pre>")[0]
    return json.loads(html.unescape(text))


def measured(report: str, folder: Path, widths: Sequence[int]) -> Any:
    """How wide a report is at some widths of the window, and what in it reaches past its right edge, px."""
    page = folder / "measured.html"
    outer = MEASURE.replace("WIDTHS", json.dumps(widths)).replace("PAGE", html.escape(report))
    page.write_text(f"<!doctype html><meta charset=utf-8>{outer}", "utf-8")
    return result_in(loaded(page).stdout)


def complaints(log: str) -> list[str]:
    return [line for line in log.splitlines() if "CONSOLE" in line]


def reported(paths: Sequence[Path], language: str = "en") -> str:
    recordings = [open_recording(path) for path in paths]
    try:
        sources = [Source(recording.path, recording.snapshot, [HOSTILE]) for recording in recordings]
        with speaking(language):
            return render_report(sources, "out.html").decode("utf-8")
    finally:
        for recording in recordings:
            recording.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    browser()
    folder = tmp_path_factory.mktemp("browser")
    long_name = "a-recording-with-a-name-that-has-no-place-at-which-it-could-be-broken-into-lines" * 2
    shutil.copy(resources.path("sample/town.log"), folder / f"{long_name}.log")
    shutil.copy(resources.path("sample/town-damaged.log"), folder / "damaged.log")
    return folder


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_nothing_overflows_at_any_width(folder: Path, language: str) -> None:
    report = reported(sorted(folder.glob("*.log")), language)
    assert measured(report, folder, WIDTHS) == {str(width): {"whole": width, "past": []} for width in WIDTHS}


def test_nothing_overflows_a_page_of_paper(folder: Path) -> None:
    report = reported(sorted(folder.glob("*.log")))
    # On a screen as wide as A4 between its margins, with the rules of print.
    printed = report.replace("@media print", "@media all").replace("@media screen", "@media speech")
    assert measured(printed, folder, [PAPER]) == {str(PAPER): {"whole": PAPER, "past": []}}


def test_the_browser_complains_of_nothing(folder: Path) -> None:
    page = folder / "plain.html"
    page.write_text(reported(sorted(folder.glob("*.log"))), "utf-8")
    done = loaded(page)
    assert "</html>" in done.stdout
    assert not complaints(done.stderr)


@pytest.mark.parametrize("options", [(), DARK], ids=["light", "dark"])
def test_the_accessibility_rules_find_nothing(folder: Path, options: tuple[str, ...]) -> None:
    spec = find_spec("axe_core_python")
    if spec is None or spec.origin is None:
        pytest.skip("axe-core-python is not installed")
    axe = Path(spec.origin).with_name("axe.min.js").read_text("utf-8")
    report = reported(sorted(folder.glob("*.log")))
    policy = '<meta http-equiv="Content-Security-Policy"'
    before, _, after = report.partition(policy)
    report = before + after.partition("\n")[2]  # which would keep the rules from running
    page = folder / "rules.html"
    page.write_text(report.replace("</body>", f"<script>{axe}</script>{RULES}</body>"), "utf-8")
    done = loaded(page, *options)
    assert result_in(done.stdout) == []
