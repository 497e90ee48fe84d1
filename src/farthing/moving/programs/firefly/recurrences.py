"""Reads recurrences, and converts them to the types and accounts that are allowed here."""

from collections.abc import Iterator, Mapping, Sequence, Set

from msgspec import Struct, structs

from farthing.ledger.kinds import Type
from farthing.schedule.repetition import RepetitionType, moment_problem, tidy_moment

from ...findings import shorten
from ...source_books import SourceRecurrence, SourceRepetition, SourceSplit
from .accounts import Accounts
from .files.items import Source, SourceItem, journal_of
from .journals import read_journal
from .transactions import Placed, make_split, place

SKIP_MAX = 999
WEEKEND_MAX = 4
COUNT_MAX = 10**6
_TYPES = (Type.WITHDRAWAL, Type.DEPOSIT, Type.TRANSFER)


class RecurrenceNames(Struct, frozen=True):
    """Maps ids to names, because in the CSV export recurrences contain only the ids of budgets and categories."""

    budgets: Mapping[str, str]
    categories: Mapping[str, str]
    piggy_banks: Set[str]


def read_recurrences(
    source: Source, accounts: Accounts, names: RecurrenceNames, fired: Mapping[str, int]
) -> Iterator[SourceRecurrence]:
    """Reads recurrences. `fired` is the number of transactions that each has already created."""
    for item in source.items("recurrences"):
        repetitions, first_on = tuple(_repetitions(item)), item.day("first_date")
        buckets: dict[object, list[Placed]] = {}
        for placed in _place_parts(item, accounts, names):
            buckets.setdefault(placed.bucket, []).append(placed)
        if not (repetitions and first_on and buckets):
            item.tell("cannot be imported: its first date, repetitions or transactions are missing.", rejects=True)
            continue
        first, *others = buckets.values()
        title, type_ = item.text("title") or f"Recurrence {item.id}", first[0].type
        piggy_bank = next((key for part in item.parts("transactions") if (key := part.text("piggy_bank_id"))), None)
        may_save = type_ == Type.TRANSFER and piggy_bank in names.piggy_banks
        count_max = item.whole("nr_of_repetitions", default=0, most=COUNT_MAX) or None
        recurrence = SourceRecurrence(
            key=item.id,
            title=title,
            type=type_,
            first_on=first_on,
            splits=_splits(first, title),
            repetitions=repetitions,
            description=item.text("description") or "",
            notes=item.text("notes"),
            repeat_until=None if count_max else item.day("repeat_until"),
            count_max=count_max,
            fired_until=item.day("latest_date"),
            apply_rules=item.flag("apply_rules", default=True),
            active=item.flag("active", default=True),
            tags=tuple(dict.fromkeys(tag for placed in first for tag in placed.journal.tags)),
            piggy_bank=piggy_bank if may_save else None,
        )
        whole = _count_left(recurrence, fired.get(item.id, 0), item)
        yield whole
        for number, bucket in enumerate(others, start=2):
            message = "A recurrence has splits that are of different types in Farthing; it becomes several recurrences"
            item.remarks.count(message, whole.title)
            splits = _splits(bucket, whole.title)
            key = f"{item.id}/{number}"
            yield structs.replace(whole, key=key, type=bucket[0].type, splits=splits, piggy_bank=None)


def _splits(bucket: Sequence[Placed], title: str) -> tuple[SourceSplit, ...]:
    return tuple(make_split(placed, placed.type, placed.journal.description or title) for placed in bucket)


def _repetitions(item: SourceItem) -> Iterator[SourceRepetition]:
    for part in item.parts("repetitions"):
        word, moment = (part.text("type") or "").lower(), tidy_moment(part.text("moment") or "")
        if word not in set(RepetitionType) or moment_problem(RepetitionType(word), moment):
            message = f"{item.what}: the repetition '{shorten(word)} {shorten(moment)}' is unknown; it is skipped."
            item.remarks.add(message, row=item.row, field="repetitions", rejects=True)
            continue
        yield SourceRepetition(
            type=word,
            moment=moment,
            skip=part.whole("skip", default=0, most=SKIP_MAX),
            weekend=part.whole("weekend", default=1, most=WEEKEND_MAX) or 1,
            holidays=part.flag("holidays", default=False),  # only Farthing has it
        )


def _place_parts(item: SourceItem, accounts: Accounts, names: RecurrenceNames) -> Iterator[Placed]:
    """Reads each split as if it were a journal of the recurrence's first day."""
    for part in item.parts("transactions"):
        values = {**part.values, "date": item.values.get("first_date"), "type": item.text("type")}
        values["description"] = part.text("description") or item.text("title")
        values["budget_name"] = part.text("budget_name") or names.budgets.get(part.text("budget_id") or "")
        category = part.text("category_name") or names.categories.get(part.text("category_id") or "")
        values["category_name"] = names.categories.get(category or "", category)
        values["transaction_journal_id"] = f"of the recurrence {item.id}"
        journal = read_journal(journal_of(values, item.row, item.remarks), accounts)
        placed = place(journal, accounts) if journal else None
        if placed and placed.type in _TYPES:
            if bill := placed.journal.bill_name or placed.journal.bill_id:
                message = "A recurrence cannot name a bill in Farthing; its transactions pay the bill if they match it"
                item.remarks.count(message, f"{placed.journal.description}: {bill}")
            yield placed


def _count_left(recurrence: SourceRecurrence, fired: int, item: SourceItem) -> SourceRecurrence:
    """Subtracts the times that the recurrence has already run, because Farthing counts from the import on."""
    if recurrence.count_max is None or not fired:
        return recurrence
    left = recurrence.count_max - fired
    message = "A recurrence has already run several times; only its remaining runs are imported"
    item.remarks.count(message, f"{recurrence.title}: {max(0, left)}")
    if left <= 0:
        return structs.replace(recurrence, active=False, count_max=1)
    return structs.replace(recurrence, count_max=left)
