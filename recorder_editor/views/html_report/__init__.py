"""A report on one recording or several: one HTML file that holds all that it shows, for any browser. No Qt.

It is made of templates in `resources/report`; every text in it is escaped there. It has no script, and asks no network.
"""

from .rendering import render_report, require_libraries, write_report
from .subject import Source

__all__ = ["Source", "render_report", "require_libraries", "write_report"]
