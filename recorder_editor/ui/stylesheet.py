"""The application's style sheet, the only place for how Qt's own controls look, for a palette and a text size."""

import re
from functools import cache

from recorder_editor import resources
from recorder_editor.ui.colors import Look
from recorder_editor.ui.icons import Icons


def style_sheet(look: Look, icons: Icons) -> str:
    """``resources/style.qss`` with the colours, lengths and signs of this moment."""

    def value(match: re.Match[str]) -> str:
        sign, tone, color, length, more = match.groups()
        if sign:
            return f"url({icons.resource(sign, look.palette.color(tone))})"
        return look.palette.color(color).name() if color else f"{look.px(int(length)) + int(more or 0)}px"

    return _VALUE.sub(value, _template())


_VALUE = re.compile(r"sign\(([a-z-]+) \$(\w+)\)|\$(\w+)|@(\d+)([+-]\d+)?")


@cache
def _template() -> str:
    _, _, rules = resources.path("style.qss").read_text(encoding="utf-8").partition("*/")
    return rules
