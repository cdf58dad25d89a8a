"""The compiled build: the same source, its inner loop as machine code, in a tree of its own.

`make compiled` brings `build/compiled` up to date: a copy of this checkout in which the modules
named here are compiled by mypyc. `run` starts a program that imports from there, `test` runs tests
there, `wheel` makes a wheel of it. Plain Python always works; nothing is compiled where the source
stands, so nothing old can shadow it.
"""

from __future__ import annotations

import ast
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
TREE: Final = ROOT / "build" / "compiled"
STAMP: Final = TREE / "build" / "stamp"
SETUP: Final = "setup.py"
# Where a record is decided, written, read, folded and shown: most of a server's time. What waits
# for others, or runs once, gains nothing.
MODULES: Final = (
    "riverboat/game/*.py",
    "riverboat/game/hand/*.py",
    "riverboat/game/table/*.py",
    "riverboat/ledger/*.py",
    "riverboat/log/commitment.py",
    "riverboat/log/log.py",
    "riverboat/log/sealing.py",
    "riverboat/runtime/ahead.py",
    "riverboat/runtime/away.py",
    "riverboat/runtime/beats.py",
    "riverboat/runtime/counts.py",
    "riverboat/runtime/entry.py",
    "riverboat/runtime/fences.py",
    "riverboat/runtime/inbox.py",
    "riverboat/runtime/messages.py",
    "riverboat/runtime/service.py",
    "riverboat/runtime/step.py",
    "riverboat/runtime/tables.py",
    "riverboat/runtime/wakes.py",
    "riverboat/wire/beats.py",
    "riverboat/wire/joined.py",
    "riverboat/wire/record.py",
    "services/session/desk.py",
    "services/session/floor.py",
    "services/session/frames.py",
    "services/session/hall.py",
    "services/session/own.py",
    "services/session/views.py",
    "services/session/watched.py",
)
# What the tree has of a checkout, and no data that may lie beside it.
COPIED: Final = (
    *("riverboat", "services", "benchmarks", "deploy", "docs", "protos", "scripts", "tests"),
    *("pyproject.toml", "README.md", "LICENSE", "Makefile", "buf.yaml"),
    *("requirements.lock", "requirements-dev.lock", ".ci", ".gitignore"),
)
LEFT_OUT: Final = ("__pycache__", "*.egg-info", "*.so")
COMMAND: Final = """\
from mypyc.build import mypycify
from setuptools import setup

setup(ext_modules=mypycify({modules!r}, opt_level="2", debug_level="0"))
"""


def modules(root: Path) -> list[str]:
    """What is compiled, by its path below `root`."""
    found = chain.from_iterable(root.glob(pattern) for pattern in MODULES)
    return sorted(str(path.relative_to(root)) for path in found if path.name != "__init__.py")


def written_out(source: str) -> str:
    """The module with each dataclass's constructor written out, and its annotations kept.

    A compiled dataclass would have the constructor that `dataclasses` makes at run time, which is
    not compiled, and annotations without the arguments of their types, which the codec needs.
    """
    lines = source.splitlines(keepends=True)
    kept: list[str] = []
    # From the last to the first, so that lines above keep their numbers.
    for cls in sorted(_dataclasses(source), key=lambda cls: -cls.lineno):
        fields = [field for field in cls.body if isinstance(field, ast.AnnAssign)]
        lines.insert(max(field.end_lineno or 0 for field in fields), _constructor(fields))
        at = cls.decorator_list[0].lineno - 1
        lines[at] = lines[at].replace("slots=True", "slots=True, init=False")
        hints = {ast.unparse(field.target): ast.unparse(field.annotation) for field in fields}
        kept.append(f'setattr({cls.name}, "__annotations__", {hints!r})\n')
    return "".join([*lines, "\n", *reversed(kept)] if kept else lines)


def _dataclasses(source: str) -> Iterator[ast.ClassDef]:
    """The dataclasses of a module that are written `@dataclass(slots=True)` and hold something."""
    for cls in ast.parse(source).body:
        if isinstance(cls, ast.ClassDef) and cls.decorator_list:
            written = ast.unparse(cls.decorator_list[0]).startswith("dataclass(slots=True")
            if written and any(isinstance(each, ast.AnnAssign) for each in cls.body):
                yield cls


def _constructor(fields: Sequence[ast.AnnAssign]) -> str:
    given, body = ["self"], []
    for field in fields:
        name, hint = ast.unparse(field.target), ast.unparse(field.annotation)
        value = name
        if field.value is None:
            given.append(f"{name}: {hint}")
        elif isinstance(field.value, ast.Call) and ast.unparse(field.value.func) == "field":
            given.append(f"{name}: {hint} | None = None")
            value = f"{_made(field.value)} if {name} is None else {name}"
        else:
            given.append(f"{name}: {hint} = {ast.unparse(field.value)}")
        body.append(f"        self.{name} = {value}\n")
    return f"\n    def __init__({', '.join(given)}) -> None:\n{''.join(body)}"


