"""Budgets with their limits, bills, piggy banks, categories, tags and currencies."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal

from msgspec import Struct

from farthing.schedule.frequency import Frequency

from ...source_books import (
    SourceAvailableBudget,
    SourceBill,
    SourceBudget,
    SourceBudgetLimit,
    SourceCurrency,
    SourcePiggyBank,
    SourcePiggyBankEvent,
    SourceTag,
)
from .accounts import OWN, Accounts
from .files.fields import ItemFields
from .files.notes import join_notes
from .files.remarks import Remarks
from .files.source import Source, SourceItem

PLACES_MAX = 12
SKIP_MAX = 31


class JournalDay(Struct, frozen=True):
    """Locates a journal for the objects that refer to it."""

    key: str
    on: date
    description: str


def _fields(item: SourceItem, noun: str, remarks: Remarks) -> ItemFields:
    return ItemFields(item.values, what=f"the {noun} {item.id}", remarks=remarks, row=item.row)


def _reject(item: SourceItem, noun: str, missing: str, remarks: Remarks) -> None:
    message = f"The {noun} {item.id} cannot be imported: {missing} is missing or cannot be read."
    remarks.add(message, row=item.row, field=missing, rejects=True)


def read_budgets(source: Source, remarks: Remarks) -> Iterator[SourceBudget]:
    for item in source.items("budgets"):
        fields = _fields(item, "budget", remarks)
        name = fields.text("name")
        if name is None:
            _reject(item, "budget", "name", remarks)
            continue
        yield SourceBudget(key=item.id, name=name, active=fields.flag("active", default=True))
        if notes := fields.text("notes"):
            remarks.count("Budgets have no notes here; they are dropped", f"{name}: {notes}")
        kind = fields.text("auto_budget_type")
        if kind and kind != "none":
            settings = " ".join(filter(None, map(fields.text, _AUTO_BUDGET)))
            remarks.count(
                "A budget does not renew itself here; only the limits that it has are taken", f"{name}: {settings}"
            )


_AUTO_BUDGET = ("auto_budget_type", "auto_budget_period", "auto_budget_amount", "auto_budget_currency_code")


def read_limits(source: Source, budgets: Iterable[SourceBudget], remarks: Remarks) -> Iterator[SourceBudgetLimit]:
    for budget in budgets:
        for item in source.items("budget-limits-of", budget.key):
            span = _span(item, "budget limit", remarks)
            if span:
                amount, currency, start_on, end_on = span
                yield SourceBudgetLimit(
                    budget=budget.key, amount=amount, currency=currency, start_on=start_on, end_on=end_on
                )
                _warn_of_notes(item, budget.name, remarks)


def _warn_of_notes(item: SourceItem, name: str, remarks: Remarks) -> None:
    if notes := ItemFields(item.values, what="", remarks=remarks).text("notes"):
        remarks.count("Budget limits have no notes here; they are dropped", f"{name}: {notes}")


def read_available(source: Source, remarks: Remarks) -> Iterator[SourceAvailableBudget]:
    for item in source.items("available-budgets"):
        if span := _span(item, "available budget", remarks):
            amount, currency, start_on, end_on = span
            yield SourceAvailableBudget(amount=amount, currency=currency, start_on=start_on, end_on=end_on)


def _span(item: SourceItem, noun: str, remarks: Remarks) -> tuple[Decimal, str, date, date] | None:
    fields = _fields(item, noun, remarks)
    amount, currency = fields.amount("amount"), fields.text("currency_code")
    start_on, end_on = fields.day("start"), fields.day("end")
    if amount is None or currency is None or start_on is None or end_on is None:
        _reject(item, noun, "amount, currency, start or end", remarks)
        return None
    if end_on < start_on:
        _reject(item, noun, "an end on or after its start", remarks)
        return None
    return amount, currency, start_on, end_on


def read_bills(source: Source, words: Mapping[str, tuple[str, ...]], remarks: Remarks) -> Iterator[SourceBill]:
    """`words` by name of the bill, from the rules that link it: Firefly III's bills have none of their own."""
    for item in source.items("bills"):
        fields = _fields(item, "bill", remarks)
        name, currency = fields.text("name"), fields.text("currency_code")
        lowest, highest, first_on = fields.amount("amount_min"), fields.amount("amount_max"), fields.day("date")
        frequency = fields.text("repeat_freq")
        if not (name and currency and lowest is not None and highest is not None and first_on):
            _reject(item, "bill", "name, currency, date or one of the amounts", remarks)
            continue
        if frequency not in set(Frequency):
            _reject(item, "bill", f"a repeat_freq that Farthing has ({', '.join(Frequency)})", remarks)
            continue
        yield SourceBill(
            key=item.id,
            name=name,
            lowest=abs(lowest),
            highest=abs(highest),
            currency=currency,
            first_on=first_on,
            frequency=str(frequency),
            words=words.get(name, ()),
            skip=fields.whole("skip", default=0, most=SKIP_MAX),
            active=fields.flag("active", default=True),
            notes=join_notes(fields.text("notes"), _bill_lines(fields)),
        )


