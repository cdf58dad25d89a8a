"""The style of this house as checks: each reads a tree of files and says what is out of order.

A check about a thing that is not there yet says nothing, and begins by itself on the day it
appears. Never imports what it reads: a file that does not run can be judged too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

Check = Callable[[Path], list[str]]

FUNCTION_LINES_MAX = 60
MODULE_LINES_MAX = 400

# What may be longer, and exactly how long it is: shortening it shortens its row, until it goes.
LONG_MODULES: dict[str, int] = {}
LONG_FUNCTIONS: dict[str, int] = {}

HOUSES = ("riverboat", "services", "deploy", "benchmarks", "scripts", "tests", ".ci")
GENERATED = "riverboat/wire/v1"
SAMPLES = "tests/tidy_samples.py"  # bad on purpose
TEXTS = {".py", ".toml", ".proto", ".md", ".sh", ".yaml", ".yml", ".xml", ".properties", ""}

SERVICE_HEADINGS = ("decides", "reads", "writes", "refuses", "when it dies")
# Named by the topics' table before they are built; a name leaves this list when its folder comes.
SERVICES_TO_COME = {"lobby", "tournament", "analytics"}


def _files(root: Path, pattern: str, *houses: str) -> Iterator[Path]:
    for house in houses or HOUSES:
        for path in sorted((root / house).rglob(pattern)):
            name = path.relative_to(root).as_posix()
            if "__pycache__" not in name and not name.startswith(GENERATED) and name != SAMPLES:
                yield path


def _modules(root: Path, *houses: str) -> Iterator[tuple[str, ast.Module, str]]:
    """Every module's path, tree and text."""
    for path in _files(root, "*.py", *houses):
        text = path.read_text()
        yield path.relative_to(root).as_posix(), ast.parse(text), text


def _assigned(tree: ast.Module, name: str) -> ast.expr | None:
    """What a module's top level gives the name."""
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign):
            targets = [node.target]
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            assert isinstance(node, ast.Assign | ast.AnnAssign)
            return node.value
    return None


def docstrings(root: Path) -> list[str]:
    """Every module opens with a sentence, not a word."""
    return [
        f"{name}: no sentence says what this module is"
        for name, tree, _ in _modules(root)
        if len((ast.get_docstring(tree) or "").split()) < 4
    ]


def sizes(
    root: Path,
    long_modules: dict[str, int] = LONG_MODULES,
    long_functions: dict[str, int] = LONG_FUNCTIONS,
) -> list[str]:
    """Functions and modules that one can take in; the few allowed are listed with their length."""
    found: list[tuple[str, int, int]] = []
    allowed = {**long_modules, **long_functions}
    for name, tree, text in _modules(root):
        found.append((name, text.count("\n"), MODULE_LINES_MAX))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert node.end_lineno is not None
                lines = node.end_lineno - node.lineno + 1
                found.append((f"{name}:{node.name}", lines, FUNCTION_LINES_MAX))
    long = {name: (lines, most) for name, lines, most in found if lines > most}
    return [
        f"{name}: {lines} lines, {allowed.get(name, most)} at most"
        for name, (lines, most) in long.items()
        if lines > allowed.get(name, most)
    ] + [
        f"{name}: the list of long things says {lines} lines, and it has fewer"
        for name, lines in allowed.items()
        if lines > long.get(name, (0, 0))[0]
    ]


def services_whole(root: Path) -> list[str]:
    """Every service has a manifest, an `rpc.py`, and a page with the five headings."""
    lines = []
    for folder in sorted((root / "services").glob("*/")):
        name = f"services/{folder.name}"
        if folder.name == "cli" or not list(folder.glob("*.py")):
            continue
        init = folder / "__init__.py"
        if not init.exists() or _assigned(ast.parse(init.read_text()), "MANIFEST") is None:
            lines.append(f"{name}: no MANIFEST in its __init__.py")
        if not (folder / "rpc.py").exists():
            lines.append(f"{name}: no rpc.py")
        page = folder / "README.md"
        text = page.read_text() if page.exists() else ""
        headings = [found.lower().rstrip(".") for found in re.findall(r"(?m)^#+ (.+)$", text)]
        lines += [f"{name}: no heading '{h}'" for h in SERVICE_HEADINGS if h not in headings]
    return lines


def money_is_whole(root: Path) -> list[str]:
    """Amounts are whole numbers, divided in one module only."""
    lines = []
    rooms = ("riverboat/game/hand", "riverboat/game/table", "riverboat/ledger")
    for name, tree, _ in _modules(root, *rooms):
        for node in ast.walk(tree):
            match node:
                case ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()):
                    lines.append(f"{name}:{node.lineno}: true division")
                case ast.Constant(value=float()):
                    lines.append(f"{name}:{node.lineno}: a float")
                case ast.Call(func=ast.Name(id="round")):
                    lines.append(f"{name}:{node.lineno}: round()")
                case ast.Name(id="float" | "Decimal" | "Fraction" as word):
                    lines.append(f"{name}:{node.lineno}: {word}")
                case _:
                    pass
    return lines


