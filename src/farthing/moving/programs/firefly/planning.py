"""Reads budgets with their limits, bills, piggy banks, categories, tags and currencies."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal

from msgspec import Struct, structs

from farthing.books.budgets.model import AutoPeriod, Carry
from farthing.schedule.frequency import Frequency

from ... import source_books
from .accounts import OWN, Accounts
from .files.items import Remarks, Source, SourceItem

PLACES_MAX = 12
SKIP_MAX = 31
_Member = source_books.SourceBill | source_books.SourcePiggyBank
_CARRIES = {"reset": Carry.NO, "rollover": Carry.YES, "adjusted": Carry.OVERSPENT}
_AUTO_BUDGET = ("auto_budget_type", "auto_budget_period", "auto_budget_amount", "auto_budget_currency_code")


class JournalDay(Struct, frozen=True):
    """Holds what has become of a journal, and its day, for the objects that refer to it."""

    end: source_books.SourceLinkEnd
    on: date

    @property
    def key(self) -> str:
        return self.end.transaction


def _place(named: tuple[SourceItem, str]) -> tuple[int, int]:
    return named[0].order


def read_groups(source: Source, members: Iterable[_Member]) -> Iterator[str]:
    """Returns the titles of the groups that have members, in their order."""
    used = {member.group for member in members}
    titles = (title for _, title in sorted(_named(source, "object-groups", "title"), key=_place))
    return (title for title in titles if title in used)


def _named(source: Source, list_name: str, field: str = "name") -> Iterator[tuple[SourceItem, str]]:
    """Yields the objects of a list with their names, and rejects those without one."""
    for item in source.items(list_name):
        name = item.text(field)
        if name is None:
            item.reject(field)
        else:
            yield item, name


def read_budgets(source: Source) -> Iterator[source_books.SourceBudget]:
    for item, name in sorted(_named(source, "budgets"), key=_place):
        yield source_books.SourceBudget(
            key=item.id,
            name=name,
            active=item.flag("active", default=True),
            notes=item.text("notes"),
            auto=_read_automatic(item, name),
        )


def _read_automatic(item: SourceItem, name: str) -> source_books.SourceAutoBudget | None:
    kind, period = (item.text(field) for field in _AUTO_BUDGET[:2])
    if kind in (None, "none"):
        return None
    amount = item.amount("auto_budget_amount")
    if kind in _CARRIES and period in set(AutoPeriod) and amount and amount > 0:
        currency = item.text("auto_budget_currency_code") or item.text("currency_code")
        return source_books.SourceAutoBudget(
            carry=_CARRIES[kind], amount=amount, currency=currency, period=AutoPeriod(period)
        )
    settings = " ".join(filter(None, map(item.text, _AUTO_BUDGET)))
    message = "An automatic budget has settings that Farthing does not have; only its existing limits are imported"
    item.remarks.count(message, f"{name}: {settings}")
    return None


def read_limits(
    source: Source, budgets: Iterable[source_books.SourceBudget]
) -> Iterator[source_books.SourceBudgetLimit]:
    for budget in budgets:
        for item in source.items("budget-limits-of", budget.key):
            if span := read_span(item):
                span = span if source.is_farthing else _without_carried(budget, span, source.remarks)
                notes = item.text("notes")
                yield source_books.SourceBudgetLimit(budget=budget.key, notes=notes, **structs.asdict(span))


def _without_carried(
    budget: source_books.SourceBudget, span: source_books.SourceAvailableBudget, remarks: Remarks
) -> source_books.SourceAvailableBudget:
    """Removes from a limit what was carried over: Firefly III adds it to the limit, but Farthing adds it to what is
    left.
    """
    auto = budget.auto
    if auto is None or auto.carry is Carry.NO or span.currency != (auto.currency or span.currency):
        return span
    is_changed = span.amount > auto.amount if auto.carry is Carry.YES else span.amount < auto.amount
    period = auto.period.find_period(span.start_on)
    if not is_changed or (span.start_on, span.end_on) != (period.first, period.last):
        return span
    message = "Limits of a budget that carries over become its usual limit, because Farthing adds what is carried over"
    remarks.count(message, f"{budget.name}: {span.amount} from {span.start_on}")
    return structs.replace(span, amount=auto.amount)


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
    for item in sorted(source.items("bills"), key=lambda item: item.order):
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
    for item in sorted(source.items("piggy-banks"), key=lambda item: item.order):
        name, shares = item.text("name"), tuple(_shares_of(item, accounts))
        if not name or not shares:
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
            shares=shares,
            target=item.amount("target_amount") or Decimal(),
            current=current,
            start_on=item.day("start_date"),
            target_on=item.day("target_date"),
            notes=item.text("notes"),
            events=events,
            group=item.text("object_group_title"),
        )


def _shares_of(item: SourceItem, accounts: Accounts) -> Iterator[source_books.SourceShare]:
    """Finds the accounts of a piggy bank. Earlier versions allow only one."""
    keys = {part.text("account_id") or "": part.amount("current_amount") for part in item.parts("accounts")}
    if not keys:
        name = item.text("account_name")
        key = item.text("account_id") or (accounts.named(name, OWN) if name else None)
        keys = {key or "": item.amount("current_amount")}
    for key, amount in keys.items():
        if accounts.get(key):
            yield source_books.SourceShare(account=key, current=amount or Decimal())


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


def read_currencies(
    source: Source, used: Mapping[str, int], primary: str | None
) -> Iterator[source_books.SourceCurrency]:
    """Reads used or enabled currencies. A CSV export lists none, so their decimal places are found in the amounts."""
    listed = set()
    for item, code in _named(source, "currencies", "code"):
        listed.add(code)
        is_default = item.flag("default", default=False) or item.flag("primary", default=False)
        if is_default and code != primary:
            message = f"The default currency of Firefly III is {code}; set that of Farthing in the preferences."
            source.remarks.add(message)
        enabled = item.flag("enabled", default=True)
        if code in used or enabled:
            yield source_books.SourceCurrency(
                code=code,
                name=item.text("name") or code,
                symbol=item.text("symbol") or code,
                places=item.whole("decimal_places", default=2, most=PLACES_MAX),
                enabled=enabled,
            )
    for code in sorted(used.keys() - listed):
        yield source_books.SourceCurrency(code=code, name=code, symbol=code, places=min(used[code], PLACES_MAX))
