"""Values of mappings, lists, texts and numbers as lines of YAML."""

import json
import re
import textwrap
from collections.abc import Iterator
from typing import Any

_LONGEST = 90
_WIDTH = 100
_NO_TEXT = ("y", "n", "yes", "no", "on", "off", "true", "false", "null")
"""Words that YAML takes for something else than text."""


def yaml(node: Any) -> Iterator[str]:
    """A value as lines of YAML."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from _entry(scalar(key), value)
        return
    for item in node:
        if isinstance(item, dict):
            first, *others = yaml(item)
        else:
            first, others = scalar(item), []
        yield f"- {first}"
        for line in others:
            yield f"  {line}"


def _entry(key: str, value: Any) -> Iterator[str]:
    """A key and its value; a long text stands below the key."""
    if isinstance(value, dict | list):
        yield f"{key}:"
        lines = list(yaml(value))
    elif isinstance(value, str) and "\n" in value:
        yield f"{key}: |"
        lines = value.split("\n")
    elif isinstance(value, str) and len(value) > _LONGEST:
        yield f"{key}: >-"
        lines = textwrap.wrap(value, _WIDTH, break_on_hyphens=False)
    else:
        yield f"{key}: {scalar(value)}"
        lines = []
    for line in lines:
        yield f"  {line}".rstrip()


def scalar(value: Any) -> str:
    """A plain value; text in quotes where YAML would take it for something else."""
    is_plain = isinstance(value, str) and re.fullmatch(r"[A-Za-z_]((?!: | #|:$).)*", value)
    if is_plain and value.lower() not in _NO_TEXT:
        return str(value)
    return json.dumps(value, ensure_ascii=False)
