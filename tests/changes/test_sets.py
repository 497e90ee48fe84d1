"""Deleting and undoing by statements on sets of rows: whatever was there, and however many, all is as it was."""

from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from farthing.books.accounts import store as accounts
from farthing.books.lifecycle import accounts as lifecycle
from farthing.books.transactions.stored_sums import sets
from farthing.care.changes import store
from farthing.care.changes.undo import undo
from farthing.identity import users
from farthing.storage.schema import TABLES

from ..accounts.making import asset
from ..attachments.making import attached
from ..bills.making import a_bill, stored
from ..builders import AT
from ..length import examples
from ..piggy_banks.making import saving
from ..recurrences import making as recurrences
from ..transactions.making import a_transaction, findings, made, split, transfer, withdrawal
from .test_undo import seen

# Few at once, so that every set is cut into several; all at once; and one row after the other.
SIZES = [(1, 3), (1, 1000), (sets.ENTRIES_MIN, sets.BATCH_MAX)]
# What is written down about the books, not what is in them.
_ASIDE = {"tokens", "sessions", "changes", "revisions", "answers", "jobs", "sign_in_links"}
_SUMMED = {
    "balances": "units <> 0",
    "words": "entries <> 0",
    "counts": "splits <> 0",
    "flows": "units <> 0",
    "net_worth": "units <> 0",
}
_COUNTED = {name: "splits <> 0 OR units <> 0 OR entries <> 0" for name in TABLES if name.startswith("sums_of_")}
_NONE = (None, None)
_transactions = st.lists(
    st.fixed_dictionaries(
        {
            "type": st.sampled_from(["withdrawal", "deposit", "transfer"]),
            "day": st.integers(0, 90),
            "away": st.booleans(),  # on another account alone: it stays
            "splits": st.lists(
                st.tuples(
                    st.integers(1, 99999),
                    st.sampled_from([_NONE, ("USD", "7.77")]),
                    st.sampled_from([None, "Food", "Fun"]),
                    st.sampled_from([None, "Daily"]),
                    st.booleans(),
                ),
                min_size=1,
                max_size=3,
            ),
            "tags": st.sets(st.sampled_from(["cheap", "weekend"])),
            "words": st.sampled_from(["bread", "Brot und Butter", "bread, ÄRGER", "x"]),
        }
    ),
    min_size=1,
    max_size=12,
)


def set_size(monkeypatch, size):
    for name, value in zip(("ENTRIES_MIN", "BATCH_MAX", "SUMMED_MAX"), (*size, size[-1]), strict=True):
        monkeypatch.setattr(sets, name, value)


def _body(one, accounts_):
    mine, savings, dollars = accounts_
    own = savings if one["away"] else mine
    sides = {
        "withdrawal": {"source_id": own, "destination_name": "Shop"},
        "deposit": {"source_name": "Employer", "destination_id": own},
        "transfer": {"source_id": own, "destination_id": dollars},
    }[one["type"]]
    splits = [
        split(
            amount=f"{units / 100:.2f}",
            description=f"{one['words']} {place}",
            category_name=category,
            budget_name=budget if one["type"] == "withdrawal" else None,
            foreign_currency_code=foreign[0],
            foreign_amount=foreign[1],
            reconciled=reconciled,
            **sides,
        )
        for place, (units, foreign, category, budget, reconciled) in enumerate(one["splits"])
    ]
    on = (date(2024, 1, 20) + timedelta(days=one["day"])).isoformat()
    return a_transaction(one["type"], *splits, date=on, description=one["words"], tags=sorted(one["tags"]))


