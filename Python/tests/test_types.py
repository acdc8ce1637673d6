"""What type checkers say of the package."""

import pathlib
import subprocess
import sys

import pytest

PACKAGE = pathlib.Path(__file__).parent.parent / "offprint"


def test_mypy_finds_nothing_to_complain_of_in_strict_mode() -> None:
    pytest.importorskip("mypy")
    pytest.importorskip("numpy")
    pytest.importorskip("PIL")
    checked = subprocess.run([sys.executable, "-m", "mypy", "--strict", str(PACKAGE)], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
