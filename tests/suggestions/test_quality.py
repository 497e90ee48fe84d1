"""Are suggestions as good, as quick and as flat as promised? A short form of `python -m bench.suggestions`."""

from types import SimpleNamespace

import pytest
from bench import suggestions as bench

from farthing.overviews.inbox import find as inbox
from farthing.overviews.suggestions import evidence, payees

from ..conftest import migrated

ASKED = {
    "user_id": 1, "ids": [1, 2], "words": ["a"], "kinds": ["Expense account"], "most": 10, "among": 100,
    "from_0": "a", "below_0": "b", "since": "2024-01-01",
}  # fmt: skip


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    folder = tmp_path_factory.mktemp("suggestions")
    with migrated(f"sqlite:///{folder / 'farthing.sqlite3'}", folder) as database:
        yield database


@pytest.mark.long
@pytest.mark.parametrize("name", bench.list_books())
def test_suggestions_are_right_for_most_of_what_they_have_not_seen(empty, name):
    verdict = bench.judge(empty, bench.list_books(rows=1200)[name]())

    assert verdict.sure_precision >= bench.SURE_PRECISION
    assert verdict.most_precision >= bench.MOST_PRECISION
    assert verdict.cpu_ms < bench.CPU_MS_MAX


def statements():
    sqlite = SimpleNamespace(dialect="sqlite")
    return {
        "the newest of words": evidence._follow(sqlite, "words", evidence._MENTIONS),
        "the newest of payees": evidence._follow(sqlite, "accounts", evidence._SIDE.replace("{side}", "source")),
        "splits": evidence._OF_ENTRIES,
        "payees by name": evidence._NAMED.format(number=0),
        "what is imported": inbox._unseen(sqlite),
        "splits of what is imported": inbox._OF_ENTRIES,
        **{f"inbox {reason}": newest for reason, (newest, _) in inbox._WITHOUT.items()},
        **{f"total {reason}": total for reason, (_, total) in inbox._WITHOUT.items()},
    }


@pytest.mark.parametrize("what", statements())
def test_no_question_reads_all_that_a_user_has(empty, what):
    with empty.reading() as db:
        plan = [row[3] for row in db.all(f"EXPLAIN QUERY PLAN {statements()[what]}", **ASKED)]

    ours = ("json_each", "m", "labelled", "newest", "waiting", "brought", "named_0", "(subquery", "CONSTANT")
    whole = [step for step in plan if step.startswith("SCAN") and not any(word in step for word in ours)]
    assert whole == [], plan


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("SHELL OIL 57442", "Shell"),
        ("REWE Markt GmbH", "REWE"),
        ("AMZN MKTP US*2K4", "Amzn Mktp US"),
        ("dm-drogerie markt", "dm-drogerie"),
        ("Corner shop", "Corner shop"),
        ("Hardware on the Hill", "Hardware on the Hill"),
        ("REWE SAGT DANKE 45322", "Rewe"),
        ("NETFLIX", "Netflix"),
        ("4711", "4711"),
    ],
)
def test_a_payee_is_named_as_people_name_it(written, name):
    assert payees.clean(written) == name
