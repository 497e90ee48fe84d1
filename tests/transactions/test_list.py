"""Which transactions does a list show, in which order, on which page?"""

import random
from datetime import date, timedelta

import pytest

from farthing.books.bookkeeping import record
from farthing.books.transactions import counts, groups, lines
from farthing.books.transactions.counts import Book, Days, LabelFilter
from farthing.books.transactions.model import types_named
from farthing.identity import users
from farthing.kernel.money import Money
from farthing.ledger.entry import Entry, Party, Split
from farthing.ledger.kinds import Type

from ..accounts.making import books_of
from ..builders import AT, EUR
from .making import (
    asset,
    deposit,
    errors,
    liability,
    listed,
    made,
    posted,
    posted_one,
    total,
    transfer,
    withdrawal,
)

WORDS = {
    "all": {"Withdrawal", "Deposit", "Transfer", "Opening balance", "Reconciliation"},
    "withdrawal": {"Withdrawal"},
    "withdrawals": {"Withdrawal"},
    "expense": {"Withdrawal"},
    "deposit": {"Deposit"},
    "deposits": {"Deposit"},
    "income": {"Deposit"},
    "transfer": {"Transfer"},
    "transfers": {"Transfer"},
    "opening_balance": {"Opening balance"},
    "reconciliation": {"Reconciliation"},
    "reconciliations": {"Reconciliation"},
    "special": {"Opening balance", "Reconciliation"},
    "specials": {"Opening balance", "Reconciliation"},
    "default": {"Withdrawal", "Deposit", "Transfer"},
    "no such word": {"Withdrawal", "Deposit", "Transfer"},
    "": {"Withdrawal", "Deposit", "Transfer"},
}


@pytest.fixture
def one_of_each(me):
    checking = made(me, asset(opening_balance=100, opening_balance_date="2024-01-01"))
    savings = made(me, asset(name="Savings"))
    for body in (withdrawal(checking), deposit(checking), transfer(checking, savings)):
        posted(me, body)
    statement = {"date": "2024-05-15", "statement_balance": 0, "book_difference": True}
    assert me.post(f"/accounts/{checking}/reconcile", statement).status_code == 200
    return checking


def types_of(things):
    return {one["attributes"]["type"] for one in things}


@pytest.mark.parametrize("word", WORDS)
def test_a_word_chooses_types(me, one_of_each, word):
    found = listed(me, type=word)

    assert types_of(found) == WORDS[word]
    assert total(me, type=word) == len(found) == len(WORDS[word])


def test_an_account_shows_all_of_its_own_unless_a_word_says_otherwise(me, one_of_each):
    path = f"/accounts/{one_of_each}/transactions"

    assert types_of(listed(me, path)) == WORDS["all"]
    for word, types in WORDS.items():
        if word:
            assert types_of(listed(me, path, type=word)) == types
            assert total(me, path, type=word) == len(types)


def test_the_newest_day_comes_first_then_the_last_recorded_then_the_order_of_splits(me):
    checking = made(me, asset())
    first = posted_one(me, withdrawal(checking, date="2024-05-10"))["id"]
    older = posted_one(me, withdrawal(checking, date="2024-05-09"))["id"]
    splits = [
        {"amount": 1, "currency_id": 1, "source_id": checking, "description": f"split {place}"} for place in range(3)
    ]
    both = [one["id"] for one in posted(me, withdrawal(checking, date="2024-05-10") | {"transactions": splits})]
    newest = posted_one(me, withdrawal(checking, date="2024-05-11"))["id"]

    order = [one["id"] for one in listed(me)]

    assert order == [newest, *both, first, older]
    assert [one["id"] for one in listed(me, f"/accounts/{checking}/transactions")] == order


@pytest.mark.parametrize(
    ("start", "end", "days"),
    [
        ("2024-01-31", "2024-02-01", ["2024-02-01", "2024-01-31"]),
        ("2024-02-01", "2024-02-01", ["2024-02-01"]),
        ("2024-02-02", "2024-02-27", []),
        ("2023-12-31", "2024-02-28", ["2024-02-28", "2024-02-01", "2024-01-31", "2024-01-01", "2023-12-31"]),
        (
            "2004-12-31",
            "2024-12-31",
            ["2024-03-01", "2024-02-28", "2024-02-01", "2024-01-31", "2024-01-01", "2023-12-31"],
        ),
    ],
)
def test_a_range_holds_both_of_its_ends(me, start, end, days):
    checking = made(me, asset())
    for day in ("2023-12-31", "2024-01-01", "2024-01-31", "2024-02-01", "2024-02-28", "2024-03-01"):
        posted(me, deposit(checking, date=day))

    for path in ("/transactions", f"/accounts/{checking}/transactions"):
        found = listed(me, path, start=start, end=end)
        assert [one["attributes"]["date"] for one in found] == days
        assert total(me, path, start=start, end=end) == len(days)


