"""The wheel holds all that the program needs: modules, generated code, tables of rules."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KINDS = {".py", ".pyi", ".toml", ".typed", ".md"}


def test_a_wheel_holds_every_file_of_the_packages(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for name in ("riverboat", "services", "pyproject.toml", "README.md", "LICENSE"):
        command = ["cp", "-r", str(ROOT / name), str(source)]
        subprocess.run(command, check=True)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-index", "--no-deps"]
    where = ["--no-build-isolation", "--wheel-dir", str(tmp_path), str(source)]
    subprocess.run([*command, *where], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        str(path.relative_to(ROOT))
        for package in ("riverboat", "services")
        for path in (ROOT / package).rglob("*")
        if path.suffix in KINDS and "__pycache__" not in path.parts
    }
    assert len(wanted) > 200
    assert wanted - packed == set()
