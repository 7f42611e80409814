"""Whatever the bytes are, checks come to an end and name only what the table of rules knows; fixes mend or refuse."""

import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recorder_editor.checks import check, fix, fixable, rule
from recorder_editor.errors import EditError, FieldError

from .. import builders as b
from ..extent import examples
from ..recording.films import opened

DRIVE = b.drive(6, vehicles=3)


def wounded(seed: int, wounds: int) -> bytes:
    """The drive with bytes of it changed, taken out or doubled."""
    chance, data = random.Random(seed), bytearray(DRIVE)
    for _ in range(wounds):
        at = chance.randrange(34, len(data))
        kind = chance.randrange(4)
        if kind == 0:
            data[at] = chance.randrange(256)
        elif kind == 1:
            del data[at : at + chance.randrange(1, 40)]
        elif kind == 2:
            data[at:at] = data[max(34, at - chance.randrange(1, 90)) : at]
        else:
            data[at : at + 4] = chance.choice((b"\0\0\xc0\x7f", b"\xff\xff\xff\xff", b"\0\0\0\0", b"\0\0\x80\x7f"))
        if len(data) < 80:
            break
    return bytes(data)


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 1 << 30), st.integers(1, 5))
def test_every_wound_is_told_by_a_rule_and_mended_or_refused(seed: int, wounds: int) -> None:
    with opened(wounded(seed, wounds), "ue4-0.9.12") as recording:
        snapshot = recording.snapshot
        findings = check(snapshot)
        by_code = {finding.code: finding for finding in findings}
        for code, finding in by_code.items():
            assert rule(code).severity == finding.severity
            assert finding.offset is None or 0 <= finding.offset <= snapshot.size
            mendable = fixable(snapshot, [one for one in findings if one.code == code])
            if mendable:
                with suppress(EditError, FieldError):
                    check(snapshot.after(fix(snapshot, mendable)))


@pytest.mark.parametrize("dialect", ["ue4-0.9.4", "ue4-0.9.10", "ue4-0.9.16", "ue5-0.10.0", "ue5-2026"])
def test_every_release_is_checked(dialect: str) -> None:
    with opened(b.everything(dialect), dialect) as recording:
        structural = [one for one in check(recording.snapshot) if rule(one.code).subject == "structure"]
        assert [one for one in structural if one.severity == "error"] == []
