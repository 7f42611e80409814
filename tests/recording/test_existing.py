"""What a file is that an output would replace, by its bytes alone."""

import os
import sys
from pathlib import Path

import pytest

from recorder_editor.recording.existing import kind_of, refuse_existing

from .. import builders as b


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b.drive(2), "recording"),
        (b.drive(2)[:18], "recording"),
        (b"\xff\xff\xff\xff" + b.drive(2)[4:], "recording"),
        (b'[{"notes": 1, "fingerprint": "-"}\n]\n', "notes"),
        (b'\xef\xbb\xbf[{"notes": 1, "fingerprint": "-"}\n<<<<<<< mine\n', "notes"),
        (b'{"notes": 1, "fingerprint": "-"}\n,{"frame": 1, "text": "x"}', "notes"),
        (b'[{"start": 0}]', "segments"),
        (b'[\n{"start": 0, "end": "#5", "name": "a", "color": "#4477AA", "on": true},\n{"start": 1}\n]', "segments"),
        (b"start,end,name\n", "segments"),
        (b' Name ; "end";START\r\n1;2;3', "segments"),
        (b'{"workspace": 1, "name": "a", "layout": "trim", "docks": [], "panes": {}}', "workspace"),
        (b'{"packets": [{"id": 101}], "dialects": []}', "packets"),
        (b"", None),
        (b"CARLA_RECORDER", None),
        (b"start,end,frame\n", None),
        (b'{"start": 0, "end": 5}\n{"start": 1}\n', None),
        (b'[{"start": 0, "end": 5, "speed": 7}]', None),
        (b'{"packets": {"Position": 5}}', None),
        (b'{"script": 2, "steps": []}', None),
        (b"[" * 100_000, None),
        (b'{"a":' * 100_000, None),
        (b"[" + b"9" * 100_000, None),
        (b"\xff\xfe{}", None),
    ],
)
def test_a_file_is_told_by_what_it_begins_with(tmp_path: Path, data: bytes, kind: str | None) -> None:
    path = tmp_path / "any.name"
    path.write_bytes(data)
    assert kind_of(path) == kind


@pytest.mark.parametrize(("name", "kind"), [("a.log.notes.json", "notes"), ("mine.packets.json", "packets")])
def test_what_is_spoilt_is_told_by_the_ending_of_its_own(tmp_path: Path, name: str, kind: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"<<<<<<< mine\n")
    assert kind_of(path) == kind


def test_a_folder_and_what_is_not_there_are_nothing_to_keep(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none", tmp_path / "none" / "none"):
        assert kind_of(path) is None
        refuse_existing([path], is_recording=True)


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes with names there")
def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert kind_of(pipe) is None
    refuse_existing([pipe], is_recording=True)