def rules_are_data(root: Path) -> list[str]:
    """No code compares the id of a variant or a rulebook."""
    page = root / "docs/rules/rules.md"
    listed = (_section(page, 1) or "") if page.exists() else ""
    ids = {"lt", "et", "ro", "standard", *re.findall(r"(?m)^\| `(\w+)` \|", listed)}

    def says_id(node: ast.expr) -> bool:
        parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
        return any(isinstance(part, ast.Constant) and part.value in ids for part in parts)

    lines = []
    for name, tree, _ in _modules(root, "riverboat/game", "services"):
        for node in ast.walk(tree):
            match node:
                case ast.Compare(left=left, comparators=others) if any(
                    map(says_id, [left, *others])
                ):
                    lines.append(f"{name}:{node.lineno}: compares the id of a variant or rulebook")
                case ast.MatchValue(value=value) if says_id(value):
                    lines.append(f"{name}:{node.lineno}: matches the id of a variant or rulebook")
                case _:
                    pass
    return lines


def tests_are_honest(root: Path) -> list[str]:
    """Tests pass the clock, the entropy and the log; they replace nothing and wait for nothing."""
    lines = []
    for name, tree, _ in _modules(root, "tests"):
        for node in ast.walk(tree):
            words = set()
            match node:
                case ast.Import(names=names):
                    words = {alias.name for alias in names}
                case ast.ImportFrom(module=module, names=names):
                    words = {f"{module}.{alias.name}" for alias in names} | {str(module)}
                case ast.Attribute(value=ast.Name(id=left), attr=right):
                    words = {f"{left}.{right}"}
                case _:
                    continue
            lines += [
                f"{name}:{node.lineno}: {word}"
                for word in ("unittest.mock", "monkeypatch.setattr", "time.sleep")
                if word in words
            ]
    return lines


def finished(root: Path) -> list[str]:
    """Nothing is left for later in the code: what is missing is an issue or a refusal."""
    later = re.compile(r"\b(TODO|FIXME|XXX)\b")
    return [
        f"{path.relative_to(root).as_posix()}:{number}: {found[0]}"
        for path in _texts(root)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if (found := later.search(line))
    ]


def speaks_of_itself(root: Path) -> list[str]:
    """No file names a folder of some machine, and no lock says where packages came from."""
    folder = re.compile(r"(?<![\w./$}~*-])/(?:work|home|root|Users)/")
    lines = [
        f"{path.relative_to(root).as_posix()}:{number}: a path of some machine"
        for path in _texts(root)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if folder.search(line)
    ]
    locks = [*root.glob("*.lock"), *root.glob("*/package-lock.json")]
    return lines + [
        f"{lock.relative_to(root).as_posix()}: names a host"
        for lock in locks
        if re.search(r"https?://", lock.read_text())
    ]


def _texts(root: Path) -> Iterator[Path]:
    for pattern in ("*.md", "*.toml", "Makefile"):
        yield from sorted(root.glob(pattern))
    for path in _files(root, "*", *HOUSES, "docs", "protos"):
        if path.is_file() and path.suffix in TEXTS and path.name != "tidy_checks.py":
            yield path


def no_packages_in_tests(root: Path) -> list[str]:
    """pytest imports tests by path: no packages, and no two files of one name."""
    lines = [
        f"{path.relative_to(root).as_posix()}: tests are no package"
        for path in _files(root, "__init__.py", "tests")
    ]
    homes: dict[str, str] = {}
    for path in _files(root, "test_*.py", "tests"):
        name = path.relative_to(root).as_posix()
        if path.name in homes:
            lines.append(f"{name}: {homes[path.name]} has that name too")
        homes[path.name] = name
    return lines


def _section(page: Path, number: int) -> str | None:
    parts = re.split(r"(?m)^## (\d+)\. .*$", page.read_text())
    return dict(zip(parts[1::2], parts[2::2], strict=True)).get(str(number))


def _has_lead(section: str, word: str) -> bool:
    """Whether a bold lead or a row of the section begins with the word, or it is a mark there."""
    if word in ("field", "reading"):
        return f"[{word}]" in section
    leads = re.findall(r"\*\*([^*]+)\*\*", section) + re.findall(r"(?m)^ *\| *([^|]+)\|", section)
    plain = (lead.replace("`", "").strip().lower() for lead in leads)
    return any(re.match(re.escape(word.lower()) + r"(?!\w)", lead) for lead in plain)


CITATION = re.compile(r"\[(RULES|ARCHITECTURE) (\d+)(?:, ([^\]]+))?\]")


