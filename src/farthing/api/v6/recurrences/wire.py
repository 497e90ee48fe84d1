"""Reads the bodies of recurrences."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import structs

from farthing.books.bookkeeping import lookup
from farthing.books.bookkeeping.compose import compose_splits, find_piggy_bank, report_too_many_splits, tag_problems
from farthing.books.recurrences.model import (
    REPETITIONS_MAX,
    SKIP_MAX,
    Recurrence,
    RecurrenceDraft,
    RecurrenceSplit,
    end_problems,
)
from farthing.books.transactions.model import TYPES, Lookup, SplitDraft
from farthing.http.request.call import Call
from farthing.kernel.fields import (
    Description,
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
from farthing.kernel.parsed import Parsed, ensure
from farthing.schedule.repetition import Repetition, RepetitionType, moment_problem, tidy_moment
from farthing.schedule.weekend import Weekend

from ..parts.amounts import PositiveAmount, show_amount
from ..parts.moments import Moment
from ..parts.zeros import empty_zeros

REQUIRED = ("type", "title", "first_date", "repetitions", "transactions")
_NO_BILL = "A recurrence cannot name a bill. Its transactions pay the bill if they match it, or by a rule."
_ZEROS = ("foreign_amount", "foreign_currency_id", "budget_id", "category_id", "piggy_bank_id", "bill_id")


class RepetitionBody(RequestBody):
    type: Annotated[RepetitionType, choice(*RepetitionType)] | None = None
    moment: Annotated[str, text(10)] | None = None
    skip: Annotated[int, whole(minimum=0, maximum=SKIP_MAX)] | None = None
    weekend: Annotated[int, whole(minimum=1, maximum=4)] | None = None
    holidays: Flag | None = None


class RecurrenceSplitBody(RequestBody):
    id: Id | None = described("The id of the stored transaction to change. Only in a PUT.")
    description: Description | None = None
    amount: PositiveAmount | None = None
    currency_id: Id | None = None
    currency_code: Annotated[str, text(3)] | None = described("If omitted, the currency of your own account.")
    foreign_amount: PositiveAmount | None = None
    foreign_currency_id: Id | None = None
    foreign_currency_code: Annotated[str, text(3)] | None = None
    budget_id: Id | None = None
    budget_name: Name | None = None
    category_id: Id | None = None
    category_name: Name | None = None
    source_id: Id | None = None
    source_name: Name | None = None
    destination_id: Id | None = None
    destination_name: Name | None = None
    tags: WordList | None = None
    piggy_bank_id: Id | None = None
    piggy_bank_name: Name | None = None
    bill_id: Id | None = None
    reconciled: Flag | None = None


class RecurrenceBody(RequestBody):
    type: Annotated[str, choice(*TYPES)] | None = None
    title: Name | None = None
    description: Annotated[str, text(65_000)] | None = None
    notes: Notes | None = None
    first_date: Moment | None = None
    repeat_until: Moment | None = None
    nr_of_repetitions: Annotated[int, whole(minimum=1, maximum=2**31)] | None = None
    apply_rules: Flag | None = described("True by default.")
    active: Flag | None = described("If omitted, a new recurrence is active.")
    repetitions: list[RepetitionBody] | None = None
    transactions: list[RecurrenceSplitBody] | None = None


class _Labels(RequestBody):
    """Holds what belongs to the whole recurrence, although each of its transactions may name it."""

    tags: WordList | None = None
    piggy_bank_id: Id | None = None
    piggy_bank_name: Name | None = None
    transactions: list[RecurrenceSplitBody] | None = None


def read(call: Call, recurrence: Recurrence | None) -> tuple[RecurrenceDraft, Lookup]:
    """Reads the body over the stored recurrence, if any. Reports all problems at once."""
    sent = empty_zeros(call.fields, "nr_of_repetitions")
    parsed = parse(RecurrenceBody, _merge(sent, recurrence) if recurrence else _with_zeros(sent))
    groups = parsed.each("transactions", parsed.values.transactions)
    _check(parsed, call.caller.timezone, groups)
    planned = tuple(each for group in parsed.each("repetitions", parsed.values.repetitions) if (each := _plan(group)))
    labels = _read_labels(parsed, groups, recurrence)
    facts = lookup.load(call.db, call.user_id, [labels])
    type_ = TYPES.get(parsed.values.type or "")
    splits = compose_splits([_with_currency(group, parsed.values.type, facts) for group in groups], type_, facts)
    piggy_bank_id = _find_piggy_bank(parsed, labels, groups, facts, splits)
    return _make_draft(parsed, call.caller.timezone, planned, tuple(splits), labels, piggy_bank_id), facts


def _with_zeros(body: Mapping[str, object]) -> dict[str, object]:
    items = body.get("transactions")
    if not isinstance(items, list):
        return dict(body)
    return {**body, "transactions": [empty_zeros(item, *_ZEROS) if isinstance(item, dict) else item for item in items]}


def _merge(sent: Mapping[str, object], recurrence: Recurrence) -> dict[str, Any]:
    """Completes the body of a PUT with the stored values, so that it can be read like that of a POST."""
    body: dict[str, Any] = {
        "type": recurrence.type.label.lower(),
        "title": recurrence.title,
        "description": recurrence.description,
        "notes": recurrence.notes,
        "first_date": recurrence.first_on.isoformat(),
        "apply_rules": recurrence.apply_rules,
        "active": recurrence.active,
    }
    if not sent.get("repeat_until") and not sent.get("nr_of_repetitions"):
        until = recurrence.until_on.isoformat() if recurrence.until_on else None
        body |= {"repeat_until": until, "nr_of_repetitions": recurrence.count_max}
    body |= _with_zeros(sent)
    repetitions = [structs.asdict(stored.repetition) for stored in recurrence.repetitions]
    body["repetitions"] = _merge_repetitions(body.get("repetitions"), repetitions)
    body["transactions"] = _merge_splits(body.get("transactions"), recurrence.splits)
    return body


def _merge_repetitions(sent: object, stored: list[dict[str, Any]]) -> object:
    if not isinstance(sent, list):
        return stored if sent is None else sent
    stored = stored[: len(sent)] + [{}] * (len(sent) - len(stored))
    return [{**old, **new} if isinstance(new, dict) else new for old, new in zip(stored, sent, strict=True)]


def _merge_splits(sent: object, stored: Sequence[RecurrenceSplit]) -> object:
    """Matches sent and stored transactions by id; a single one needs no id.

    Stored ones that were not sent are removed.
    """
    by_id = {str(split.id): _as_sent(split) for split in stored}
    if sent is None:
        return list(by_id.values())
    if not isinstance(sent, list):
        return sent
    only = next(iter(by_id), "") if len(by_id) == len(sent) == 1 else ""
    return [_over(by_id.get(str(new.get("id", only)), {}), new) if isinstance(new, dict) else new for new in sent]


def _as_sent(split: RecurrenceSplit) -> dict[str, Any]:
    foreign, names = split.foreign_currency, ("id", "description", "category_id", "budget_id")
    return {
        **{name: getattr(split, name) for name in (*names, "source_id", "destination_id")},
        "amount": show_amount(split.units, split.currency.places),
        "currency_id": split.currency.id,
        "foreign_amount": show_amount(split.foreign_units, foreign.places) if foreign and split.foreign_units else None,
        "foreign_currency_id": foreign.id if foreign else None,
    }


def _over(stored: dict[str, Any], sent: dict[str, Any]) -> dict[str, Any]:
    """Overwrites stored fields with those that were sent. A name or code that was sent replaces a stored id."""
    replaced = {
        f"{name.rpartition('_')[0]}_id" for name, value in sent.items() if value and name.endswith(("_name", "_code"))
    }
    return {**{name: value for name, value in stored.items() if name not in replaced}, **sent}


def _check(parsed: Parsed[RecurrenceBody], zone: str, groups: Sequence[Parsed[RecurrenceSplitBody]]) -> None:
    values = parsed.values
    parsed.require("type", "title", "first_date")
    parsed.report_all(
        end_problems(
            values.first_date.on_day(zone) if values.first_date else None,
            values.repeat_until.on_day(zone) if values.repeat_until else None,
            counted=not parsed.absent("nr_of_repetitions"),
            ended=not parsed.absent("repeat_until"),
        )
    )
    for name in ("repetitions", "transactions"):
        if parsed.absent(name):
            parsed.report(name, f"At least one of {name} is required.")
    report_too_many_splits(parsed, groups)
    if len(values.repetitions or ()) > REPETITIONS_MAX:
        parsed.report("repetitions", f"There may be at most {REPETITIONS_MAX} repetitions.")
    side = {"withdrawal": "destination", "deposit": "source"}.get(values.type or "")
    for group in groups:
        group.require("description")
        if group.values.bill_id:
            group.report("bill_id", _NO_BILL)
        if side and group.absent(f"{side}_id", f"{side}_name"):
            group.report(f"{side}_id", f"The {group.key(f'{side}_id')} field is required, or {side}_name.")


def _plan(group: Parsed[RepetitionBody]) -> Repetition | None:
    values = group.values
    group.require("type")
    if values.type is None or group.wrong("moment"):
        return None
    if problem := moment_problem(values.type, values.moment or ""):
        group.report("moment", f"The {group.key('moment')} {problem}.")
        return None
    return Repetition(
        type=values.type,
        moment=tidy_moment(values.moment or ""),
        skip=values.skip or 0,
        weekend=Weekend(values.weekend or 1),
        holidays=bool(values.holidays),
    )


def _read_labels(
    parsed: Parsed[RecurrenceBody], groups: Sequence[Parsed[RecurrenceSplitBody]], recurrence: Recurrence | None
) -> _Labels:
    """Gathers the tags of all transactions, and the piggy bank that one of them names.

    In a PUT, only transactions that send these fields are asked.
    """
    tags = [tag for group in groups for tag in group.values.tags or ()]
    if recurrence and not any("tags" in group.raw or "tags" in group.emptied for group in groups):
        tags = list(recurrence.tags)
    parsed.report_all(tag_problems("transactions.0.tags", tags))
    piggy = ("piggy_bank_id", "piggy_bank_name")
    named = next(
        ({name: getattr(group.values, name) for name in piggy} for group in groups if not group.absent(*piggy)), {}
    )
    if recurrence and not named and not any(name in group.emptied for group in groups for name in piggy):
        named = {"piggy_bank_id": recurrence.piggy_bank_id}
    values = {"tags": tags, **{name: value for name, value in named.items() if value}}
    return _Labels.model_construct(
        _fields_set={*values, "transactions"}, **values, transactions=parsed.values.transactions
    )


def _with_currency(group: Parsed[RecurrenceSplitBody], type_: str | None, facts: Lookup) -> Parsed[RecurrenceSplitBody]:
    """Chooses the currency of the user's own account if none was sent."""
    if not group.absent("currency_id", "currency_code"):
        return group
    values = group.values
    account = facts.accounts.get((values.destination_id if type_ == "deposit" else values.source_id) or 0)
    if account is None:
        return group
    return structs.replace(group, values=values.model_copy(update={"currency_id": account.currency.id}))


