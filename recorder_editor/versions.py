"""The versions of the program and its libraries, and the page where problems are reported. Loads no Qt."""

import sys

_LIBRARIES = (
    ("NumPy", "numpy", "numpy"),
    ("PySide6", "PySide6", "PySide6-Essentials"),
    ("pyqtgraph", "pyqtgraph", "pyqtgraph"),
)
"""The main libraries: name, module, package."""


def versions(program: str) -> list[str]:
    """The program of that version, Python, the main libraries and the system with its C library, a line each."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    lines = [f"recorder-editor {program}", f"Python {platform.python_version()}"]
    for name, module, package in _LIBRARIES:
        try:  # a library that is loaded may come from elsewhere, as from a distribution
            loaded = getattr(sys.modules.get(module), "__version__", "")
            lines.append(f"{name} {loaded or version(package)}")
        except PackageNotFoundError:
            lines.append(f"{name} is not installed")
    lines.append(platform.platform())
    return lines


def issue_page() -> str:
    """The address at which problems are reported, as the package names it; empty if it names none."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        addresses: list[str] = metadata("recorder-editor").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    for label_and_address in addresses:
        label, _, address = label_and_address.partition(", ")
        if label == "Issues":
            return address
    return ""
