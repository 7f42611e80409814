"""Packet headers of spans: read once for several readers, within a bound of memory."""

from pathlib import Path

import pytest

from recorder_editor.recording import packet_headers
from recorder_editor.recording.store import Store
from tests.builders import packet


def test_spans_are_kept_up_to_a_bound_that_counts_short_spans_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A million spans of one packet each take memory for the spans, not for the headers."""
    path = tmp_path / "headers"
    path.write_bytes(packet(100, b"x") * 100)
    monkeypatch.setattr(packet_headers, "_KEPT", 160)
    reads: list[int] = []
    with Store(path) as store:
        read = store.read
        monkeypatch.setattr(store, "read", lambda *span: reads.append(span[1]) or read(*span))
        headers = packet_headers.SpanHeaders(store)
        spans = [(store.file, 6 * n, 6) for n in range(100)]
        first = [headers.read(*span).tolist() for span in spans]
        once = len(reads)
        assert [headers.read(*span).tolist() for span in spans] == first == [[[100, 5, 1]]] * 100
    kept = once - (len(reads) - once)
    assert 0 < kept < 10
