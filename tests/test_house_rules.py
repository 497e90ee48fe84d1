"""Checks the house rules on the source itself: layers, cycles, sizes, where SQL may stand, first lines."""

import ast
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

HOUSE = Path(__file__).parent.parent / "src" / "farthing"
SOURCES = sorted(HOUSE.rglob("*.py"))
FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 50
FOLDER_MODULES_MAX = 15
ENTRIES_MAX = 16

# Who may be imported from outside a folder, one line each. `app` joins everything.
LAYERS = {
    "kernel": "",
    "ledger": "kernel",
    "schedule": "kernel",
    "storage": "kernel ledger schedule",
    "identity": "kernel ledger schedule storage",
    "books": "kernel ledger schedule storage identity",
    "overviews": "kernel ledger schedule storage identity books",
    "care": "kernel ledger schedule storage identity books",
    "moving": "kernel ledger schedule storage identity books overviews care",
    "http": "kernel ledger schedule storage identity",
    "api": "kernel ledger schedule storage identity books overviews care moving http",
    "jobs": "kernel ledger schedule storage identity books overviews care moving api",
    "demo": "kernel ledger schedule storage identity books overviews care moving http api",
    "cli": "kernel ledger schedule storage identity books overviews care moving http api jobs demo",
}
# The folders of `books`, each importing only from those on lines above its own.
BOOKS = """
accounts attachments available_budgets budget_limits currencies entry_links labels object_groups piggy_banks
preferences
budgets categories exchange_rates tags transactions
bills webhooks
bookkeeping
rules
recurrences rule_groups
lifecycle
"""
# The folders of `http`, likewise. `route.py` beside them imports from the first two.
HTTP = """
body request
answer
callers
handling
events files resources service
server openapi
routing
"""
# SQL stands below the doors; whoever opens one asks a function of these.
WITH_SQL = {"storage", "identity", "books", "overviews", "care", "moving"}

Folder = tuple[str, ...]


@cache
def text_of(path: Path) -> str:
    return path.read_text()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(text_of(path))


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    return list(ast.walk(tree_of(path)))


@cache
def folder_of(path: Path) -> Folder:
    return path.relative_to(HOUSE).parent.parts


@cache
def imports_of(path: Path) -> frozenset[Path]:
    """The files of this house that a file imports, relatively or by full name, at its head or inside a function."""
    return frozenset(_imports_of(path))


def _imports_of(path: Path) -> Iterator[Path]:
    for node in nodes_of(path):
        if not isinstance(node, ast.ImportFrom | ast.Import):
            continue
        if isinstance(node, ast.Import):
            modules = [name.name.split(".")[1:] for name in node.names if name.name.split(".")[0] == "farthing"]
            yield from (found for module in modules if (found := _file(*module)))
            continue
        words = node.module.split(".") if node.module else []
        if node.level:
            here = folder_of(path)
            base = [*here[: len(here) - node.level + 1], *words]
        elif words[:1] == ["farthing"]:
            base = words[1:]
        else:
            continue
        yield from (found for name in node.names if (found := _file(*base, name.name) or _file(*base)))


@cache
def _file(*module: str) -> Path | None:
    at = HOUSE.joinpath(*module)
    if module and at.with_suffix(".py").is_file():
        return at.with_suffix(".py")
    return at / "__init__.py" if (at / "__init__.py").is_file() else None


@cache
def arrows() -> dict[tuple[Folder, Folder], list[str]]:
    """Between folders, with the files that draw them."""
    found: dict[tuple[Folder, Folder], list[str]] = defaultdict(list)
    for path in SOURCES:
        for target in imports_of(path):
            if folder_of(path) != folder_of(target):
                arrow = f"{path.relative_to(HOUSE)} -> {target.relative_to(HOUSE)}"
                found[folder_of(path), folder_of(target)].append(arrow)
    return found


def test_the_rules_see_relative_and_full_imports() -> None:
    by = {path.relative_to(HOUSE).as_posix(): path for path in SOURCES}
    routes = imports_of(by["api/v1/bills/routes.py"])

    assert by["api/v1/bills/wire.py"] in routes
    assert by["books/bills/store.py"] in routes
    assert sum(map(len, arrows().values())) > 1000


def test_a_folder_imports_only_from_folders_below_it() -> None:
    wrong = [
        arrow
        for (here, there), drawn in arrows().items()
        if here and there and here[0] != there[0] and there[0] not in LAYERS[here[0]].split()
        for arrow in drawn
    ]
    wrong += [arrow for (here, there), drawn in arrows().items() if here and not there for arrow in drawn]

    assert [one for one in wrong if not one.endswith("-> __init__.py")] == []


