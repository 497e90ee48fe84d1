"""The books of a real Firefly III, read from its API's pages and from its CSV export."""

from collections import Counter, defaultdict
from datetime import date
from decimal import Decimal

import pytest
from msgspec.structs import replace

from farthing.ledger.kinds import LIABILITIES, Kind, Type
from farthing.moving.programs.firefly.read import read
from farthing.moving.source_books import SourceBooks, SourceTransaction

from .books import messages, rejections, sample_api, sample_csv, sample_table


@pytest.fixture(scope="module")
def api() -> SourceBooks:
    return read({"archive.zip": sample_api()})


@pytest.fixture(scope="module")
def export() -> SourceBooks:
    return read(sample_csv())


@pytest.fixture(scope="module", params=["api", "export", "transactions alone"])
def books(request: pytest.FixtureRequest) -> SourceBooks:
    if request.param == "transactions alone":
        return read({name: file for name, file in sample_csv().items() if "transactions" in name})
    found: SourceBooks = request.getfixturevalue(request.param)
    return found


def test_every_journal_becomes_a_split(books: SourceBooks) -> None:
    transactions = list(books.transactions)

    assert sum(len(one.splits) for one in transactions) == 325
    assert len({one.key for one in transactions}) == len(transactions) == 304  # one group of 303 becomes two
    types = Counter(one.type for one in transactions)
    assert (types[Type.OPENING_BALANCE], types[Type.RECONCILIATION]) == (10, 2)
    assert rejections(books) == []


def test_deleted_transactions_do_not_come_back(books: SourceBooks) -> None:
    assert not [one for one in books.transactions if "deleted" in one.description]


def test_the_sums_are_those_of_the_source(books: SourceBooks) -> None:
    """Names occur in several kinds, so kind and name together find an account in all three forms."""
    accounts = {(one.kind.value, one.name): one for one in books.accounts}
    last = {(one.account, one.currency): one.amount for one in books.balances}
    compared = 0
    for row in sample_table("ledger-sums.csv"):
        account = accounts[row["type"], row["name"]]
        if account.currency == row["currency"]:
            foreign = row["sum_of_foreign_amounts_in_this_currency"] or "0"
            assert last[account.key, row["currency"]] == Decimal(row["sum_of_amounts"]) + Decimal(foreign), row
            compared += 1
    assert compared == 63


def test_the_balances_are_those_that_firefly_reports(api: SourceBooks) -> None:
    accounts = {one.key: one for one in api.accounts}
    at = {(one.account, one.on, one.currency): one.amount for one in api.balances}
    compared = 0
    for row in sample_table("balances.csv"):
        account = accounts[row["id"]]
        # Of payees and payers it reports euros alone; those that only saw other currencies read 0.
        if account.currency != row["currency"]:
            continue
        for day in (date(2025, 9, 30), date(2025, 12, 31), date(2026, 6, 30), date(2027, 12, 31)):
            told = Decimal(row[f"balance_{day}"]) - (account.virtual_balance or 0)
            month_end = min(day, date(2027, 1, 31))  # nothing is later
            summed = at[account.key, month_end, row["currency"]]
            assert abs(summed - told) <= Decimal("0.005"), (row, day, summed)
            compared += 1
    assert compared > 200


def test_the_records_alone_give_the_same_balances(books: SourceBooks) -> None:
    """Booked as our ledger books them: each side in its account's currency."""
    currencies = {one.key: one.currency for one in books.accounts}
    moves: dict[tuple[str, str], dict[date, Decimal]] = defaultdict(lambda: defaultdict(Decimal))
    for transaction in books.transactions:
        for split in transaction.splits:
            for account, sign in ((split.source, -1), (split.destination, 1)):
                amount, currency = split.amount, split.currency
                if split.foreign_amount and split.foreign_currency == currencies[account] != currency:
                    amount, currency = split.foreign_amount, split.foreign_currency
                moves[account, currency or ""][transaction.on] += sign * amount
    for told in books.balances:
        days = moves.get((told.account, told.currency), {})
        assert sum((amount for on, amount in days.items() if on <= told.on), Decimal()) == told.amount, told