def test_one_end_alone_does_not_act_and_empty_ones_count_as_absent(me):
    posted(me, deposit(made(me, asset())))

    for query in ({"start": "2030-01-01"}, {"end": "2000-01-01"}, {"start": "", "end": ""}):
        assert len(listed(me, **query)) == 1


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("query", "keys"),
    [
        ({"start": "2024-02-30", "end": "x"}, ["start", "end"]),
        ({"start": "2024-02-02", "end": "2024-02-01"}, ["start", "end"]),
        ({"start": "2000-01-01", "end": "2020-01-02"}, ["start", "end"]),
        ({"date": "soon"}, ["date"]),
    ],
)
@pytest.mark.parametrize("of_account", [False, True])
def test_days_in_the_query_must_be_days(me, of_account, query, keys):
    path = f"/accounts/{made(me, asset())}/transactions" if of_account else "/transactions"

    assert list(errors(me.get(path, **query))) == keys


def test_page_links_carry_what_was_asked(me):
    checking = made(me, asset())
    for _ in range(3):
        posted(me, withdrawal(checking))

    answer = me.get("/transactions", start="2024-05-01", end="2024-05-31", limit=1, page=2, foo="bar").json()

    at = "http://farthing.example/api/v1/transactions?start=2024-05-01&end=2024-05-31&type=default&limit=1&page="
    assert answer["links"] == {
        "self": f"{at}2",
        "first": f"{at}1",
        "last": f"{at}3",
        "prev": f"{at}1",
        "next": f"{at}3",
    }
    assert answer["meta"]["pagination"] == {
        "total": 3, "count": 1, "per_page": 1, "current_page": 2, "total_pages": 3,
    }  # fmt: skip


def test_past_the_end_there_is_nothing(me):
    posted(me, withdrawal(made(me, asset())))

    answer = me.get("/transactions", page=1_000_000).json()

    assert answer["data"] == []
    assert answer["meta"]["pagination"]["current_page"] == 1_000_000


def test_nobody_sees_the_transactions_of_others(me, someone_else):
    theirs = posted_one(someone_else, withdrawal(made(someone_else, asset())))["id"]

    assert listed(me, type="all") == []
    for method in ("get", "delete"):
        assert getattr(me, method)(f"/transactions/{theirs}").status_code == 404
    assert me.put(f"/transactions/{theirs}", {}).status_code == 404, "404 comes before what is wrong with the body"
    assert len(listed(someone_else)) == 1


@pytest.mark.any_database
@pytest.mark.parametrize("wrong", ["0", "abc", "12abc", "-1", "9" * 30, "1.0"])
def test_what_is_no_id_is_not_there(me, wrong):
    for method, options in (("GET", {}), ("PUT", {"json": {}}), ("DELETE", {})):
        assert me.request(method, f"/transactions/{wrong}", **options).status_code == 404


class Shelf:
    """Some thousand splits over eleven years, and beside them the same in plain Python."""

    def __init__(self, world, client):
        self.books = books_of(world, client)
        dice = random.Random(7)
        own = [Party(self.books.account(name), EUR) for name in ("Checking", "Savings")]
        shop = Party(self.books.account("Shop"), EUR)
        self.checking, self.food, self.weekly = (
            LabelFilter("accounts", own[0].id),
            LabelFilter("categories", self.books.label("categories", "Food")),
            LabelFilter("tags", self.books.label("tags", "Weekly")),
        )
        entries = [self._entry(dice, own, shop) for _ in range(1500)]
        with world.books.writing() as db:
            users.take(db, client.user.id, token_id=None, now=AT, doing="test")
            ids = record.record_all(db, client.user.id, entries, AT)
        # Day, entry, place of the split, type, accounts and labels: sorted as every list is.
        self.splits = sorted(
            (
                (entry.on.isoformat(), entry_id, -place, entry.type, set(_labels(entry, split)))
                for entry_id, entry in zip(ids, entries, strict=True)
                for place, split in enumerate(entry.splits)
            ),
            key=lambda one: one[:3],
            reverse=True,
        )

    def _entry(self, dice, own, shop):
        """Crowded days, crowded months and lonely ones."""
        start = date(2014, 1, 1)
        on = dice.choice([
            start + timedelta(days=dice.randrange(4000)),
            date(2020, 2, 29),
            date(2021, 6, 1) + timedelta(days=dice.randrange(20)),
        ])  # fmt: skip
        type_ = dice.choice([Type.WITHDRAWAL, Type.WITHDRAWAL, Type.DEPOSIT, Type.TRANSFER])
        mine, other = dice.sample(own, 2)
        splits = []
        for _ in range(dice.choice([1, 1, 1, 2, 5])):
            source, destination = {
                Type.WITHDRAWAL: (mine, shop),
                Type.DEPOSIT: (shop, mine),
                Type.TRANSFER: (mine, other),
            }[type_]
            category_id = dice.choice([self.food.id, None])
            splits.append(Split(source, destination, Money(dice.randrange(1, 10_000), EUR), category_id=category_id))
            mine, other = dice.sample(own, 2)
        return Entry(type_, on, "a transaction", tuple(splits), tag_ids=dice.choice([(self.weekly.id,), (), ()]))

    def expected(self, book, days):
        return [
            (on, entry_id, -place)
            for on, entry_id, place, type_, touched in self.splits
            if type_ in book.types and days.start <= on <= days.end and (not book.labelled or book.labelled in touched)
        ]


