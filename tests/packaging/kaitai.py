"""The compiler of Kaitai Struct, which takes longer to start than to compile: one process for all grammars of a run."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import yaml

FOLDER = Path(sys.prefix) / "kaitai" / "node_modules"
"""Where `packaging/test` installs the compiler."""

SERVE = """
const compiler = require("kaitai-struct-compiler")
const answer = value => process.stdout.write(JSON.stringify(value) + "\\n")
require("readline").createInterface({ input: process.stdin }).on("line", line =>
  compiler.compile("python", JSON.parse(line), null, false).then(
    files => answer({ python: Object.values(files)[0] }), error => answer({ error: String(error) })))
"""
"""Reads a grammar from each line, as JSON, and answers with a line."""


class Compiler:
    """The process, started with the first grammar."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def python_of(self, grammar: str) -> str:
        """Return the reader in Python that the compiler makes of a grammar."""
        if self._process is None:
            self._process = self._start()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        # Read in C, which reads the same: in Python it takes as long as compiling.
        source = yaml.load(grammar, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        self._process.stdin.write(f"{json.dumps(source)}\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert "error" not in answer, answer["error"]
        text: str = answer["python"]
        return text

    def _start(self) -> subprocess.Popen[str]:
        if shutil.which("node") is None:
            pytest.skip("node is not installed: it runs the compiler of Kaitai Struct")
        if not (FOLDER / "kaitai-struct-compiler").is_dir():
            reason = f"no compiler of Kaitai Struct: npm install --prefix {FOLDER.parent} kaitai-struct-compiler"
            if os.environ.get("CI") and shutil.which("npm"):
                pytest.fail(reason)
            pytest.skip(reason)
        return subprocess.Popen(
            ["node", "-e", SERVE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "NODE_PATH": str(FOLDER)},
            encoding="utf-8",
        )

    def end(self) -> None:
        """End the process, if it was started."""
        if self._process is not None:
            self._process.communicate()
            self._process = None


compiler = Compiler()


def compiled(grammar: str, folder: Path) -> ModuleType:
    """The Python module that the compiler makes of a grammar, written into a folder."""
    file = folder / "carla_recorder.py"
    file.write_text(compiler.python_of(grammar), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("carla_recorder", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