@pytest.mark.parametrize(("house", "floors"), [("books", BOOKS), ("http", HTTP)])
def test_the_folders_of_a_house_import_only_from_those_above_them_in_the_list(house: str, floors: str) -> None:
    floor = {name: number for number, line in enumerate(floors.strip().splitlines()) for name in line.split()}
    wrong = [
        arrow
        for (here, there), drawn in arrows().items()
        if here[:1] == there[:1] == (house,) and len(here) > 1 and len(there) > 1
        if here[1] != there[1] and floor[there[1]] >= floor[here[1]]
        for arrow in drawn
    ]

    assert wrong == []


def test_the_versions_of_the_api_do_not_know_each_other() -> None:
    """What both need stands below them, so that one can change without the other."""
    wrong = [
        arrow
        for (here, there), drawn in arrows().items()
        if here[:1] == there[:1] == ("api",) and {"v1", "v6"} == {*here[1:2], *there[1:2]}
        for arrow in drawn
    ]

    assert wrong == []


def test_no_folders_import_each_other_in_a_circle() -> None:
    """At every depth: of the folders as they are, and of those that hold them."""
    for depth in range(1, 6):
        graph: dict[Folder, set[Folder]] = defaultdict(set)
        for here, there in arrows():
            if here and there and here[:depth] != there[:depth]:
                graph[here[:depth]].add(there[:depth])
        assert _in_circles(graph) == set(), depth


def test_no_files_import_each_other_in_a_circle() -> None:
    graph = {path: set(imports_of(path)) for path in SOURCES}

    assert _in_circles(_without_self(graph)) == set()


def test_no_files_of_the_benchmark_import_each_other_in_a_circle() -> None:
    graph = {path: set(_bench_imports_of(path)) for path in (HOUSE.parents[1] / "bench").rglob("*.py")}

    assert sum(map(len, graph.values())) > 50
    assert _in_circles(_without_self(graph)) == set()


def _bench_imports_of(path: Path) -> Iterator[Path]:
    for node in nodes_of(path):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            for file in (*(base / f"{one.name}.py" for one in node.names), base.with_suffix(".py")):
                if file.is_file():
                    yield file


def test_no_files_of_the_web_app_import_each_other_in_a_circle() -> None:
    folder = HOUSE.parents[1] / "web" / "src"
    files = {path for ending in ("*.ts", "*.svelte") for path in folder.rglob(ending)}
    graph = {path: {file for file in _web_imports_of(path, folder) if file in files} for path in files}

    assert sum(map(len, graph.values())) > 500
    assert _in_circles(_without_self(graph)) == set()


def _web_imports_of(path: Path, folder: Path) -> Iterator[Path]:
    """Types count as well; what is loaded when it is needed does not, because a page leads to others."""
    for name in re.findall(r"""(?:\bfrom|^import)\s+['"]([.$]/?[^'"]*)['"]""", path.read_text(), re.MULTILINE):
        base = folder / name[2:] if name.startswith("$/") else Path(os.path.normpath(path.parent / name))
        yield from (base, base.with_name(f"{base.name}.ts"), base.with_name(f"{base.name}.svelte"), base / "index.ts")


Node = TypeVar("Node")


def _without_self(graph: dict[Node, set[Node]]) -> dict[Node, set[Node]]:
    return {one: targets - {one} for one, targets in graph.items()}


def _in_circles(graph: dict[Node, set[Node]]) -> set[Node]:
    """What is left when everything is taken away, again and again, that imports nothing of what is left."""
    left = {one: set(targets) for one, targets in graph.items()}
    while True:
        ends = {target for targets in left.values() for target in targets if target not in left}
        ends |= {one for one, targets in left.items() if not targets}
        if not ends:
            return set(left)
        left = {one: targets - ends for one, targets in left.items() if one not in ends}


def test_a_folder_is_small_enough_to_be_looked_over() -> None:
    sizes = Counter(folder_of(path) for path in SOURCES if folder_of(path))
    entries = {path.relative_to(HOUSE).parts[0] for path in SOURCES} - {"__init__.py"}

    assert {folder: size for folder, size in sizes.items() if size > FOLDER_MODULES_MAX} == {}
    assert len(entries) <= ENTRIES_MAX


def test_the_pure_folders_know_only_the_standard_library_and_msgspec() -> None:
    libraries = {"pydantic", "starlette", "apsw", "psycopg"}
    for path in [*HOUSE.glob("ledger/*.py"), *HOUSE.glob("schedule/*.py"), HOUSE / "kernel/money.py"]:
        for node in nodes_of(path):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names]
                assert not {name.split(".")[0] for name in names} & libraries, path


def test_no_file_is_longer_than_a_chapter() -> None:
    lengths = {str(path.relative_to(HOUSE)): len(text_of(path).splitlines()) for path in SOURCES}

    assert {name: length for name, length in lengths.items() if length > FILE_LINES_MAX} == {}, "split by behaviour"