def _bill_lines(fields: ItemFields) -> Iterator[str]:
    for field, label in (("end_date", "Ends on"), ("extension_date", "Cancel or extend by")):
        if day := fields.day(field):
            yield f"{label}: {day}"
    if group := fields.text("object_group_title"):
        yield f"Group: {group}"


def read_piggy_banks(
    source: Source, accounts: Accounts, journals: Mapping[str, JournalDay], remarks: Remarks
) -> Iterator[SourcePiggyBank]:
    for item in source.items("piggy-banks"):
        fields = _fields(item, "piggy bank", remarks)
        name, account = fields.text("name"), _account_of(fields, accounts, remarks)
        if not name or not account:
            _reject(item, "piggy bank", "name or account", remarks)
            continue
        current = fields.amount("current_amount") or Decimal()
        events = tuple(_events(source, item.id, journals, remarks))
        moved = sum((event.amount for event in events), Decimal())
        if events and moved != current:
            remarks.count("A piggy bank holds something else than its events add up to", f"{name}: {current}, {moved}")
        group = fields.text("object_group_title")
        yield SourcePiggyBank(
            key=item.id,
            name=name,
            account=account,
            target=fields.amount("target_amount") or Decimal(),
            current=current,
            start_on=fields.day("start_date"),
            target_on=fields.day("target_date"),
            notes=join_notes(fields.text("notes"), [f"Group: {group}"] if group else []),
            events=events,
        )


def _account_of(fields: ItemFields, accounts: Accounts, remarks: Remarks) -> str | None:
    """Later versions let a piggy bank lie on several accounts; ours lies on one: the one that holds most of it."""
    shares = [
        (part.amount("current_amount") or Decimal(), part.text("account_id") or "") for part in fields.parts("accounts")
    ]
    if len(shares) > 1:
        message = "A piggy bank lies on several accounts; here it lies on the one that holds most of it"
        remarks.count(message, fields.text("name") or "")
    key = max(shares, key=lambda share: share[0])[1] if shares else fields.text("account_id")
    if key:
        return key if accounts.get(key) else None
    name = fields.text("account_name")
    return accounts.named(name, OWN) if name else None


def _events(
    source: Source, piggy_bank_id: str, journals: Mapping[str, JournalDay], remarks: Remarks
) -> Iterator[SourcePiggyBankEvent]:
    """Yields events, oldest first. The API omits the day, so it is that of the transaction, or of the entry."""
    events = []
    for item in source.items("piggy-bank-events", piggy_bank_id):
        fields = _fields(item, "piggy bank event", remarks)
        journal = journals.get(fields.text("transaction_journal_id") or "")
        amount, on = fields.amount("amount"), journal.on if journal else fields.day("created_at")
        if amount is None or on is None:
            _reject(item, "piggy bank event", "amount or day", remarks)
        elif amount:
            events.append(SourcePiggyBankEvent(on=on, amount=amount, transaction=journal.key if journal else None))
    events.reverse()
    yield from sorted(events, key=lambda plan_: plan_.on)


def read_categories(source: Source, remarks: Remarks) -> Iterator[str]:
    for item in source.items("categories"):
        fields = _fields(item, "category", remarks)
        name = fields.text("name")
        if name is None:
            _reject(item, "category", "name", remarks)
            continue
        yield name
        if notes := fields.text("notes"):
            remarks.count("Categories have no notes here; they are dropped", f"{name}: {notes}")


def read_tags(source: Source, remarks: Remarks) -> Iterator[SourceTag]:
    for item in source.items("tags"):
        fields = _fields(item, "tag", remarks)
        name = fields.text("tag")
        if name is None:
            _reject(item, "tag", "tag", remarks)
            continue
        yield SourceTag(
            name=name,
            on=fields.day("date"),
            description=fields.text("description"),
            latitude=fields.amount("latitude"),
            longitude=fields.amount("longitude"),
            zoom_level=fields.whole("zoom_level", default=0, most=80) or None,
        )


def read_currencies(source: Source, used: Mapping[str, int], remarks: Remarks) -> Iterator[SourceCurrency]:
    """Reads used or enabled currencies. A CSV export does not list them: there, the amounts show the decimal places."""
    listed = set()
    for item in source.items("currencies"):
        fields = _fields(item, "currency", remarks)
        code = fields.text("code")
        if code is None:
            _reject(item, "currency", "code", remarks)
            continue
        listed.add(code)
        if fields.flag("default", default=False) or fields.flag("primary", default=False):
            remarks.add(f"The default currency there is {code}; the one here is set in the preferences.")
        if code in used or fields.flag("enabled", default=True):
            yield SourceCurrency(
                code=code,
                name=fields.text("name") or code,
                symbol=fields.text("symbol") or code,
                places=fields.whole("decimal_places", default=2, most=PLACES_MAX),
            )
    for code in sorted(used.keys() - listed):
        yield SourceCurrency(code=code, name=code, symbol=code, places=min(used[code], PLACES_MAX))