def _household(me, chosen):
    """The id of an account with everything that can hang on one."""
    mine = made(me, asset(opening_balance="50", opening_balance_date="2024-01-01"))
    savings, dollars = made(me, asset(name="Savings")), made(me, asset(name="Dollars", currency_code="USD"))
    stored(me, a_bill())
    piggy_bank = saving(me, savings, current_amount=None, target_amount="100000")
    recurrences.stored(me, recurrences.a_recurrence(mine, tags=["gym"]))
    moved = a_transaction(
        "transfer", split(source_id=mine, destination_id=savings, amount="12"), piggy_bank_id=piggy_bank
    )
    bodies = [moved, *(_body(one, (mine, savings, dollars)) for one in chosen)]
    answer = me.post("/transactions/bulk", {"transactions": bodies})
    assert answer.status_code == 200, answer.text
    first = answer.json()["data"][0]["data"][0]
    attached(me, b"a receipt", model="TransactionJournal", model_id=first["attributes"]["journal_id"])
    return int(mine)


def _rows(world, me):
    """Everything that is stored for the user, row by row; sums that are zero as if they were not there."""
    found = {}
    with world.books.reading() as db:
        for table, columns in TABLES.items():
            if "user_id" in columns and table not in _ASIDE:
                where = {**_SUMMED, **_COUNTED}.get(table, "1 = 1")
                names = ", ".join(columns)
                rows = db.all(f"SELECT {names} FROM {table} WHERE user_id = :id AND {where}", id=me.user.id)
                found[table] = sorted(rows, key=repr)
    return found


def _write(world, me, work, doing="accounts.remove"):
    with world.books.writing() as db:
        users.take(db, me.user.id, token_id=None, now=AT, doing=doing)
        work(db)


def _close(world, me, account_id):
    def close(db):
        account = accounts.get(db, me.user.id, account_id)
        lifecycle.remove(db, me.user.id, account, AT)

    _write(world, me, close)


def _undo_last(world, me):
    def take_back(db):
        _, [_, newest, *_] = store.page(db, me.user.id, limit=2, offset=0)
        undo(db, me.user.id, newest)

    _write(world, me, take_back, "changes.take_back")


