"""The open recording as every view sees it: a session and its parts, one module each.

A part knows those before it: `state`, `selection`, `range`, `marks`, `editing`, then `background`, `comparison`,
`traffic` and `roads`, which follow edits.
"""

from .editing import SCOPES, Scope
from .session import Session

__all__ = ["SCOPES", "Scope", "Session"]
