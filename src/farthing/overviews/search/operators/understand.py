"""Turns a search with operators into a filter of transactions."""

from msgspec import Struct

from farthing.books.transactions.counts import Days
from farthing.ledger.kinds import Type

from ..conditions import All, Conditions, Node, Not
from ..narrowing import OperatorFilter
from . import names
from .context import Context, Unreadable
from .grammar import CHARACTERS_MAX, TOKENS_MAX, Group, NotClosed, Term, TooLong, parse


class Understood(Struct, frozen=True):
    """Holds the filter, or sentences about what could not be understood."""

    filters: OperatorFilter
    problems: tuple[str, ...] = ()


def understand(context: Context, text: str) -> Understood:
    try:
        search = parse(text)
    except TooLong:
        most = f"The query may have at most {TOKENS_MAX} parts and {CHARACTERS_MAX} characters."
        return Understood(_narrow(Conditions(All(()))), (most,))
    except NotClosed as problem:
        return Understood(_narrow(Conditions(All(()))), (f"The quotation mark of “{problem}” is not closed.",))
    problems: list[str] = []
    root = _make_all(context, search, problems)
    if not root.parts and not problems:
        problems.append("The query field is required.")
    return Understood(_narrow(Conditions(root)), tuple(problems))


def _make_all(context: Context, group: Group, problems: list[str]) -> All:
    nodes: list[Node] = []
    for part in group.parts:
        node = _make_group(context, part, problems) if isinstance(part, Group) else _make(context, part, problems)
        if node is not None:
            nodes.append(Not(node) if part.negated else node)
    return All(tuple(nodes))


def _make_group(context: Context, group: Group, problems: list[str]) -> All | None:
    """Returns None for an empty group, such as `("")`."""
    node = _make_all(context, group, problems)
    return node if node.parts else None


def _make(context: Context, term: Term, problems: list[str]) -> Node | None:
    if not term.name:
        return names.make_description(context, term.value) if term.value.strip() else None
    make = names.find(term.name)
    if make is None:
        problems.append(f"The operator “{term.name}” does not exist.")
        return None
    try:
        return make(context, term.value)
    except Unreadable as problem:
        problems.append(f"The operator “{term.name}” {problem}.")
        return None


def _narrow(conditions: Conditions) -> OperatorFilter:
    """Takes days and types out of the conditions, because they limit what is scanned."""
    days, types, labelled = Days(), frozenset(Type), None
    for condition in conditions.required:
        days = Days(max(days.start, condition.days.start), min(days.end, condition.days.end))
        types &= condition.types
        labelled = condition.labelled or labelled
    is_span = conditions.are_span and bool(types) and days.start <= days.end
    return OperatorFilter(
        types=types or frozenset(Type), days=days, conditions=conditions, labelled=labelled, is_span=is_span
    )
