"""What the program says of itself: versions, and where problems are reported. Loads no Qt."""

import sys


def versions(program: str) -> list[str]:
    """The program of that version, Python, the main libraries and the system with its C library, a line each."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    lines = [f"recorder-editor {program}", f"Python {platform.python_version()}"]
    for name, package in (("NumPy", "numpy"), ("PySide6", "PySide6-Essentials"), ("pyqtgraph", "pyqtgraph")):
        try:  # a library that is loaded may come from elsewhere, as from a distribution
            loaded = getattr(sys.modules.get(package.partition("-")[0]), "__version__", "")
            lines.append(f"{name} {loaded or version(package)}")
        except PackageNotFoundError:
            lines.append(f"{name} is not installed")
    return [*lines, platform.platform()]


def issue_page() -> str:
    """The address at which problems are reported, as the package names it; empty if it names none."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        addresses = metadata("recorder-editor").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    return next((each.partition(", ")[2] for each in addresses if each.startswith("Issues, ")), "")
