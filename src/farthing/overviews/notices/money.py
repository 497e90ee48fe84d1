"""Finds occasions in the books: bills, budgets, balances and withdrawals. Reads stored sums and the last few days."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from msgspec import Struct, structs

from farthing.books.accounts import store as accounts
from farthing.books.bills import store as bills
from farthing.books.bills.expect import read_payments_around
from farthing.books.bills.model import Bill, Payment, PaymentState, periods
from farthing.books.bills.probable import mark_probable
from farthing.books.currencies import store as currencies
from farthing.books.exchange_rates.convert import DatedAmount, convert
from farthing.books.preferences import store as preferences
from farthing.books.preferences.model import CURRENCY
from farthing.books.preferences.notices import NoticeKind
from farthing.kernel.money import Currency, NotRepresentable, to_units
from farthing.ledger.kinds import Type
from farthing.schedule.months import day_in_month, month_number
from farthing.schedule.periods import Period
from farthing.storage.unit import Unit

from ..budget_months.left_to_spend import find_left_to_spend
from ..charts import store as charts
from ..charts.model import ChartRange
from .model import Facts, Figure, Look, NoticeDraft

# Expected days and payments further in the past are ignored, because an import may add many of them.
_OVERDUE_DAYS, _RECENT_DAYS = timedelta(days=31), timedelta(days=7)
_SPLITS_MAX = 2000
_NEARLY_PERCENT = 80


def find_bills(db: Unit, look: Look) -> Iterator[NoticeDraft]:
    """Finds bills that are due soon or overdue, and payments outside the range of their bill."""
    kinds = NoticeKind.BILL_DUE, NoticeKind.BILL_OVERDUE, NoticeKind.BILL_OUTSIDE_RANGE
    active = [bill for bill in bills.all_of(db, look.user_id) if bill.active] if look.wants(*kinds) else []
    if not active:
        return
    start, end = look.today - _OVERDUE_DAYS, look.today + timedelta(days=look.settings.bill_days)
    payments = read_payments_around(db, look.user_id, active, start, end)
    expected = {bill.id: periods(bill, payments.get(bill.id, []), start, end, look.today) for bill in active}
    expected = mark_probable(db, look.user_id, active, expected, look.today)
    for bill in active:
        for period in expected[bill.id]:
            if period.state in (PaymentState.UPCOMING, PaymentState.DUE):
                yield _of_bill(NoticeKind.BILL_DUE, bill, period.expected_date)
            elif period.state == PaymentState.OVERDUE and _was_there(look, bill, period.expected_date):
                yield _of_bill(NoticeKind.BILL_OVERDUE, bill, period.expected_date)
        for payment in payments.get(bill.id, []):
            if _is_recent(look, payment.on) and _is_outside(bill, payment):
                yield _outside_range(bill, payment)


def _was_there(look: Look, bill: Bill, expected_on: str) -> bool:
    """Tells whether the bill existed on its expected day, and somebody was already looking."""
    return max(bill.created_at, look.since)[:10] <= expected_on


def _is_recent(look: Look, on: str) -> bool:
    return (look.today - _RECENT_DAYS).isoformat() <= on <= look.today.isoformat()


def _is_outside(bill: Bill, payment: Payment) -> bool:
    is_same = payment.currency_id == bill.currency.id
    return is_same and not bill.lowest_units <= payment.units <= bill.highest_units


def _of_bill(kind: NoticeKind, bill: Bill, on: str) -> NoticeDraft:
    lowest, highest = Figure.of(bill.lowest_units, bill.currency), Figure.of(bill.highest_units, bill.currency)
    return NoticeDraft(
        key=f"{kind} {bill.id} {on}",
        kind=kind,
        object_kind="bills",
        object_id=bill.id,
        facts=Facts(name=bill.name, on=on, limit=lowest, highest=highest),
    )


def _outside_range(bill: Bill, payment: Payment) -> NoticeDraft:
    kind = NoticeKind.BILL_OUTSIDE_RANGE
    return NoticeDraft(
        key=f"{kind} {bill.id} {payment.entry_id}",
        kind=kind,
        object_kind="transactions",
        object_id=payment.split_id,
        facts=Facts(
            name=bill.name,
            on=payment.on,
            amount=Figure.of(payment.units, bill.currency),
            limit=Figure.of(bill.lowest_units, bill.currency),
            highest=Figure.of(bill.highest_units, bill.currency),
        ),
    )


def find_budgets(db: Unit, look: Look) -> Iterator[NoticeDraft]:
    """Finds budgets that are spent or nearly spent this month, by the figures of what is left to spend."""
    if not look.wants(NoticeKind.BUDGET_NEARLY_SPENT, NoticeKind.BUDGET_SPENT):
        return
    first = look.today.replace(day=1)
    last = day_in_month(month_number(first), 31)
    left = find_left_to_spend(db, look.user_id, first, last)
    by_id = currencies.by_ids(db, left)
    for currency_id, of_currency in left.items():
        for line in of_currency.lines:
            limit, spent = line.figures.limit + line.figures.carried, line.figures.spent
            if line.budget is None or limit <= 0 or spent * 100 < limit * _NEARLY_PERCENT:
                continue
            kind = NoticeKind.BUDGET_SPENT if spent >= limit else NoticeKind.BUDGET_NEARLY_SPENT
            yield NoticeDraft(
                key=f"{kind} {line.budget.id} {currency_id} {first.isoformat()[:7]}",
                kind=kind,
                object_kind="budgets",
                object_id=line.budget.id,
                facts=Facts(
                    name=line.budget.name,
                    on=first.isoformat(),
                    amount=Figure.of(spent, by_id[currency_id]),
                    limit=Figure.of(limit, by_id[currency_id]),
                ),
            )


def find_low(db: Unit, look: Look) -> Iterator[NoticeDraft]:
    """Finds accounts whose balance today is below the line that the user has drawn. The keys have no number yet."""
    lines = look.settings.account_lines
    if not lines or not look.wants(NoticeKind.LOW_BALANCE):
        return
    own = [account for account in accounts.get_some(db, look.user_id, list(lines)) if account.active]
    closings = charts.closing_balances(db, look.user_id, own, ChartRange(Period.DAY, look.today, look.today))
    for account, (units, *_) in zip(own, closings, strict=True):
        try:
            line = to_units(lines[account.id], account.currency)
        except NotRepresentable:
            continue  # the currency of the account has changed since the line was drawn
        if units < line:
            yield NoticeDraft(
                key=f"{NoticeKind.LOW_BALANCE} {account.id}",
                kind=NoticeKind.LOW_BALANCE,
                object_kind="accounts",
                object_id=account.id,
                facts=Facts(
                    name=account.name,
                    on=look.today.isoformat(),
                    amount=Figure.of(units, account.currency),
                    limit=Figure.of(line, account.currency),
                ),
            )


class _Withdrawal(Struct, frozen=True):
    split_id: int
    entry_id: int
    on: str
    units: int
    currency_id: int
    description: str


_WITHDRAWALS = """
SELECT w.split_id, w.entry_id, w."on", w.units, w.currency_id, e.description FROM (
    SELECT id AS split_id, entry_id, on_day AS "on", units, currency_id FROM splits
    WHERE user_id = :user_id AND type = :type AND on_day >= :first AND on_day <= :last
    ORDER BY on_day DESC, entry_id DESC, position LIMIT :most
) AS w JOIN entries e ON e.user_id = :user_id AND e.id = w.entry_id ORDER BY w.split_id
"""


def find_large(db: Unit, look: Look) -> Iterator[NoticeDraft]:
    """Finds large withdrawals of the last few days. Those in other currencies are converted."""
    line = look.settings.large_withdrawal
    if line is None or not look.wants(NoticeKind.LARGE_WITHDRAWAL):
        return
    code = preferences.values(db, look.user_id, [CURRENCY])[CURRENCY]
    primary = currencies.by_code(db, str(code))
    assert primary is not None, "a preferred currency cannot be removed"
    withdrawals = _list_withdrawals(db, look.user_id, look.today - _RECENT_DAYS, look.today)
    amounts = [DatedAmount(currency_id=one.currency_id, units=one.units, on=one.on) for one in withdrawals]
    by_id = currencies.by_ids(db, {one.currency_id for one in withdrawals})
    try:
        smallest = to_units(line, primary)
    except NotRepresentable:
        return  # the primary currency has changed since the amount was set
    for withdrawal, converted in zip(withdrawals, convert(db, look.user_id, amounts, primary.id), strict=True):
        if converted.units is not None and converted.units >= smallest:
            yield _of_withdrawal(withdrawal, by_id[withdrawal.currency_id], Figure.of(smallest, primary))


def _list_withdrawals(db: Unit, user_id: int, first: date, last: date) -> Sequence[_Withdrawal]:
    """Lists transactions with the sum of their splits in one currency."""
    days = {"first": first.isoformat(), "last": last.isoformat()}
    of = {"user_id": user_id, "type": int(Type.WITHDRAWAL), "most": _SPLITS_MAX}
    withdrawals: dict[tuple[int, int], _Withdrawal] = {}
    for split in db.structs(_Withdrawal, _WITHDRAWALS, **of, **days):
        key = split.entry_id, split.currency_id
        units = withdrawals[key].units if key in withdrawals else 0
        withdrawals[key] = structs.replace(withdrawals.get(key, split), units=units + split.units)
    return list(withdrawals.values())


def _of_withdrawal(withdrawal: _Withdrawal, currency: Currency, limit: Figure) -> NoticeDraft:
    kind = NoticeKind.LARGE_WITHDRAWAL
    amount = Figure.of(withdrawal.units, currency)
    return NoticeDraft(
        key=f"{kind} {withdrawal.entry_id} {withdrawal.currency_id}",
        kind=kind,
        object_kind="transactions",
        object_id=withdrawal.split_id,
        facts=Facts(name=withdrawal.description, on=withdrawal.on, amount=amount, limit=limit),
    )
