"""House rules that would otherwise be wishes: arrows, sizes, where SQL may stand, what a module says first."""

import ast
import re
from pathlib import Path

import pytest

HOUSE = Path(__file__).parent.parent / "src" / "farthing"
SOURCES = sorted(HOUSE.rglob("*.py"))
FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 50

# Imports go from a higher floor to a lower one, or stay on it. A file's floor follows from its place and name.
KERNEL, MODEL, WIRE, STORE, OPERATION, HTTP, ROUTES, TOP = range(8)
_KERNEL_FILES = {
    "__init__",
    "clock",
    "errors",
    "money",
    "text",
    "cleaned",
    "fields",
    "shown",
    "config",
    "environment",
    "log",
    "bank_holidays",
}
_TOP_FILES = {"app", "__main__"}
_TOP_FOLDERS = {"cli", "jobs", "doctor", "demo", "backup"}
# Whoever leaves work to a job puts it into the queue.
_STORES_BELOW = {("jobs", "queue")}
_NAMED = {
    "model": MODEL, "words": MODEL, "bank": MODEL, "matching": MODEL, "wire": WIRE, "compose": WIRE,
    "engine": MODEL, "triggers": MODEL, "actions": MODEL, "candidates": STORE, "findings": STORE,
    "store": STORE, "known": STORE, "counts": STORE, "lines": STORE, "mentions": STORE, "tokens": STORE,
    "passwords": STORE, "choose": STORE, "links": STORE, "payments": STORE, "sums": STORE, "labels": STORE,
    "events": STORE, "parts": STORE, "exceptions": STORE, "streams": STORE, "narrowing": STORE, "callers": STORE,
    "attempts": STORE, "names": STORE, "refit": STORE,
    "routes": ROUTES, "listing": ROUTES, "calendar": ROUTES, "drafting": ROUTES,
}  # fmt: skip


def floor(module: tuple[str, ...]) -> int:
    """`("accounts", "store")` stands on the floor of stores; a file named for what it does is an operation."""
    folder, name = (module[0] if len(module) > 1 else ""), module[-1]
    if module in _STORES_BELOW:
        return STORE
    if folder in _TOP_FOLDERS or (not folder and name in _TOP_FILES | _TOP_FOLDERS):
        return TOP
    if folder in ("ledger", "schedule") or (not folder and name in _KERNEL_FILES):
        return KERNEL
    if folder == "storage":
        return STORE
    if folder == "http":
        return HTTP
    return _NAMED.get(name, OPERATION)


def module_of(path: Path) -> tuple[str, ...]:
    parts = path.relative_to(HOUSE).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts


def imports_of(path: Path) -> set[tuple[str, ...]]:
    """The modules of this house that a file imports, at its head or inside a function."""
    here = path.relative_to(HOUSE).parent.parts
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = here[: len(here) - node.level + 1] + tuple((node.module or "").split(".") if node.module else ())
            for alias in node.names:
                target = (*base, alias.name)
                found.add(target if _exists(target) else base)
    return {target for target in found if target}


def _exists(module: tuple[str, ...]) -> bool:
    at = HOUSE.joinpath(*module)
    return at.with_suffix(".py").exists() or at.is_dir()


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_arrows_go_down(path: Path) -> None:
    mine = floor(module_of(path))
    upwards = [".".join(target) for target in imports_of(path) if floor(target) > mine]

    assert not upwards, f"{path.name} stands on floor {mine} and may not import {upwards}"


def test_the_kernel_knows_only_the_standard_library_and_itself() -> None:
    for path in [*HOUSE.glob("ledger/*.py"), *HOUSE.glob("schedule/*.py"), HOUSE / "money.py", HOUSE / "text.py"]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import | ast.ImportFrom) and not getattr(node, "level", 0):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names]
                assert not {name.split(".")[0] for name in names} & {
                    "pydantic",
                    "msgspec",
                    "starlette",
                    "apsw",
                    "psycopg",
                }


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_no_file_is_longer_than_a_chapter(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= FILE_LINES_MAX, "split it by behaviour"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_no_function_is_longer_than_a_page(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < FUNCTION_LINES_MAX, f"{node.name} is too long"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_every_module_says_which_question_it_answers(path: Path) -> None:
    text = path.read_text()
    assert not text.strip() or ast.get_docstring(ast.parse(text)), "begin with one line: the question it answers"


_STATEMENT = re.compile(r"\b(SELECT\s.+\sFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM)\b", re.DOTALL)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_sql_stands_only_in_stores(path: Path) -> None:
    module = module_of(path)
    if floor(module) == STORE or module[0] in ("doctor", "storage") or module[-1] in ("search", "health"):
        return
    strings = [
        node.value
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    assert not [text for text in strings if _STATEMENT.search(text)]


def test_nothing_but_the_clock_reads_the_wall_clock() -> None:
    for path in SOURCES:
        if path.name != "clock.py":
            assert not re.search(r"datetime\.now\(|date\.today\(|time\.time\(", path.read_text()), path


def test_no_float_comes_near_money() -> None:
    for folder in ("ledger", "transactions", "accounts", "currencies"):
        for path in [*HOUSE.glob(f"{folder}/*.py"), HOUSE / "money.py", HOUSE / "fields.py"]:
            names = {node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)}
            assert "float" not in names, path
