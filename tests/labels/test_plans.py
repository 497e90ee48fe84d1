"""Do the questions about labels use indexes, all of them? Asked of SQLite, which says so without any rows."""

from types import SimpleNamespace

import pytest

from farthing.books.budget_limits import store as limits
from farthing.books.labels import store as labels
from farthing.books.transactions import groups, lines
from farthing.books.transactions.counts import Book, LabelFilter
from farthing.ledger.entry import LABELS
from farthing.ledger.kinds import Type
from farthing.storage.drivers import dialects

from ..conftest import migrated

BOUNDS = {f"{name}_{place}": "2024" for name in ("grain", "first", "beyond") for place in range(3)}
ASKED = {
    "user_id": 1, "ids": [1, 2], "owner_ids": [1, 2], "label_id": 1, "start": "2024-01-01", "end": "2024-12-31",
    "limit": 50, "skip": 0, "reach": 50, "days": ["2024-01-01"], "withdrawal": 1, **BOUNDS,
}  # fmt: skip


def statements() -> dict[str, str]:
    joined = dialects.join_by_ids(SimpleNamespace(dialect="sqlite"), "splits", "s")
    found = {"what was spent of limits": limits._SPENT}
    for label in LABELS:
        everything = Book(1, frozenset(Type), labelled=LabelFilter(label, 1))
        some = Book(1, frozenset({Type.TRANSFER}), labelled=LabelFilter(label, 1))
        carrying = tuple(f"{column} = v.id" for column in lines._CARRIES[label])
        found |= {
            f"sums of {label}": labels._sums(label, 3),
            f"a page of {label}": lines._page(tuple(lines.list_conditions(everything)), on_days=False),
            f"a page of transfers of {label}": lines._page(tuple(lines.list_conditions(some)), on_days=True),
            f"a page of groups of {label}": _groups(everything, on_days=False),
            f"a page of groups of transfers of {label}": _groups(some, on_days=True),
            f"the newest of {label}": lines._newest(label, carrying, joined),
        }
    return found | {"a page of groups": _groups(Book(1, frozenset(Type)), on_days=False)}


def _groups(book: Book, *, on_days: bool) -> str:
    return groups._page(lines.list_conditions(book), is_labelled=book.labelled is not None, on_days=on_days)


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    """Of SQLite alone: PostgreSQL reads small tables whole, whatever indexes there are."""
    folder = tmp_path_factory.mktemp("plans")
    with migrated(f"sqlite:///{folder / 'farthing.sqlite3'}", folder) as database:
        yield database


@pytest.mark.parametrize("what", statements())
def test_no_question_reads_a_table_from_one_end_to_the_other(empty, what):
    with empty.reading() as db:
        plan = [row[3] for row in db.all(f"EXPLAIN QUERY PLAN {statements()[what]}", **ASKED)]

    whole = [step for step in plan if step.startswith("SCAN") and "json_each" not in step]
    assert [step for step in whole if not _is_our_own(step)] == []
    assert not [step for step in plan if "SEARCH" in step and step.endswith("(user_id=?)")]


def _is_our_own(step: str) -> bool:
    """What the statement itself put together."""
    return step.split()[1] in ("merged", "page", "p", "parts") or step.split()[1].startswith("stream_")