def citations(root: Path) -> list[str]:
    """Every law that is cited stands where the citation says."""
    pages = {"RULES": root / "docs/rules/rules.md", "ARCHITECTURE": root / "docs/architecture.md"}
    lines = []
    for path in _files(root, "*", "riverboat", "services", "tests", "protos", "benchmarks"):
        if path.suffix not in {".py", ".toml", ".proto"} or path.name == "tidy_checks.py":
            continue
        name = path.relative_to(root).as_posix()
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for book, section, word in CITATION.findall(line):
                page = pages[book]
                if not page.exists():
                    continue
                text = _section(page, int(section))
                if text is None:
                    lines.append(f"{name}:{number}: {book} has no section {section}")
                elif word and book == "RULES" and not _has_lead(text, word):
                    lines.append(f"{name}:{number}: RULES {section} has no '{word}'")
    return lines


def _union(tree: ast.Module, name: str) -> list[str]:
    value = _assigned(tree, name)
    return [node.id for node in ast.walk(value) if isinstance(node, ast.Name)] if value else []


# Where a vocabulary's events are listed, and the table that folds them.
VOCABULARIES = (
    ("riverboat/game/hand", "HandEvent", "fold.py", "FOLDS"),
    ("riverboat/game/hand", "HandEvent", "ending.py", "ENDINGS"),
    ("riverboat/game/hand", "HandEvent", "mishaps.py", "MISHAPS"),
    ("riverboat/game/table", "TableEvent", "changes.py", "CHANGES"),
    ("riverboat/game/table", "TableEvent", "hand_changes.py", "HAND_CHANGES"),
)


def events_everywhere(root: Path) -> list[str]:
    """Every event has a message in the protos and a fold."""
    protos = "".join(path.read_text() for path in _files(root, "*.proto", "protos"))
    messages = set(re.findall(r"(?m)^message (\w+)", protos))
    # The event that starts a hand changes the table, and makes a hand instead of changing it.
    folded = {
        ast.unparse(key).rsplit(".", 1)[-1]
        for room, _, module, table in VOCABULARIES
        if (root / room / module).exists()
        and isinstance(folds := _assigned(_parsed(root / room / module), table), ast.Dict)
        for key in folds.keys
        if key
    }
    lines = []
    for room, union, module, table in VOCABULARIES:
        if not (root / room / "events.py").exists() or table not in ("FOLDS", "CHANGES"):
            continue
        events = _union(_parsed(root / room / "events.py"), union)
        if not events:
            lines.append(f"{room}/events.py: no {union} lists the events")
        if messages:
            unknown = [event for event in events if event not in messages]
            lines += [f"{event}: no message in the protos" for event in unknown]
        if (root / room / module).exists():
            lines += [f"{event}: no fold" for event in events if event not in folded]
    return lines


def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def refusals_are_reached(root: Path) -> list[str]:
    """Every code of a refusal is given by some code, and named by a test."""
    tests = "".join(path.read_text() for path in _files(root, "*.py", "tests"))
    modules = list(_modules(root, "riverboat", "services"))
    given = "".join(text for name, _, text in modules if not name.endswith("/refusals.py"))
    lines = []
    for name, tree, _ in modules:
        for code in _codes(tree) if name.endswith("/refusals.py") else []:
            if not re.search(rf"\b{code}\b", given):
                if _whole(root):
                    lines.append(f"{name}: nothing ever refuses with {code}")
            elif not re.search(rf"\b{code.split('.')[1]}\b", tests):
                lines.append(f"{name}: no test reaches {code}")
    return lines


def _codes(tree: ast.Module) -> list[str]:
    """The codes of a module's refusals, as code names them."""
    enums = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return [
        f"{enum.name}.{target.id}"
        for enum in enums
        if enum.name.endswith("Code")
        for row in enum.body
        if isinstance(row, ast.Assign)
        for target in row.targets
        if isinstance(target, ast.Name)
    ]


def _whole(root: Path) -> bool:
    """Whether the network stands: its command line joins all of it, so it comes last."""
    return (root / "services/cli/main.py").exists()


def services_agree(root: Path) -> list[str]:
    """The topics' table and the folders of `services/` name the same services."""
    table = root / "riverboat/log/topics.py"
    if not table.exists() or not _whole(root):
        return []
    folders = {path.parent.name for path in (root / "services").glob("*/*.py")}
    named: set[str] = set()
    for node in ast.walk(ast.parse(table.read_text())):
        if isinstance(node, ast.keyword) and node.arg in ("writers", "readers"):
            values = [part.value for part in ast.walk(node.value) if isinstance(part, ast.Constant)]
            named |= {value for value in values if isinstance(value, str)}
    return [
        f"riverboat/log/topics.py: names {name}, and services/ has no such folder"
        for name in sorted(named - folders - SERVICES_TO_COME)
    ] + [f"services/{name}: the topics' table does not know it" for name in sorted(folders - named)]


CHECKS: tuple[Check, ...] = (
    docstrings,
    sizes,
    services_whole,
    money_is_whole,
    rules_are_data,
    tests_are_honest,
    finished,
    speaks_of_itself,
    no_packages_in_tests,
    citations,
    events_everywhere,
    refusals_are_reached,
    services_agree,
)
