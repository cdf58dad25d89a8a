"""The wire's generated code: makes it from the protos, compares it, checks the protos themselves.

Generated code exists once, at the import path the compiler writes. Never edits what it generated.
"""

from __future__ import annotations

import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
from importlib import resources
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GENERATED = Path("riverboat/wire/v1")
SUFFIXES = ("_pb2.py", "_pb2.pyi", "_pb2_grpc.py", "_pb2_grpc.pyi")
TOOLS = Path(sys.executable).parent  # the plugins stand beside the interpreter


def sources(root: Path) -> list[str]:
    """The protos of a checkout, by their path below its `protos/`."""
    protos = root / "protos"
    return sorted(str(path.relative_to(protos)) for path in protos.rglob("*.proto"))


def outputs(root: Path) -> dict[str, Path]:
    """The generated files below `root`, by name."""
    folder = root / GENERATED
    return {path.name: path for path in folder.glob("*") if path.name.endswith(SUFFIXES)}


def generate(root: Path, into: Path) -> None:
    """Write the generated code of all protos of `root` below `into`, and nothing else there."""
    protos = root / "protos"
    bundled = resources.files("grpc_tools") / "_proto"
    command = [
        sys.executable,
        "-m",
        "grpc_tools.protoc",
        f"-I{protos}",
        f"-I{bundled}",
        f"--python_out={into}",
        f"--mypy_out=quiet:{into}",
        f"--grpc_python_out={into}",
        # Servers and clients here are asyncio's, so their stubs promise nothing else.
        f"--mypy_grpc_out=quiet,only_async:{into}",
        *sources(root),
    ]
    path = os.pathsep.join([str(TOOLS), os.environ.get("PATH", "")])
    subprocess.run(command, check=True, env={**os.environ, "PATH": path})
    for name, file in outputs(into).items():
        # A proto without a service has nothing to say in gRPC.
        proto = protos / GENERATED / f"{name.split('_pb2')[0]}.proto"
        if "_pb2_grpc." in name and "\nservice " not in proto.read_text():
            file.unlink()


def write() -> int:
    """Replace the committed generated code by a fresh generation."""
    with tempfile.TemporaryDirectory() as fresh:
        generate(ROOT, Path(fresh))
        old, new = outputs(ROOT), outputs(Path(fresh))
        for name in old.keys() - new.keys():
            old[name].unlink()
        for name, file in new.items():
            target = ROOT / GENERATED / name
            if not target.exists() or not filecmp.cmp(file, target, shallow=False):
                shutil.copyfile(file, target)
    return 0


def differences(root: Path) -> list[str]:
    """What a fresh generation and the code that stands do not share, a line each."""
    with tempfile.TemporaryDirectory() as fresh:
        if sources(root):
            generate(root, Path(fresh))
        old, new = outputs(root), outputs(Path(fresh))
        lines = [f"{name}: no proto makes it" for name in sorted(old.keys() - new.keys())]
        lines += [f"{name}: missing" for name in sorted(new.keys() - old.keys())]
        lines += [
            f"{name}: differs from a fresh generation"
            for name in sorted(old.keys() & new.keys())
            if not filecmp.cmp(old[name], new[name], shallow=False)
        ]
        return lines


def check() -> int:
    """Say whether the committed code equals a fresh generation."""
    lines = differences(ROOT)
    for line in lines:
        print(f"{GENERATED}/{line}; run `make proto`")
    return 1 if lines else 0


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def baseline() -> str:
    """What the wire may not break: the last release, or what is committed before the first one."""
    return _git("describe", "--tags", "--match", "v[0-9]*", "--abbrev=0") or "HEAD"


def buf() -> int:
    """Lint the protos, and hold them against the last release."""
    if not sources(ROOT):
        print("buf: no protos here yet, nothing to check")
        return 0
    lint = subprocess.run([TOOLS / "buf", "lint"], cwd=ROOT).returncode
    base = baseline()
    if not _git("ls-tree", "-r", "--name-only", base, "--", "protos"):
        print(f"buf breaking: {base} has no protos to break, skipped")
        return lint
    against = f".git#ref={base}"
    broken = subprocess.run([TOOLS / "buf", "breaking", "--against", against], cwd=ROOT).returncode
    return lint or broken


ACTIONS = {"write": write, "check": check, "buf": buf}

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in ACTIONS:
        sys.exit(f"usage: proto.py {'|'.join(ACTIONS)}")
    sys.exit(ACTIONS[sys.argv[1]]())