def test_every_transaction_has_sides_that_the_ledger_allows(books: SourceBooks) -> None:
    kinds = {one.key: one.kind for one in books.accounts}
    own = LIABILITIES | {Kind.ASSET}
    for one in books.transactions:
        sources, destinations = (
            {kinds[getattr(split, side)] for split in one.splits} for side in ("source", "destination")
        )
        match one.type:
            case Type.WITHDRAWAL:
                assert sources <= own
                assert destinations <= {Kind.EXPENSE, Kind.CASH}
                assert len({split.source for split in one.splits}) == 1
            case Type.DEPOSIT:
                assert sources <= {Kind.REVENUE, Kind.CASH}
                assert destinations <= own
                assert len({split.destination for split in one.splits}) == 1
            case Type.TRANSFER:
                assert sources | destinations <= own
                assert len({(split.source, split.destination) for split in one.splits}) == 1
            case _:
                assert len(one.splits) == 1


def test_the_csv_export_says_the_same_as_the_api(api: SourceBooks, export: SourceBooks) -> None:
    ours, theirs = ({one.key: one for one in books.transactions} for books in (api, export))

    assert ours.keys() == theirs.keys()
    assert [key for key in ours if _comparable(ours[key]) != _comparable(theirs[key])] == []
    assert api.budget_limits[0] in export.budget_limits
    assert len(api.budget_limits) == len(export.budget_limits) == 21
    assert export.rules == api.rules


def _comparable(one: SourceTransaction) -> SourceTransaction:
    """The CSV file has no piggy banks, and another order of tags."""
    return replace(one, row=None, piggy_bank=None, tags=tuple(sorted(one.tags)))


def test_everything_else_comes_over(api: SourceBooks) -> None:
    counts = {
        name: len(getattr(api, name))
        for name in (
            "categories",
            "tags",
            "budgets",
            "budget_limits",
            "available_budgets",
            "bills",
            "piggy_banks",
            "rule_groups",
            "rules",
            "recurrences",
            "attachments",
        )
    }

    assert list(counts.values()) == [8, 6, 5, 21, 32, 6, 3, 2, 3, 7, 6]
    assert sum(len(one.events) for one in api.piggy_banks) == 6
    assert {one.code: one.places for one in api.currencies}.items() >= {"KWD": 3, "BTC": 8, "JPY": 0, "USD": 2}.items()
    assert next(one for one in api.tag_details if one.name == "holiday-2026").on == date(2026, 7, 1)


def test_the_traps_of_the_sample(api: SourceBooks) -> None:
    by_text = {one.description: one for one in api.transactions}
    accounts = {one.key: one for one in api.accounts}

    assert [one.amount for one in by_text["Eight splits"].splits][:2] == [Decimal("1.01"), Decimal("2.02")]
    assert Decimal("10.005") in {split.amount for one in api.transactions for split in one.splits}
    assert by_text["Early day elsewhere"].on == date(2026, 7, 1)
    assert accounts["5"].virtual_balance == 250
    assert [one.name for one in api.accounts].count("Gemeente") == 2
    assert accounts["49"].currency == "USD"  # a payee that only saw dollars
    assert not accounts["17"].active
    assert not accounts["15"].include_net_worth
    assert accounts["20"].details == {"interest": Decimal("3.85"), "interest_period": "yearly"}


def test_what_has_no_place_here_is_a_finding(api: SourceBooks) -> None:
    told = messages(api)

    assert [budget.auto.period for budget in api.budgets if budget.auto] == ["monthly"]
    assert (len(api.link_types), len(api.entry_links), api.object_groups) == (4, 2, ("Home", "Wishes"))
    assert api.preferences == ()  # only its own
    assert "category notes" in " ".join(api.category_notes.values())
    assert {one.model for one in api.attachments} == {"TransactionJournal", "Bill", "Account", "Budget", "PiggyBank"}
    assert "holds" not in told.replace("A piggy bank holds", "")  # no balance differs from what Firefly III reports