def _find_piggy_bank(
    parsed: Parsed[RecurrenceBody],
    labels: _Labels,
    groups: Sequence[Parsed[RecurrenceSplitBody]],
    facts: Lookup,
    splits: Sequence[SplitDraft],
) -> int | None:
    chosen = labels.piggy_bank_id or labels.piggy_bank_name
    for group in groups:
        other = group.values.piggy_bank_id or group.values.piggy_bank_name
        if other and other != chosen:
            group.report("piggy_bank_id", "All transactions of a recurrence have the same piggy bank.")
    naming = next((group for group in groups if not group.absent("piggy_bank_id", "piggy_bank_name")), parsed)
    found: int | None = find_piggy_bank(
        structs.replace(naming, values=labels), TYPES.get(parsed.values.type or ""), facts, splits
    )
    return found


def _make_draft(
    parsed: Parsed[RecurrenceBody],
    zone: str,
    planned: tuple[Repetition, ...],
    splits: tuple[SplitDraft, ...],
    labels: _Labels,
    piggy_bank_id: int | None,
) -> RecurrenceDraft:
    parsed.finish()
    values = parsed.values
    return RecurrenceDraft(
        type=TYPES[ensure(values.type)],
        title=ensure(values.title),
        description=values.description or "",
        notes=values.notes,
        first_on=ensure(values.first_date).on_day(zone),
        until_on=values.repeat_until.on_day(zone) if values.repeat_until else None,
        count_max=values.nr_of_repetitions,
        apply_rules=values.apply_rules is not False,
        active=values.active is not False,
        tags=tuple(dict.fromkeys(labels.tags or ())),
        piggy_bank_id=piggy_bank_id,
        repetitions=planned,
        splits=splits,
    )
