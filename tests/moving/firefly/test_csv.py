"""The CSV export, whose columns changed between versions."""

import io
from decimal import Decimal

import pytest

from farthing.ledger.kinds import Type
from farthing.moving.findings import Unreadable
from farthing.moving.programs.firefly.files.csv_rows import split_tags
from farthing.moving.programs.firefly.read import looks_like, read

from .books import COLUMNS, a_csv, a_row, rejections, sample_api, sample_csv


def test_columns_are_found_by_name_and_their_order_does_not_matter() -> None:
    columns = ["primary_currency_code", "pc_amount", *reversed(COLUMNS)]

    (transaction,) = read({"a.csv": a_csv(a_row(1, category="Food"), columns=columns, short=False)}).transactions

    assert (transaction.description, transaction.splits[0].category) == ("Journal 1", "Food")


def test_every_amount_may_be_negative_and_the_type_may_be_left_out() -> None:
    deposit = a_row(1, type="Deposit", source_name="Employer", source_type="", destination_name="Checking")
    deposit["destination_type"] = ""

    (transaction,) = read({"a.csv": a_csv(deposit)}).transactions

    assert (transaction.type, transaction.splits[0].amount) == (Type.DEPOSIT, Decimal(10))


def test_rows_of_one_group_need_not_stand_together() -> None:
    first, other, second = (
        a_row(1, group_id="7", group_title="Both"),
        a_row(2),
        a_row(3, group_id="7", group_title="Both"),
    )

    found = {one.key: len(one.splits) for one in read({"a.csv": a_csv(first, other, second)}).transactions}

    assert found == {"2": 1, "7": 2}


def test_two_exports_that_overlap_give_each_journal_once() -> None:
    files = {"a.csv": a_csv(a_row(1), a_row(2)), "b.csv": a_csv(a_row(2), a_row(3))}

    assert {one.key: len(one.splits) for one in read(files).transactions} == {"1": 1, "2": 1, "3": 1}


def test_accounts_take_the_currency_that_was_booked_on_them() -> None:
    exchange = a_row(1, type="Transfer", destination_name="Dollars", destination_type="Asset account")
    exchange |= {"foreign_amount": "-11", "foreign_currency_code": "USD"}

    accounts = {one.name: one.currency for one in read({"a.csv": a_csv(exchange)}).accounts}

    assert accounts == {"Checking": "EUR", "Dollars": "USD"}


def test_a_row_that_is_cut_off_is_rejected_with_its_line() -> None:
    whole = a_csv(a_row(1), a_row(2, description="two\nlines"), a_row(3)).getvalue()

    books = read({"a.csv": io.BytesIO(whole[: whole.rindex(b"Expense")])})

    assert [one.key for one in books.transactions] == ["1", "2"]
    assert [(one.row, one.rejects) for one in books.findings if one.row] == [(5, True)]


def test_a_mark_against_formulas_is_taken_off() -> None:
    (transaction,) = read({"a.csv": a_csv(a_row(1, description="'=SUM(A1)", destination_name="'quoted'"))}).transactions

    assert transaction.description == "=SUM(A1)"
    assert transaction.splits[0].destination == "Expense account: 'quoted'"


def test_tags_that_contain_a_comma_are_taken_whole_if_they_are_known() -> None:
    assert split_tags("x,a,b,y", frozenset({"a,b"})) == ["x", "a,b", "y"]
    assert split_tags("a,b", frozenset()) == ["a", "b"]
    assert split_tags("", frozenset({"a,b"})) == []


def test_a_file_of_another_kind_beside_the_export_is_named() -> None:
    others = {"other.csv": io.BytesIO(b"Date,Payee\n2026-01-01,x\n"), "photo.png": io.BytesIO(b"\x89PNG\r\n\x1a\n")}

    books = read({"a.csv": a_csv(a_row(1)), **others})

    assert rejections(books) == [f"The file {name} is not from Firefly III; it is skipped." for name in others]


@pytest.mark.parametrize("content", [b"", b"Date,Payee\n", b"\xff\xfej\x00o\x00", b"\x00" * 100, b'"' * 200_000])
def test_a_file_that_is_no_export_is_unreadable(content: bytes) -> None:
    with pytest.raises(Unreadable):
        read({"a.csv": io.BytesIO(content)})


def test_its_files_are_recognized_and_others_are_not() -> None:
    ours = [(name, file.read()) for name, file in sample_csv().items()] + [("x.zip", sample_api().read())]
    others = [
        b"Date,Payee,Category,Memo,Outflow,Inflow\n",
        b"PK\x03\x04 metadata.json",
        b"OFXHEADER:100",
        b"id,name\n",
        b"",
    ]

    assert all(looks_like(content[:65536], name) for name, content in ours)
    assert not any(looks_like(content, "transactions.csv") for content in others)
