"""Balances that do not fit are found, and named."""

from datetime import date
from decimal import Decimal

import pytest

from farthing.moving.findings import Finding
from farthing.moving.formats.statement_check import FINDINGS_MAX, check
from farthing.moving.statements import BalanceOn, BankAccount, StatementEnd, StatementPart, StatementRow, StatementStart

DAY = date(2024, 1, 31)
HOME = BankAccount(number="1")


def a_statement(
    opening: str | None,
    *amounts: str,
    closing: str | None,
    balances: tuple[str | None, ...] = (),
    account: BankAccount = HOME,
) -> list[StatementPart]:
    marks = balances or (None,) * len(amounts)
    rows = [
        StatementRow(row=number, on=DAY, amount=Decimal(amount), balance=Decimal(mark) if mark else None)
        for number, (amount, mark) in enumerate(zip(amounts, marks, strict=True), 1)
    ]
    start = StatementStart(account=account, opening=BalanceOn(amount=Decimal(opening), on=DAY) if opening else None)
    return [start, *rows, StatementEnd(closing=BalanceOn(amount=Decimal(closing), on=DAY) if closing else None)]


def messages(parts: list[StatementPart]) -> list[str]:
    return [part.message for part in check(iter(parts)) if isinstance(part, Finding)]


def test_a_statement_that_adds_up_passes_unchanged() -> None:
    parts = a_statement("1.10", "2.20", "-0.30", closing="3.00")

    assert list(check(iter(parts))) == parts


def test_a_statement_that_does_not_add_up_is_named_with_both_figures() -> None:
    assert messages(a_statement("10", "2", "-0.50", closing="11.00")) == [
        (
            "The statement of account “1” until 2024-01-31 does not add up: the opening balance 10 and the rows "
            "(+1.50) make 11.50, but the closing balance is 11.00."
        )
    ]


@pytest.mark.parametrize(("opening", "closing"), [(None, "1"), ("1", None), (None, None)])
def test_without_both_balances_nothing_is_checked(opening: str | None, closing: str | None) -> None:
    assert messages(a_statement(opening, "5", closing=closing)) == []


def test_running_balances_are_followed_in_either_order_of_time() -> None:
    oldest_first = a_statement(None, "5", "-2", "1", closing=None, balances=("15", "13", "14"))
    newest_first = a_statement(None, "1", "-2", "5", closing=None, balances=("14", "13", "15"))
    with_gaps = a_statement("10", "5", "-2", "1", closing=None, balances=("15", None, "14"))
    wrong = a_statement(None, "5", "-2", "1", "1", closing=None, balances=("15", "13", "99", "100"))

    assert messages(oldest_first) == messages(newest_first) == messages(with_gaps) == []
    assert messages(wrong) == ["The balance after this row should be 14 but the file says 99."]


def test_a_file_that_is_wrong_throughout_gets_a_few_findings_and_a_count() -> None:
    wrong = a_statement(None, *["1"] * 100, closing=None, balances=tuple(str(7 * number) for number in range(1, 101)))

    assert len(messages(wrong)) == FINDINGS_MAX + 1
    assert messages(wrong)[-1] == f"The running balance is wrong in {99 - FINDINGS_MAX} more rows."


def test_statements_of_one_account_join() -> None:
    first, second = a_statement("0", "5", closing="5"), a_statement("5", "1", closing="6")
    third, other = (
        a_statement("7", "1", closing="8"),
        a_statement("1", "1", closing="2", account=BankAccount(number="2")),
    )

    assert messages([*first, *other, *second]) == []
    assert messages([*second, *first]) == []
    assert messages([*first, *first]) == []
    assert messages([*first, *second, *third]) == [
        "The statements of account “1” do not join: one ends with 6, the next one begins with 7. Is one missing?"
    ]


def test_rows_in_another_currency_are_not_added_up() -> None:
    start = StatementStart(currency="EUR", opening=BalanceOn(amount=Decimal(0)))
    row = StatementRow(row=1, on=DAY, amount=Decimal(5), currency="USD")
    end = StatementEnd(closing=BalanceOn(amount=Decimal(4)))

    assert messages([start, row, end]) == []
