"""What the tests of packaging share: a process that ends with them."""

from collections.abc import Iterator

import pytest

from .kaitai import compiler


@pytest.fixture(scope="session", autouse=True)
def compiler_ends() -> Iterator[None]:
    """Ends the compiler of Kaitai Struct where a test has started it."""
    yield
    compiler.end()
