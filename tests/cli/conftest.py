"""Parsers of the command line, made once for tests that run one verb after another."""

from functools import cache

import pytest

from recorder_editor import cli

_verb_parser = cache(cli.verb_parser)


@pytest.fixture
def one_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each parser is made once: that takes longer than most verbs do with a small recording."""
    monkeypatch.setattr(cli, "verb_parser", _verb_parser)