def test_no_function_is_longer_than_a_page() -> None:
    too_long = [
        f"{path.relative_to(HOUSE)}: {node.name}"
        for path in SOURCES
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if (node.end_lineno or 0) - node.lineno >= FUNCTION_LINES_MAX
    ]

    assert too_long == []


def test_every_module_begins_with_what_it_is_for() -> None:
    silent = [str(path) for path in SOURCES if text_of(path).strip() and not ast.get_docstring(tree_of(path))]

    assert silent == []


# Words with which a docstring is a fragment: it lacks a verb, or has no subject.
_FRAGMENTS = """
About Afterwards As At Beside Besides Both By Called Due Either Empty Everything Exact For From Here How In Including
Inside Instead Less Like Made Nobody Not Nothing Of On Once Only Ours Paid Rounded Safe Sent So Something Then There
Those To Until What Whatever Where Whether Which While Who Whoever With Without Written
"""


def test_a_docstring_begins_like_a_sentence() -> None:
    """Write what the function does: "Finds the newest rate", not "The newest rate" or "Also where there is none"."""
    fragments = [
        f"{path.relative_to(HOUSE)}: {text.splitlines()[0]}"
        for path in SOURCES
        for node in nodes_of(path)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if (text := ast.get_docstring(node)) and text.split()[0].strip(",.:;") in _FRAGMENTS.split()
    ]

    assert fragments == []


_STATEMENT = re.compile(r"\b(SELECT\s.+\sFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM)\b", re.DOTALL)


def test_sql_stands_only_below_the_doors() -> None:
    wrong = [
        str(path.relative_to(HOUSE))
        for path in SOURCES
        if not folder_of(path) or folder_of(path)[0] not in WITH_SQL
        for node in nodes_of(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _STATEMENT.search(node.value)
    ]

    assert wrong == []


_READS = {"one", "all", "rows", "many_returning"}
# The rows there are those of files.
_OF_FILES = {("formats",), ("programs",)}
# Two values are a pair, and need no names.
_UNPACKED_MAX = 2


def test_rows_become_objects_by_the_names_of_their_columns() -> None:
    """`db.structs` does; a row that is unpacked by position takes a swapped column for another, and nobody notices."""
    wrong = [
        f"{path.relative_to(HOUSE)}: {function.name}"
        for path in SOURCES
        if folder_of(path) and folder_of(path)[0] in WITH_SQL and folder_of(path)[1:2] not in _OF_FILES
        for function in nodes_of(path)
        if isinstance(function, ast.FunctionDef) and _unpacks_rows(function)
    ]

    assert wrong == [], "read them with db.struct, db.structs or structs_by_owner"


def test_the_rule_of_rows_sees_each_way_to_unpack_one() -> None:
    seen = """
def loop(db):
    for id, *rest, name in db.all("SELECT"):
        yield Bill(id, rest, name)
def assigned(db):
    rows = db.all("SELECT")
    return [Bill(id=a, name=fold(b), notes=c) for a, b, c in sorted(rows)]
def one(row):
    a, b, c = row
    return Bill(id=a, name=b, notes=c)
def starred(db):
    row = db.one("SELECT")
    return Bill(*row)
def indexed(row):
    return Bill(id=row[0], name=row[1], notes=row[2])
"""
    unseen = """
def pairs(db):
    return {id: Bill(id, name) for id, name in db.all("SELECT")}
def sums(db):
    return [(a, join(b, c)) for a, b, c in db.all("SELECT")]
def named(db):
    return [Line(id=bill.id, name=bill.name, notes=bill.notes) for bill in db.structs(Bill, "SELECT")]
"""

    assert [_unpacks_rows(node) for node in ast.parse(seen).body] == [True] * 5
    assert [_unpacks_rows(node) for node in ast.parse(unseen).body] == [False] * 3


def _unpacks_rows(function: ast.AST) -> bool:
    """Whether it passes more than two values of a row of the database to the constructor of one object."""
    nodes = list(ast.walk(function))
    rows = {"row"} | {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign) and _reads_rows(node.value, set())
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    unpacked = [
        {name.id for name in ast.walk(target) if isinstance(name, ast.Name)} - {"_"}
        for target, value in _bindings(nodes)
        if isinstance(target, ast.Tuple) and _reads_rows(value, rows)
    ]
    calls = [node for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func).strip("_")[:1].isupper()]
    return any(_takes_row(call, rows, unpacked) for call in calls)


def _bindings(nodes: list[ast.AST]) -> Iterator[tuple[ast.expr, ast.expr]]:
    for node in nodes:
        if isinstance(node, ast.For | ast.comprehension):
            yield node.target, node.iter
        elif isinstance(node, ast.Assign):
            yield node.targets[0], node.value


