"""Recurrences, with the types and sides that ours allow."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, structs

from farthing.ledger.kinds import Type
from farthing.schedule.repetition import RepetitionType, moment_problem, tidy_moment

from ...findings import shorten
from ...source_books import SourceRecurrence, SourceRepetition, SourceSplit
from .accounts import Accounts
from .files.fields import ItemFields
from .files.remarks import Remarks
from .files.source import JournalItem, Source, SourceItem
from .journals import Journal, read_journal
from .transactions import Placed, place

SKIP_MAX = 999
WEEKEND_MAX = 4
COUNT_MAX = 10**6
_TYPES = (Type.WITHDRAWAL, Type.DEPOSIT, Type.TRANSFER)


class RecurrenceNames(Struct, frozen=True):
    """Names by id: the CSV export names budgets and categories of recurrences by their ids."""

    budgets: Mapping[str, str]
    categories: Mapping[str, str]
    piggy_banks: Mapping[str, str]


def read_recurrences(
    source: Source, accounts: Accounts, names: RecurrenceNames, fired: Mapping[str, int], remarks: Remarks
) -> Iterator[SourceRecurrence]:
    """`fired`: how many transactions each has made already."""
    for item in source.items("recurrences"):
        fields = ItemFields(item.values, what=f"the recurrence {item.id}", remarks=remarks, row=item.row)
        repetitions = tuple(_repetitions(fields))
        first_on = fields.day("first_date")
        buckets = _buckets(_place_parts(item, fields, accounts, names, remarks))
        if not (repetitions and first_on and buckets):
            message = (
                f"The recurrence {item.id} cannot be imported: its first date, repetitions or transactions are missing."
            )
            remarks.add(message, row=item.row, rejects=True)
            continue
        whole = _whole(item, fields, repetitions, buckets[0], names)
        whole = _count_left(whole, fired.get(item.id, 0), remarks)
        yield whole
        for number, bucket in enumerate(buckets[1:], start=2):
            remarks.count("A recurrence has splits that are of different types here; it becomes several", whole.title)
            more = _splits(bucket, whole.title)
            yield structs.replace(whole, key=f"{item.id}/{number}", type=bucket[0].type, splits=more, piggy_bank=None)


def _whole(
    item: SourceItem,
    fields: ItemFields,
    repetitions: tuple[SourceRepetition, ...],
    bucket: Sequence[Placed],
    names: RecurrenceNames,
) -> SourceRecurrence:
    title = fields.text("title") or f"Recurrence {item.id}"
    first_on = fields.day("first_date")
    assert first_on is not None
    piggy_banks = [key for part in fields.parts("transactions") if (key := part.text("piggy_bank_id"))]
    is_kept = bucket[0].type == Type.TRANSFER and piggy_banks and piggy_banks[0] in names.piggy_banks
    count_max = fields.whole("nr_of_repetitions", default=0, most=COUNT_MAX) or None
    return SourceRecurrence(
        key=item.id,
        title=title,
        type=bucket[0].type,
        first_on=first_on,
        splits=_splits(bucket, title),
        repetitions=repetitions,
        description="\n\n".join(filter(None, (fields.text("description"), fields.text("notes")))),
        repeat_until=None if count_max else fields.day("repeat_until"),
        count_max=count_max,
        fired_until=fields.day("latest_date"),
        apply_rules=fields.flag("apply_rules", default=True),
        active=fields.flag("active", default=True),
        tags=tuple(dict.fromkeys(tag for placed in bucket for tag in placed.journal.tags)),
        piggy_bank=piggy_banks[0] if is_kept else None,
    )


def _repetitions(fields: ItemFields) -> Iterator[SourceRepetition]:
    for part in fields.parts("repetitions"):
        word, moment = (part.text("type") or "").lower(), tidy_moment(part.text("moment") or "")
        if word not in set(RepetitionType) or moment_problem(RepetitionType(word), moment):
            message = f"{fields.what}: the repetition '{shorten(word)} {shorten(moment)}' is unknown; it is skipped."
            fields.remarks.add(message, row=fields.row, field="repetitions", rejects=True)
            continue
        yield SourceRepetition(
            type=word,
            moment=moment,
            skip=part.whole("skip", default=0, most=SKIP_MAX),
            weekend=part.whole("weekend", default=1, most=WEEKEND_MAX) or 1,
        )


def _place_parts(
    item: SourceItem, fields: ItemFields, accounts: Accounts, names: RecurrenceNames, remarks: Remarks
) -> Iterator[Placed]:
    """Each split is read as a journal of the first day."""
    for part in fields.parts("transactions"):
        values = {**part.values, "date": item.values.get("first_date"), "type": fields.text("type")}
        values["description"] = part.text("description") or fields.text("title")
        values["budget_name"] = part.text("budget_name") or names.budgets.get(part.text("budget_id") or "")
        category = part.text("category_name") or names.categories.get(part.text("category_id") or "")
        values["category_name"] = names.categories.get(category or "", category)
        values["transaction_journal_id"] = f"of the recurrence {item.id}"
        journal = read_journal(JournalItem(row=item.row, values=values), accounts, remarks)
        placed = place(journal, accounts, remarks) if journal else None
        if placed and placed.type in _TYPES:
            _warn_of_bill(placed.journal, remarks)
            yield placed


def _warn_of_bill(journal: Journal, remarks: Remarks) -> None:
    if bill := journal.bill_name or journal.bill_id:
        message = "A recurrence does not name a bill here; its transactions pay it when they match"
        remarks.count(message, f"{journal.description}: {bill}")


def _buckets(placed: Iterator[Placed]) -> list[list[Placed]]:
    buckets: dict[object, list[Placed]] = {}
    for item in placed:
        buckets.setdefault(item.bucket, []).append(item)
    return list(buckets.values())


def _splits(bucket: Sequence[Placed], title: str) -> tuple[SourceSplit, ...]:
    return tuple(
        SourceSplit(
            source=item.source.key,
            destination=item.destination.key,
            amount=item.journal.amount,
            currency=item.journal.currency,
            foreign_amount=item.journal.foreign_amount,
            foreign_currency=item.journal.foreign_currency,
            description=item.journal.description or title,
            category=item.journal.category,
            budget=item.journal.budget if item.type == Type.WITHDRAWAL else None,
        )
        for item in bucket
    )


def _count_left(recurrence: SourceRecurrence, fired: int, remarks: Remarks) -> SourceRecurrence:
    """Subtracts what it has fired already, because our recurrence begins to count when it is imported."""
    if recurrence.count_max is None or not fired:
        return recurrence
    left = recurrence.count_max - fired
    remarks.count("A recurrence has run some of its times; the rest are left", f"{recurrence.title}: {max(0, left)}")
    if left <= 0:
        return structs.replace(recurrence, active=False, count_max=1)
    return structs.replace(recurrence, count_max=left)
