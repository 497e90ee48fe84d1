"""CSV files of YNAB, Mint and Lunch Money: every trait, both date orders, several ways to write amounts."""

from decimal import Decimal
from itertools import combinations, product

import pytest

from farthing.ledger.kinds import Kind, Type
from farthing.moving.findings import Unreadable
from farthing.moving.programs.sheets import lunch_money, mint, ynab

from .prover import balance, files, flow, messages, prove
from .sheet_samples import AMOUNTS, BUDGET, DATES, LUNCH, MINT, PLAN, TRAITS, register, zipped


@pytest.mark.parametrize(("dates", "amounts", "classic"), list(product(DATES, AMOUNTS, (False, True))))
def test_every_way_to_write_a_register_gives_the_same(dates: str, amounts: str, classic: bool) -> None:
    rows = [row for trait in TRAITS.values() for row in trait]
    text = register(rows, dates=dates, amounts=amounts, classic=classic)
    books = ynab.read(files(Register__csv=text))

    prove(books)
    code = "USD" if amounts == "dollars" else "EUR"
    assert ynab.looks_like(text.encode()[:65536], "Register.csv")
    assert balance(books, "Bank", "2024-01-31") == {code: Decimal("-907.30")}
    assert balance(books, "Bank", "2024-12-31") == {code: Decimal("2201.70")}
    assert balance(books, "Card", "2024-12-31") == {code: Decimal("64.00")}
    assert not [one for one in books.findings if one.rejects]
    assert books.tags == ("Red",)


def test_traits_in_pairs_are_read_and_proved() -> None:
    for one, two in combinations(TRAITS, 2):
        prove(ynab.read(files(Register__csv=register(TRAITS[one] + TRAITS[two]))))


def test_a_split_keeps_its_parts_together() -> None:
    books = ynab.read(files(r__csv=register(TRAITS["split"])))

    assert [flow(books, number) for number in range(3)] == [
        (("Bank", "Shop", "10.00", "Usual: Food"),),
        (("Shop", "Bank", "2.00", "Usual: Fun"),),
        (("Bank", "Card", "4.00", None),),
    ]


def test_two_splits_in_a_row_stay_two() -> None:
    books = ynab.read(files(r__csv=register(TRAITS["two splits in a row"])))

    assert [len(one.splits) for one in books.transactions] == [2, 2]


def test_a_transfer_is_one_and_reconciled_if_both_halves_are() -> None:
    books = ynab.read(files(r__csv=register(TRAITS["transfer"])))

    (one,) = books.transactions
    assert flow(books) == (("Bank", "Card", "50.00", None),)
    assert one.splits[0].reconciled


def test_the_starting_balance_opens_the_account() -> None:
    books = ynab.read(files(r__csv=register(TRAITS["opening"])))

    assert [one.type for one in books.transactions] == [Type.OPENING_BALANCE]


def test_half_a_transfer_and_an_empty_row_are_named() -> None:
    books = ynab.read(files(r__csv=register(TRAITS["half a transfer"] + TRAITS["zero"])))

    assert "2: The transfer of -9.00 USD on 2024-02-05 between “Bank” and “Gone” has no other half" in messages(books)
    assert "3: The row of 2024-02-06 has an amount of zero" in messages(books)


@pytest.mark.parametrize(
    "budget",
    [
        f"{PLAN}\nJan 2024,Usual: Food,Usual,Food,$250.00,$0.00,$1.00\nFeb 2024,Usual: Food,Usual,Food,-$1.00,,\n",
        f"{BUDGET}\nJanuary 2024,Usual:Food,Usual,Food,$250.00,,\nFebruary 2024,Usual:Food,Usual,Food,-$1.00,,\n",
    ],
)
def test_the_budget_gives_limits(budget: str) -> None:
    text = register(TRAITS["expense"])
    packed = zipped(Register=text, Plan=budget)
    books = ynab.read(files(y__zip=packed))

    (limit,) = books.budget_limits
    assert (limit.budget, limit.amount, str(limit.start_on), str(limit.end_on)) == (
        "Usual: Food",
        250,
        "2024-01-01",
        "2024-01-31",
    )
    assert next(iter(books.transactions)).splits[0].budget == "Usual: Food"
    assert "below zero" in messages(books)
    assert ynab.looks_like(packed, "y.zip")


def test_bad_cells_reject_their_row_and_name_the_value() -> None:
    text = (
        register(TRAITS["expense"])
        + '"Bank","","13/13/2024","x","","","","","$1.00","",""\n"Bank","","01/05/2024","x","","","","","much","",""\n'
    )
    books = ynab.read(files(r__csv=text))

    assert [(one.row, one.field) for one in books.findings if one.rejects] == [(3, "date"), (4, "outflow")]
    assert "“13/13/2024” is not a date" in messages(books)
    prove(books)


def test_mint_is_read_and_its_transfers_are_paired() -> None:
    books = mint.read(files(transactions__csv=MINT))

    prove(books)
    assert mint.looks_like(MINT.encode(), "transactions.csv")
    assert flow(books, 0) == (("Checking", "Baker", "3.10", "Groceries"),)
    assert flow(books, 2) == (("Checking", "Card", "50.00", "Credit Card Payment"),)
    assert balance(books, "Checking", "2024-12-31") == {"USD": Decimal("3146.90")}
    assert balance(books, "Card", "2024-12-31") == {"USD": Decimal("51.00")}
    assert books.tags == ("Tax Related", "home")


def test_lunch_money_is_read_with_either_sign() -> None:
    other = LUNCH.replace(",-", ",~").replace(",3.10", ",-3.10").replace(",50.00", ",-50.00").replace(",80", ",-80")
    for text in (LUNCH, other.replace("~", "")):
        books = lunch_money.read(files(lm__csv=text))

        prove(books)
        assert lunch_money.looks_like(text.encode(), "lm.csv")
        assert balance(books, "Checking", "2024-12-31") == {"USD": Decimal("3146.90")}
        assert balance(books, "Card", "2024-12-31") == {"USD": Decimal("50.00")}
        assert balance(books, "Card (EUR)", "2024-12-31") == {"EUR": Decimal("-80.00")}
        assert {account.name for account in books.accounts if account.kind == Kind.REVENUE} == {"Work"}


@pytest.mark.parametrize("reader", [ynab, mint, lunch_money])
@pytest.mark.parametrize("content", [b"", b"\xff\xfea", b"a,b\n1,2\n", b"\0\0\0", b'"' + b"x" * 200_000])
def test_other_files_are_refused_with_a_sentence(reader: object, content: bytes) -> None:
    with pytest.raises(Unreadable):
        reader.read(files(x__csv=content))  # type: ignore[attr-defined]
    assert not reader.looks_like(content[:65536], "x.csv")  # type: ignore[attr-defined]
