"""Reads budgets with their limits, bills, piggy banks, categories, tags and currencies."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal

from msgspec import Struct, structs

from farthing.schedule.frequency import Frequency

from ... import source_books
from .accounts import OWN, Accounts
from .files.items import Source, SourceItem, join_notes

PLACES_MAX = 12
SKIP_MAX = 31
_AUTO_BUDGET = ("auto_budget_type", "auto_budget_period", "auto_budget_amount", "auto_budget_currency_code")


class JournalDay(Struct, frozen=True):
    """Holds a journal's key, day and description for the objects that refer to it."""

    key: str
    on: date
    description: str


def _named(source: Source, list_name: str, field: str = "name") -> Iterator[tuple[SourceItem, str]]:
    """Yields the objects of a list with their names, and rejects those without one."""
    for item in source.items(list_name):
        name = item.text(field)
        if name is None:
            item.reject(field)
        else:
            yield item, name


def read_budgets(source: Source) -> Iterator[source_books.SourceBudget]:
    for item, name in _named(source, "budgets"):
        yield source_books.SourceBudget(
            key=item.id, name=name, active=item.flag("active", default=True), notes=item.text("notes")
        )
        kind = item.text("auto_budget_type")
        if kind and kind != "none":
            settings = " ".join(filter(None, map(item.text, _AUTO_BUDGET)))
            message = "Budgets do not renew themselves in Farthing; only existing limits are imported"
            source.remarks.count(message, f"{name}: {settings}")


def read_limits(
    source: Source, budgets: Iterable[source_books.SourceBudget]
) -> Iterator[source_books.SourceBudgetLimit]:
    for budget in budgets:
        for item in source.items("budget-limits-of", budget.key):
            if span := read_span(item):
                notes = item.text("notes")
                yield source_books.SourceBudgetLimit(budget=budget.key, notes=notes, **structs.asdict(span))


def read_span(item: SourceItem) -> source_books.SourceAvailableBudget | None:
    amount, currency = item.amount("amount"), item.text("currency_code")
    start_on, end_on = item.day("start"), item.day("end")
    if amount is None or currency is None or start_on is None or end_on is None:
        item.reject("amount, currency, start or end")
        return None
    if end_on < start_on:
        item.reject("an end on or after its start")
        return None
    return source_books.SourceAvailableBudget(amount=amount, currency=currency, start_on=start_on, end_on=end_on)


def read_bills(source: Source, words: Mapping[str, tuple[str, ...]]) -> Iterator[source_books.SourceBill]:
    """Reads bills. `words` maps a bill's name to its words. They come from rules, as Firefly III's bills have none."""
    for item in source.items("bills"):
        name, currency, frequency = item.text("name"), item.text("currency_code"), item.text("repeat_freq")
        lowest, highest, first_on = item.amount("amount_min"), item.amount("amount_max"), item.day("date")
        if not (name and currency and lowest is not None and highest is not None and first_on):
            item.reject("name, currency, date or one of the amounts")
        elif frequency not in set(Frequency):
            item.reject(f"a repeat_freq that Farthing has ({', '.join(Frequency)})")
        else:
            yield source_books.SourceBill(
                key=item.id,
                name=name,
                lowest=abs(lowest),
                highest=abs(highest),
                currency=currency,
                first_on=first_on,
                frequency=str(frequency),
                words=words.get(name, ()),
                skip=item.whole("skip", default=0, most=SKIP_MAX),
                active=item.flag("active", default=True),
                notes=item.text("notes"),
                end_on=item.day("end_date"),
                extension_on=item.day("extension_date"),
                group=item.text("object_group_title"),
            )


def read_piggy_banks(
    source: Source, accounts: Accounts, journals: Mapping[str, JournalDay]
) -> Iterator[source_books.SourcePiggyBank]:
    for item in source.items("piggy-banks"):
        name, account = item.text("name"), _account_of(item, accounts)
        if not name or not account:
            item.reject("name or account")
            continue
        current = item.amount("current_amount") or Decimal()
        events = tuple(_events(source, item.id, journals))
        moved = sum((event.amount for event in events), Decimal())
        if events and moved != current:
            message = "A piggy bank holds another amount than the sum of its events"
            source.remarks.count(message, f"{name}: {current}, {moved}")
        yield source_books.SourcePiggyBank(
            key=item.id,
            name=name,
            account=account,
            target=item.amount("target_amount") or Decimal(),
            current=current,
            start_on=item.day("start_date"),
            target_on=item.day("target_date"),
            notes=join_notes(item.text("notes"), item.group_line()),
            events=events,
        )


def _account_of(item: SourceItem, accounts: Accounts) -> str | None:
    """Finds a piggy bank's account. Later versions allow several accounts; the one that holds the most is used."""
    parts = item.parts("accounts")
    shares = [(part.amount("current_amount") or Decimal(), part.text("account_id") or "") for part in parts]
    if len(shares) > 1:
        message = "A piggy bank has several accounts; in Farthing it has the one that holds most of its money"
        item.remarks.count(message, item.text("name") or "")
    key = max(shares, key=lambda share: share[0])[1] if shares else item.text("account_id")
    if key:
        return key if accounts.get(key) else None
    name = item.text("account_name")
    return accounts.named(name, OWN) if name else None


def _events(
    source: Source, piggy_bank: str, journals: Mapping[str, JournalDay]
) -> list[source_books.SourcePiggyBankEvent]:
    """Returns the events, oldest first. The API omits their days, so the day of their transaction is used or, if there
    is none, the day when they were entered.
    """
    events = []
    for item in source.items("piggy-bank-events", piggy_bank):
        journal = journals.get(item.text("transaction_journal_id") or "")
        amount, on = item.amount("amount"), journal.on if journal else item.day("created_at")
        if amount is None or on is None:
            item.reject("amount or day")
        elif amount:
            events.append(
                source_books.SourcePiggyBankEvent(on=on, amount=amount, transaction=journal.key if journal else None)
            )
    events.reverse()
    return sorted(events, key=lambda event: event.on)


def read_categories(source: Source) -> dict[str, str | None]:
    """Returns the names of the categories, with their notes."""
    return {name: item.text("notes") for item, name in _named(source, "categories")}


def read_tags(source: Source) -> Iterator[source_books.SourceTag]:
    for item, name in _named(source, "tags", "tag"):
        yield source_books.SourceTag(
            name=name,
            on=item.day("date"),
            description=item.text("description"),
            latitude=item.amount("latitude"),
            longitude=item.amount("longitude"),
            zoom_level=item.whole("zoom_level", default=0, most=80) or None,
        )


def read_currencies(source: Source, used: Mapping[str, int]) -> Iterator[source_books.SourceCurrency]:
    """Reads used or enabled currencies. A CSV export lists none, so their decimal places are found in the amounts."""
    listed = set()
    for item, code in _named(source, "currencies", "code"):
        listed.add(code)
        if item.flag("default", default=False) or item.flag("primary", default=False):
            message = f"The default currency of Firefly III is {code}; set that of Farthing in the preferences."
            source.remarks.add(message)
        if code in used or item.flag("enabled", default=True):
            yield source_books.SourceCurrency(
                code=code,
                name=item.text("name") or code,
                symbol=item.text("symbol") or code,
                places=item.whole("decimal_places", default=2, most=PLACES_MAX),
            )
    for code in sorted(used.keys() - listed):
        yield source_books.SourceCurrency(code=code, name=code, symbol=code, places=min(used[code], PLACES_MAX))