@settings(
    max_examples=examples(24),
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(chosen=_transactions, size=st.sampled_from(SIZES))
def test_an_account_deleted_in_sets_comes_back_exactly_and_goes_again(world, monkeypatch, chosen, size):
    set_size(monkeypatch, size)
    me = world.someone()
    account_id = _household(me, chosen)
    before, read = _rows(world, me), seen(me)

    _close(world, me, account_id)
    gone = _rows(world, me)
    assert findings(world, me) == []
    assert me.get("/changes", limit=1).json()["data"][0]["attributes"]["summary"].startswith("Deleted ")

    _undo_last(world, me)
    assert findings(world, me) == []
    assert _rows(world, me) == before
    assert seen(me) == read

    _undo_last(world, me)  # undoing the undo deletes it again
    assert _rows(world, me) == gone
    assert findings(world, me) == []


@pytest.mark.parametrize("size", SIZES)
def test_sums_that_leave_64_bits_on_the_way_are_no_reason_to_refuse(world, monkeypatch, size):
    """Two huge amounts leave an account, and come back on the same day."""
    set_size(monkeypatch, size)
    me = world.someone()
    mine, savings = made(me, asset()), made(me, asset(name="Savings"))
    there = transfer(mine, savings, "90000000000000000.00")
    back = transfer(savings, mine, "90000000000000000.00")
    assert me.post("/transactions/bulk", {"transactions": [back, there, back, there]}).status_code == 200
    before = _rows(world, me)

    _close(world, me, int(mine))
    assert findings(world, me) == []

    _undo_last(world, me)
    assert _rows(world, me) == before


def test_on_postgresql_another_user_writes_before_a_deletion_or_its_undo_is_committed(
    world, monkeypatch, me, someone_else
):
    """With the same currency and the same words. A write that waits for them would be refused after a while."""
    if world.books.dialect == "sqlite":
        pytest.skip("SQLite has one writer: the others wait for the commit.")
    mine, savings = made(me, asset()), made(me, asset(name="Savings"))
    theirs = made(someone_else, asset())
    assert me.post("/transactions/bulk", {"transactions": [transfer(mine, savings)] * 5}).status_code == 200
    set_size(monkeypatch, (1, 3))
    answers = []

    def close_and_let_them_write(db):
        lifecycle.remove(db, me.user.id, accounts.get(db, me.user.id, int(mine)), AT)
        db.flush()
        answers.append(someone_else.post("/transactions", withdrawal(theirs)))

    def undo_and_let_them_write(db):
        _, [_, newest, *_] = store.page(db, me.user.id, limit=2, offset=0)
        undo(db, me.user.id, newest)
        db.flush()
        answers.append(someone_else.post("/transactions", withdrawal(theirs)))

    _write(world, me, close_and_let_them_write)
    _write(world, me, undo_and_let_them_write, "changes.take_back")

    assert [one.status_code for one in answers] == [200, 200]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("noun", ["accounts", "categories", "tags"])
def test_a_merge_is_undone_and_done_again_exactly(world, monkeypatch, noun, size):
    set_size(monkeypatch, size)
    me = world.someone()
    from_id, into_id = _two_to_merge(me, noun)
    before, read = _rows(world, me), seen(me)

    assert me.post(f"/{noun}/{from_id}/merge", {"into_id": into_id}).status_code == 200
    merged = _rows(world, me)

    for expected in (before, merged, before):
        _undo_last(world, me)
        assert _rows(world, me) == expected
        assert findings(world, me) == []
    assert seen(me) == read


def test_the_undo_of_a_merge_writes_no_words_and_only_the_sums_of_what_is_merged(world, me):
    """What is written is what others wait for."""
    if world.books.dialect == "postgresql":
        pytest.skip("On PostgreSQL nobody else waits for it.")
    counted = {}
    for noun in ("accounts", "categories", "tags"):
        from_id, into_id = _two_to_merge(me, noun, times=sets.ENTRIES_MIN)
        assert me.post(f"/{noun}/{from_id}/merge", {"into_id": into_id}).status_code == 200
        before = _count_written(world)
        _undo_last(world, me)
        counted[noun] = (_count_written(world) - before) / (4 * sets.ENTRIES_MIN)

    assert max(counted.values()) < WRITTEN_MAX, counted


# Rows for each transaction that the labels had at first; with all sums and words it was 34 to 93.
WRITTEN_MAX = 15


def _two_to_merge(me, noun, times=1):
    """Shops, categories or tags with transactions of their own, and some in common; the ids of two."""
    mine = made(me, asset())
    names = ("Baker", "Butcher")
    bodies = [
        a_transaction(
            "withdrawal",
            split(
                source_id=mine,
                destination_name=name,
                category_name=name,
                description=f"{name} {place}",
                **({"foreign_currency_code": "USD", "foreign_amount": "7.77"} if place % 2 else {}),
            ),
            date=(date(2024, 1, 20) + timedelta(days=place)).isoformat(),
            tags=[name, "Baker"] if place % 2 else [name],
        )
        for name in names
        for place in range(4 * times)
    ]
    # In common, in each order: each of these counts once for both.
    splits = [
        split(source_id=mine, destination_name=name, category_name=name, description=f"both {name}")
        for name in ("Other", *names)
    ]
    bodies += [
        a_transaction("withdrawal", *order, date="2024-02-02")
        for order in (splits, splits[::-1], splits[1:] + splits[1:])
    ]
    answer = me.post("/transactions/bulk", {"transactions": bodies})
    assert answer.status_code == 200, answer.text
    things = me.get(f"/{noun}", limit=100).json()["data"]
    ids = {thing["attributes"].get("name") or thing["attributes"]["tag"]: thing["id"] for thing in things}
    return [ids[name] for name in names]


def _count_written(world):
    """The rows that the connection for writes has written so far."""
    with world.books.writing() as db:
        return db.value("SELECT total_changes()")
