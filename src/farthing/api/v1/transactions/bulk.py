"""Reads the body of a bulk request."""

from collections import defaultdict
from collections.abc import Mapping

from msgspec.structs import replace

from farthing.books.bookkeeping.compose import amount_field, compose
from farthing.books.lifecycle.transactions import BulkItem
from farthing.books.transactions.model import Lookup, TransactionDraft
from farthing.kernel.errors import Invalid, Problem, refuse_field
from farthing.kernel.fields import parse
from farthing.kernel.parsed import Parsed

from .wire import BULK_MAX, BulkBody, TransactionBody


def read(raw: Mapping[str, object]) -> Parsed[BulkBody]:
    """Reads the body. If it has too many transactions, refuses it before parsing any."""
    many = raw.get("transactions")
    if isinstance(many, list | dict) and len(many) > BULK_MAX:
        refuse_field("transactions", f"The transactions may not have more than {BULK_MAX} items.")
    return parse(BulkBody, raw)


def compose_all(parsed: Parsed[BulkBody], lookup: Lookup) -> list[BulkItem]:
    """Returns each transaction with its own problems. Problems of the request as a whole stay in `parsed`."""
    of_index = _part_problems(parsed)
    sent = []
    for group in parsed.each("transactions", parsed.values.transactions):
        index = group.prefix.split(".")[1]
        draft, problems = _compose_alone(replace(group, problems=of_index[index]), lookup)
        sent.append(BulkItem(index=index, draft=draft, problems=problems, amount_field=amount_field(group)))
    if not sent and not parsed.wrong("transactions"):
        parsed.report("transactions", "The transactions field is required: send at least one.")
    return sent


def _compose_alone(
    group: Parsed[TransactionBody], lookup: Lookup
) -> tuple[TransactionDraft | None, tuple[Problem, ...]]:
    try:
        return compose(group, lookup), ()
    except Invalid as refusal:
        return None, refusal.problems


def _part_problems(parsed: Parsed[BulkBody]) -> dict[str, list[Problem]]:
    """Moves the problems of single transactions out of `parsed`, and returns them by index."""
    of_index: dict[str, list[Problem]] = defaultdict(list)
    of_whole = []
    for problem in parsed.problems:
        name, _, rest = problem.field.partition(".")
        if name == "transactions" and rest:
            of_index[rest.partition(".")[0]].append(problem)
        else:
            of_whole.append(problem)
    parsed.problems[:] = of_whole
    return of_index
