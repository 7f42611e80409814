"""Files of packets beside a recording, in the folder of the preferences and given: which are used, and what is told."""

import json
import os
import sys
from pathlib import Path

import pytest

import recorder_editor
from recorder_editor.format.packet_files import PacketFileError, read_packet_file
from recorder_editor.recording.packet_search import FOLDER, answer, find_packet_files, using
from recorder_editor.recording.user_folders import config_folder

from .. import builders as b

BODY = b.packet(150, b.u16(1) + b"\7")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "own.log"
    path.write_bytes(b.header() + b.frame(1, packets=[BODY]))
    return path


def write(path: Path, name: str = "Own", number: int = 150) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    packet = {"id": number, "name": name, "members": [["level", "u8", "A level"]]}
    path.write_text(json.dumps({"packets": [packet]}), encoding="utf-8")
    return path


def name_of(path: Path) -> str:
    with recorder_editor.open(path) as recording:
        return recording[0].packets[-2].name


def test_one_beside_a_recording_is_used_when_its_content_was_accepted(path: Path) -> None:
    file = read_packet_file(write(path.parent / "own.packets.json"))
    assert find_packet_files(path).asked == (file,)
    assert name_of(path) == "Unknown 150"
    answer(file, "accepted")
    assert name_of(path) == "Own"
    assert find_packet_files(path).asked == ()
    write(path.parent / "own.packets.json", "Other")
    assert name_of(path) == "Unknown 150"
    (changed,) = find_packet_files(path).asked
    answer(changed, "refused")
    assert find_packet_files(path).asked == ()
    assert name_of(path) == "Unknown 150"


def test_those_in_the_folder_of_the_preferences_are_used_for_all(path: Path) -> None:
    write(config_folder() / FOLDER / "mine.packets.json", "Mine")
    assert name_of(path) == "Mine"


def test_given_ones_count_before_accepted_ones_and_these_before_those_of_the_preferences(path: Path) -> None:
    write(config_folder() / FOLDER / "mine.packets.json", "Mine")
    beside = read_packet_file(write(path.parent / "own.packets.json", "Beside"))
    answer(beside, "accepted")
    given = read_packet_file(write(path.parent / "given" / "given.packets.json", "Given"))
    assert name_of(path) == "Beside"
    with using([given]):
        found = find_packet_files(path)
        assert [file.path.name for file in found.files] == [
            "given.packets.json",
            "own.packets.json",
            "mine.packets.json",
        ]
        assert len(found.remarks) == 2
        assert name_of(path) == "Given"
    assert name_of(path) == "Beside"


def test_the_api_takes_files(path: Path) -> None:
    given = write(path.parent / "given" / "given.packets.json", "Given")
    with recorder_editor.open(path, packets=[given]) as recording:
        packet = recording[0].packet("Given")
        assert packet is not None
        assert packet.decoded.records() == [{"level": 7}]
        assert recording.detection.reasons[-1] == "Packet 150 is described by given.packets.json."
    given.write_text("{}", encoding="utf-8")
    with pytest.raises(PacketFileError):
        recorder_editor.open(path, packets=[given])


def test_what_is_no_file_of_packets_is_told_and_left_out(path: Path) -> None:
    (path.parent / "bad.packets.json").write_text('{"packets": 3}', encoding="utf-8")
    (path.parent / "folder.packets.json").mkdir()
    if sys.platform != "win32":
        os.mkfifo(path.parent / "pipe.packets.json")
    found = find_packet_files(path)
    assert found.files == found.asked == ()
    assert found.remarks == ("bad.packets.json, line 1: “packets” is not a list of packets.",)


@pytest.mark.parametrize("damage", ["", "[]", '{"x": 3}', "{", "\udcff"])
def test_damaged_answers_are_none(path: Path, damage: str) -> None:
    file = read_packet_file(write(path.parent / "own.packets.json"))
    config_folder().mkdir(parents=True, exist_ok=True)
    (config_folder() / "packet-files.json").write_text(damage, encoding="utf-8", errors="surrogateescape")
    assert find_packet_files(path).asked == (file,)
    answer(file, "accepted")
    assert find_packet_files(path).files == (file,)


def test_the_folder_is_that_of_the_settings() -> None:
    settings = pytest.importorskip("recorder_editor.ui.session.settings")
    assert settings.settings_path().parent == config_folder()
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("RECORDER_EDITOR_STATE_DIR", raising=False)
        patch.setenv("XDG_CONFIG_HOME", "/somewhere")
        assert settings.settings_path().parent == config_folder()


def test_edits_survive_a_crash_with_the_packets(path: Path) -> None:
    from recorder_editor import edits
    from recorder_editor.recording.recovery import find_leftovers

    file = read_packet_file(write(path.parent / "given" / "given.packets.json", "Given"))
    with using([file]):
        recording = recorder_editor.open(path)
    recording.keep_journal()
    where = edits.place(recording, frame=0, packet="Given", field="level")
    recording.apply(edits.set_field(recording, where, 9))
    recording.release()
    file.path.unlink()
    (leftover,) = find_leftovers()
    restored = leftover.restore()
    assert restored.recording[0].packet("Given").decoded.records() == [{"level": 9}]
    restored.recording.close()


def test_a_file_that_is_accepted_later_describes_the_open_recording(path: Path) -> None:
    with recorder_editor.open(path) as recording:
        answer(read_packet_file(write(path.parent / "own.packets.json")), "accepted")
        assert recording[0].packets[-2].name == "Unknown 150"
        change = recording.describe_packets()
        assert change.dialect
        assert not recording.is_modified
        assert recording[0].packets[-2].name == "Own"


def test_describing_packets_anew_keeps_a_dialect_that_was_chosen(path: Path) -> None:
    with recorder_editor.open(path) as recording:
        recording.decode_as("ue5-2026")
        answer(read_packet_file(write(path.parent / "own.packets.json")), "accepted")
        recording.describe_packets()
        assert recording.dialect.name == "ue5-2026"
        assert recording[0].packets[-2].name == "Own"