_DAYS = pytest.mark.parametrize(
    "days",
    [
        Days(),
        Days("2020-02-29", "2020-02-29"),
        Days("2020-02-28", "2021-06-15"),
        Days("2021-06-03", "2021-06-09"),
        Days("2016-12-31", "2024-12-31"),
        Days("1990-01-01", "2009-01-01"),
    ],
    ids=lambda days: f"{days.start}..{days.end}",
)


def _labels(entry, split):
    yield from (LabelFilter("accounts", account.id) for account in (split.source, split.destination))
    yield LabelFilter("categories", split.category_id)
    yield from (LabelFilter("tags", tag_id) for tag_id in entry.tag_ids)


@_DAYS
def test_every_page_is_its_slice_of_the_whole_however_deep(world, shelf, days):
    user_id = shelf.books.user_id
    with world.books.reading() as db:
        for word in ("all", "default", "withdrawal", "transfer", "special"):
            for of_account in (None, shelf.checking):
                book = Book(user_id, types_named(word), of_account)
                expected = shelf.expected(book, days)
                assert counts.total(db, book, days) == len(expected)
                for size in (50, 333):
                    for offset in range(0, len(expected) + size, size):
                        page = lines.page(db, book, days, limit=size, offset=offset)
                        found = [(line.on, line.entry_id, line.position) for line in page]
                        assert found == expected[offset : offset + size]


@_DAYS
def test_every_page_of_groups_is_its_slice_too_and_each_group_is_whole(world, shelf, days):
    """Also where only one split of several touches the label."""
    whole = {}
    for _, entry_id, place, *_ in shelf.splits:
        whole.setdefault(entry_id, []).append(-place)
    with world.books.reading() as db:
        for label in (None, shelf.checking, shelf.food, shelf.weekly):
            for word in ("all", "transfer", "default"):
                book = Book(shelf.books.user_id, types_named(word), label)
                expected = list(dict.fromkeys(entry_id for _, entry_id, _ in shelf.expected(book, days)))
                assert groups.total(db, book, days) == len(expected)
                for offset in (0, 77, 231, 462, len(expected)):
                    page = groups.page(db, book, days, limit=77, offset=offset)
                    assert [group[0].entry_id for group in page] == expected[offset : offset + 77]
                    assert all([line.position for line in group] == whole[group[0].entry_id] for group in page)


_shelves: dict[str, Shelf] = {}


@pytest.fixture
def shelf(world, dialect):
    """Made once for each database: it is only read."""
    if dialect not in _shelves:
        _shelves[dialect] = Shelf(world, world.someone())
    return _shelves[dialect]


def test_a_deep_page_over_http_is_the_slice_too(world, me):
    shelf = Shelf(world, me)
    expected = shelf.expected(Book(me.user.id, types_named("all"), shelf.checking), Days())

    found = listed(me, f"/accounts/{shelf.checking.id}/transactions", page=17, limit=40)

    seen = [(one["attributes"]["date"], one["attributes"]["journal_id"]) for one in found]
    assert seen == [place[:2] for place in expected[640:680]]


def test_lists_follow_changes_and_deletions(world, me):
    checking = made(me, asset())
    ids = [posted_one(me, withdrawal(checking, date=f"2024-0{month}-01"))["id"] for month in (1, 2, 3)]

    me.put(f"/transactions/{ids[0]}", withdrawal(checking, date="2024-04-01"))
    me.delete(f"/transactions/{ids[1]}")

    for path in ("/transactions", f"/accounts/{checking}/transactions"):
        assert [one["id"] for one in listed(me, path)] == [ids[0], ids[2]]
        assert total(me, path) == 2
        assert total(me, path, start="2024-01-01", end="2024-02-28") == 0


def test_a_liability_lists_what_touches_it(me):
    checking, loan = made(me, asset()), made(me, liability())
    posted(me, transfer(checking, loan))

    amounts = [(one["attributes"]["type"], float(one["attributes"]["amount"])) for one in listed(
        me, f"/accounts/{loan}/transactions"
    )]  # fmt: skip

    assert amounts == [("Transfer", 12.5), ("Opening balance", -123.0)]