def _reads_rows(value: ast.expr, rows: set[str]) -> bool:
    """Whether it is a query or one of the names; also inside `sorted(...)` and the like."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        return value.func.attr in _READS
    inner = value.args if isinstance(value, ast.Call) else [value]
    return any(isinstance(name, ast.Name) and name.id in rows for name in inner)


def _takes_row(call: ast.Call, rows: set[str], unpacked: list[set[str]]) -> bool:
    values = [*call.args, *(keyword.value for keyword in call.keywords)]
    if any(isinstance(value, ast.Starred) and ast.unparse(value.value) in rows for value in values):
        return True
    places = {
        ast.unparse(node)
        for value in values
        for node in ast.walk(value)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant | ast.Slice)
        if ast.unparse(node.value) in rows
    }
    names = {node.id for value in values for node in ast.walk(value) if isinstance(node, ast.Name)}
    return max([len(places), *(len(names & row) for row in unpacked)]) > _UNPACKED_MAX


_WRITE = re.compile(r"\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+(\w+|\{\})")
_OF_TRANSACTIONS = "entries splits entry_tags entry_details mentions words payments balances net_worth flows counts"
# Whoever writes rows of a table that is put in; `tests/writers.py` looks which tables these are in statements that run.
WITH_TABLES_PUT_IN = {
    "identity/callers.py", "identity/sharing/handover.py", "identity/users.py", "moving/archive/inserting.py",
    "moving/exports/sqlite_file.py", "books/recurrences/store.py", "books/labels/store.py", "books/rules/renaming.py",
    "books/rules/store.py",
    "books/currencies/store.py",
}  # fmt: skip


def test_only_the_folder_of_transactions_writes_their_tables() -> None:
    named: dict[str, set[str]] = defaultdict(set)
    for path in SOURCES:
        file = path.relative_to(HOUSE).as_posix()
        if not file.startswith(("books/transactions/", "storage/")):
            named[file] = {table for text in _texts_of(path) for table in _WRITE.findall(text)} | _has_written(path)
    own = set(_OF_TRANSACTIONS.split())

    wrong = {
        file: tables
        for file, tables in named.items()
        if tables & own or any(table.startswith("sums_of_") for table in tables)
    }
    assert wrong == {}
    assert {file for file, tables in named.items() if "{}" in tables} == WITH_TABLES_PUT_IN


def _has_written(path: Path) -> set[str]:
    """The tables that a file names when it lets `changes` or `tables` write; `{}` stands for one that it does not."""
    tables = [
        call.args[_WRITERS[ast.unparse(call.func)]]
        for call in nodes_of(path)
        if isinstance(call, ast.Call) and ast.unparse(call.func) in _WRITERS and len(call.args) > 1
    ]
    return {str(table.value) if isinstance(table, ast.Constant) else "{}" for table in tables}


# Each with the number of the argument that names the table.
_WRITERS = {f"changes.{name}": 1 for name in ("insert", "insert_all", "update", "update_each", "delete")}
_WRITERS |= {f"tables.{name}": 1 for name in ("add", "change", "remove", "remove_and_count")} | {
    "tables.add_and_get": 2
}


def _texts_of(path: Path) -> Iterator[str]:
    """The texts of a file; `{}` stands for what is put into one."""
    for node in nodes_of(path):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_what_a_split_books_and_posts_stands_in_the_views_and_with_the_doctor_only() -> None:
    files = {
        path.relative_to(HOUSE).as_posix()
        for path in SOURCES
        for text in _texts_of(path)
        if re.search(r"(source|destination|side\}?)_foreign\b.{0,9}\b(WHEN|=|<>)", text)
    }

    assert files == set(_KNOW_THE_SIDES)


_KNOW_THE_SIDES = ("care/doctor/checks/independent_rule.py",)


def test_only_the_storage_asks_which_database_it_is() -> None:
    asking = [
        path.relative_to(HOUSE).as_posix()
        for path in SOURCES
        if folder_of(path)[:1] != ("storage",)
        for node in nodes_of(path)
        if isinstance(node, ast.Attribute) and node.attr == "dialect"
    ]

    assert asking == []


def test_nothing_but_the_clock_reads_the_wall_clock() -> None:
    for path in SOURCES:
        if path.name != "clock.py":
            assert not re.search(r"datetime\.now\(|date\.today\(|time\.time\(", text_of(path)), path


def test_no_float_comes_near_money() -> None:
    folders = ("ledger", "books/transactions", "books/bookkeeping", "books/accounts", "books/currencies")
    files = [path for folder in folders for path in HOUSE.glob(f"{folder}/*.py")]
    assert len(files) > 20
    for path in [*files, HOUSE / "kernel/money.py", HOUSE / "kernel/fields.py"]:
        names = {node.id for node in nodes_of(path) if isinstance(node, ast.Name)}
        assert "float" not in names, path
