"""Reads and shows recurrences."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any

from msgspec import Struct
from pydantic import BeforeValidator

from farthing.books.bookkeeping import lookup
from farthing.books.bookkeeping.compose import compose_splits, find_piggy_bank, report_too_many_splits, tag_problems
from farthing.books.recurrences.model import (
    REPETITIONS_MAX,
    SKIP_MAX,
    Recurrence,
    RecurrenceDraft,
    RecurrenceSplit,
    StoredRepetition,
    end_problems,
    first_date_problems,
)
from farthing.books.transactions.model import TYPES, Lookup, SplitDraft
from farthing.http.request.call import Call
from farthing.kernel.fields import (
    Day,
    FieldParser,
    Flag,
    Id,
    Name,
    Notes,
    RequestBody,
    WordList,
    choice,
    described,
    parse,
    text,
    whole,
)
from farthing.kernel.languages import say
from farthing.kernel.money import as_text
from farthing.kernel.parsed import Parsed, ensure
from farthing.kernel.shown import Dated, Instant, ShownDay, show_as
from farthing.schedule.repetition import Repetition, RepetitionType, in_words, moment_problem, tidy_moment
from farthing.schedule.weekend import Weekend

from ..serializers.currencies import currency_fields
from ..transactions.wire import SplitBody

REQUIRED = ("type", "title", "first_date", "apply_rules", "active", "repetitions", "transactions")
_moment = text(10).read


class RepetitionBody(RequestBody):
    type: Annotated[RepetitionType, choice(*RepetitionType)] | None = None
    moment: Annotated[str, FieldParser(_moment, {"type": ["string", "integer"], "maxLength": 10})] | None = None
    skip: Annotated[int, whole(minimum=0, maximum=SKIP_MAX)] | None = None
    weekend: Annotated[int, whole(minimum=1, maximum=4)] | None = None
    holidays: Flag | None = None


class OccurrenceBody(RequestBody):
    """Skips a planned day, or moves it to another date."""

    skip: Flag | None = None
    date: Day | None = None


# A list may also be sent as an object keyed by index, so an empty object is an empty list.
_NONE_OF_THEM = BeforeValidator(lambda sent: None if sent == {} else sent)


class RecurrenceBody(RequestBody):
    type: Annotated[str, choice(*TYPES)] | None = None
    title: Name | None = None
    description: Annotated[str, text(65_000)] | None = None
    notes: Notes | None = None
    first_date: Day | None = None
    repeat_until: Day | None = None
    nr_of_repetitions: Annotated[int, whole(minimum=1, maximum=2**31)] | None = None
    apply_rules: Flag | None = None
    active: Flag | None = None
    tags: WordList | None = None
    piggy_bank_id: Id | None = None
    piggy_bank_name: Name | None = described(
        "The name of the piggy bank (case-insensitive). Ignored if `piggy_bank_id` is sent."
    )
    repetitions: Annotated[list[RepetitionBody] | None, _NONE_OF_THEM] = None
    transactions: Annotated[list[SplitBody] | None, _NONE_OF_THEM] = None


def read(call: Call, recurrence: Recurrence | None) -> tuple[RecurrenceDraft, Lookup]:
    """Reads the body, and reports all problems at once, including conflicts between fields and with stored data."""
    parsed = parse(RecurrenceBody, call.fields)
    groups = parsed.each("transactions", parsed.values.transactions)
    _check(parsed, call.today, recurrence.first_on if recurrence else None)
    _check_splits(parsed, groups)
    planned = _read_repetitions(parsed)
    facts = lookup.load(call.db, call.user_id, [parsed.values])
    type_ = TYPES.get(parsed.values.type or "")
    splits = compose_splits(groups, type_, facts)
    piggy_bank_id = find_piggy_bank(parsed, type_, facts, splits)
    return _make_draft(parsed, planned, tuple(splits), piggy_bank_id), facts


def _check(parsed: Parsed[RecurrenceBody], today: date, current_first: date | None) -> None:
    values = parsed.values
    parsed.require("type", "title", "first_date", "apply_rules", "active")
    parsed.report_all(first_date_problems(values.first_date, today, current_first))
    parsed.report_all(
        end_problems(
            values.first_date,
            values.repeat_until,
            counted=not parsed.absent("nr_of_repetitions"),
            ended=not parsed.absent("repeat_until"),
        )
    )
    if parsed.wrong("type"):
        parsed.report("description", "The accounts cannot be checked without a valid type.")
    for name in ("repetitions", "transactions"):
        if parsed.absent(name):
            for field in (name, "description"):
                parsed.report(field, f"At least one of {name} is required.")
    report_too_many_splits(parsed, values.transactions or ())
    parsed.report_all(tag_problems("tags", values.tags or ()))
    if len(values.repetitions or ()) > REPETITIONS_MAX:
        parsed.report("repetitions", f"There may be at most {REPETITIONS_MAX} repetitions.")


def _check_splits(parsed: Parsed[RecurrenceBody], groups: Sequence[Parsed[SplitBody]]) -> None:
    """Requires both accounts of each split, although a plain transaction needs only one.

    This only checks the other account: if the user's own account is missing, the lookup of accounts reports that.
    """
    for group in groups:
        group.require("description")
    side = {"withdrawal": "destination", "deposit": "source"}.get(parsed.values.type or "")
    for group in groups:
        if side and group.absent(f"{side}_id", f"{side}_name"):
            group.report(f"{side}_id", f"The {group.key(f'{side}_id')} field is required, or {side}_name.")


def _read_repetitions(parsed: Parsed[RecurrenceBody]) -> tuple[Repetition, ...]:
    read = [_read_repetition(group) for group in parsed.each("repetitions", parsed.values.repetitions)]
    return tuple(repetition for repetition in read if repetition)


def _read_repetition(group: Parsed[RepetitionBody]) -> Repetition | None:
    values = group.values
    group.require("type", "skip", "weekend")
    if values.type is None or group.wrong("moment"):
        return None
    if problem := moment_problem(values.type, values.moment or ""):
        group.report("moment", f"The {group.key('moment')} {problem}.")
        return None
    if values.skip is None or values.weekend is None:
        return None
    return Repetition(
        type=values.type,
        moment=tidy_moment(values.moment or ""),
        skip=values.skip,
        weekend=Weekend(values.weekend),
        holidays=bool(values.holidays),
    )


def _make_draft(
    parsed: Parsed[RecurrenceBody],
    planned: tuple[Repetition, ...],
    splits: tuple[SplitDraft, ...],
    piggy_bank_id: int | None,
) -> RecurrenceDraft:
    parsed.finish()
    values = parsed.values
    return RecurrenceDraft(
        type=TYPES[ensure(values.type)],
        title=ensure(values.title),
        description=values.description or "",
        notes=values.notes,
        first_on=ensure(values.first_date),
        until_on=values.repeat_until,
        count_max=values.nr_of_repetitions,
        apply_rules=bool(values.apply_rules),
        active=bool(values.active),
        tags=tuple(dict.fromkeys(values.tags or ())),
        piggy_bank_id=piggy_bank_id,
        repetitions=planned,
        splits=splits,
    )


class RepetitionShown(Struct, gc=False):
    id: int
    updated_at: Instant
    created_at: Instant
    repetition_type: str
    repetition_moment: str
    repetition_skip: int
    weekend: int
    holidays: bool
    description: str
    occurrences: list[ShownDay]


class SplitShown(Struct, gc=False):
    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int
    foreign_currency_id: int | None
    foreign_currency_code: str | None
    foreign_currency_symbol: str | None
    foreign_currency_dp: int | None
    source_id: int
    source_name: str
    destination_id: int
    destination_name: str
    amount: str
    foreign_amount: str | None
    description: str
    meta: list[dict[str, Any]]


class RecurrenceAttributes(Dated, gc=False):
    transaction_type_id: int
    transaction_type: str
    title: str
    description: str
    first_date: ShownDay
    latest_date: ShownDay | None
    repeat_until: ShownDay | None
    apply_rules: bool
    active: bool
    repetitions: int
    notes: str
    failure: str | None
    recurrence_repetitions: list[RepetitionShown]
    transactions: list[SplitShown]


def show(recurrence: Recurrence, today: date, language: str) -> RecurrenceAttributes:
    """Shows a recurrence. If it is paused, the days are those on which it would fire if it were active."""
    days = recurrence.resume(today).agenda.upcoming(today)
    return show_as(
        RecurrenceAttributes,
        recurrence,
        transaction_type_id=int(recurrence.type),
        transaction_type=recurrence.type.label,
        first_date=recurrence.first_on.isoformat(),
        latest_date=recurrence.latest_on,
        repeat_until=recurrence.until_on.isoformat() if recurrence.until_on else None,
        repetitions=recurrence.count_max or 0,
        notes=recurrence.notes or "",
        failure=recurrence.failure and say(recurrence.failure, language),
        recurrence_repetitions=[
            _show_repetition(stored, of, language) for stored, of in zip(recurrence.repetitions, days, strict=True)
        ],
        transactions=[_split(split) for split in recurrence.splits],
    )


def _show_repetition(stored: StoredRepetition, days: Sequence[date], language: str) -> RepetitionShown:
    repetition = stored.repetition
    return show_as(
        RepetitionShown,
        stored,
        repetition_type=repetition.type,
        repetition_moment=repetition.moment,
        repetition_skip=repetition.skip,
        weekend=int(repetition.weekend),
        holidays=repetition.holidays,
        description=say(in_words(repetition), language),
        occurrences=[day.isoformat() for day in days],
    )


def _split(split: RecurrenceSplit) -> SplitShown:
    foreign = split.foreign_currency
    return show_as(
        SplitShown,
        split,
        **currency_fields(split.currency),
        foreign_currency_id=foreign.id if foreign else None,
        foreign_currency_code=foreign.code if foreign else None,
        foreign_currency_symbol=foreign.symbol if foreign else None,
        foreign_currency_dp=foreign.places if foreign else None,
        amount=as_text(split.units, split.currency.places),
        foreign_amount=as_text(split.foreign_units, foreign.places) if foreign and split.foreign_units else None,
        meta=_split_meta(split),
    )


def _split_meta(split: RecurrenceSplit) -> list[dict[str, Any]]:
    """Lists the category and the budget of a split. The entries always have all keys of the contract."""
    meta: list[dict[str, Any]] = []
    if split.category_id:
        meta.append(
            {
                "name": "category_name",
                "value": split.category_name,
                "category_id": split.category_id,
                "category_name": split.category_name,
            }
        )
    if split.budget_id:
        meta.append(
            {
                "name": "budget_id",
                "value": str(split.budget_id),
                "category_id": None,
                "category_name": None,
                "budget_id": split.budget_id,
                "budget_name": split.budget_name,
            }
        )
    return meta


def meta(recurrence: Recurrence) -> list[dict[str, Any]]:
    """Shows the metadata next to the attributes: tags and the piggy bank."""
    entries: list[dict[str, Any]] = []
    if recurrence.tags:
        entries.append({"name": "tags", "value": ",".join(recurrence.tags), "tags": list(recurrence.tags)})
    if recurrence.piggy_bank_id:
        entries.append(
            {
                "name": "piggy_bank_id",
                "value": str(recurrence.piggy_bank_id),
                "piggy_bank_id": recurrence.piggy_bank_id,
                "piggy_bank_name": recurrence.piggy_bank_name,
                "tags": [],
            }
        )
    return entries