def _made(call: ast.Call) -> str:
    """The expression of a field's default that is made anew for each instance."""
    (factory,) = [word.value for word in call.keywords if word.arg == "default_factory"]
    if isinstance(factory, ast.Lambda):
        return f"({ast.unparse(factory.body)})"
    return f"{ast.unparse(factory)}()"


def update() -> None:
    """Bring the tree up to date; compiles only if something that is compiled has changed."""
    TREE.mkdir(parents=True, exist_ok=True)
    _copy()
    named = modules(ROOT)
    for name in named:
        _write(TREE / name, written_out((ROOT / name).read_text()))
    _write(TREE / SETUP, COMMAND.format(modules=named))
    stamp = _stamp([*named, SETUP])
    suffix = str(sysconfig.get_config_var("EXT_SUFFIX"))
    whole = all((TREE / name).with_suffix(suffix).exists() for name in named)
    if whole and STAMP.exists() and STAMP.read_text() == stamp:
        return
    reason = missing()
    if reason:
        sys.exit(f"compiled: {reason}")
    STAMP.unlink(missing_ok=True)
    for old in TREE.rglob("*.so"):
        old.unlink()
    print(f"compiled: {len(named)} modules into {TREE.relative_to(ROOT)}: some two minutes")
    command = [sys.executable, SETUP, "--quiet", "build_ext", "--inplace"]
    done = subprocess.run(command, cwd=TREE, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"compiled: it does not compile\n{done.stdout}{done.stderr}")
    STAMP.write_text(stamp)


def missing() -> str:
    """What this machine lacks to compile, in a line; empty if nothing."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        return f"a C compiler is needed, and {compiler} was not found"
    if not Path(sysconfig.get_paths()["include"], "Python.h").exists():
        return "Python.h is needed (python3-dev), and was not found"
    return ""


def _copy() -> None:
    """Make the tree what the checkout is, but for what is compiled and what a build leaves."""
    ignored = shutil.ignore_patterns(*LEFT_OUT)
    for name in COPIED:
        source, target = ROOT / name, TREE / name
        if source.is_dir():
            compiled = {file: file.read_bytes() for file in target.rglob("*.so")}
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(source, target, ignore=ignored)
            for file, content in compiled.items():
                if file.parent.is_dir():
                    file.write_bytes(content)
        else:
            shutil.copy2(source, target)


def _write(path: Path, text: str) -> None:
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def _stamp(names: Sequence[str]) -> str:
    digest = hashlib.sha256(f"{sys.version} {version('mypy')}".encode())
    for name in names:
        digest.update(f"\n{name}\n".encode() + (TREE / name).read_bytes())
    return digest.hexdigest() + "\n"


def run(command: Sequence[str]) -> None:
    """Become this command, which imports from the tree; `python` is this interpreter."""
    words = [sys.executable if word == "python" else word for word in command]
    # Where it runs is left alone, and must not be looked into first.
    found = {"PYTHONSAFEPATH": "1", "PYTHONPATH": str(TREE)}
    os.execvpe(words[0], words, os.environ | found)


def test(arguments: Sequence[str]) -> None:
    """Become pytest, in the tree."""
    os.chdir(TREE)
    words = [sys.executable, "-m", "pytest", *arguments]
    os.execvpe(words[0], words, os.environ | {"RIVERBOAT_COMPILED": "1"})


def wheel() -> None:
    """A wheel of the tree, in `dist/`."""
    for packed in (TREE / "build").glob("lib.*"):
        for old in packed.rglob("*.py"):
            old.unlink()  # a module that is gone would be packed again
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-index", "--no-deps"]
    where = ["--no-build-isolation", "--wheel-dir", str(ROOT / "dist"), str(TREE)]
    subprocess.run([*command, *where], check=True)


def main(words: Sequence[str]) -> None:
    """`update`; `run COMMAND`; `test ARGUMENTS` of pytest; `wheel`."""
    what, rest = words[0] if words else "", words[1:]
    if what not in ("update", "run", "test", "wheel") or (rest and what in ("update", "wheel")):
        sys.exit("compiled: update, run COMMAND, test ARGUMENTS or wheel")
    update()
    if what == "run":
        run(rest)
    elif what == "test":
        test(rest)
    elif what == "wheel":
        wheel()


if __name__ == "__main__":
    main(sys.argv[1:])
