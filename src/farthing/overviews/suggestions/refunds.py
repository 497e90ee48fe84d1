"""Finds the purchases that stored deposits probably refund, in the evidence that was read for other suggestions."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from farthing.books.entry_links import store as entry_links
from farthing.books.entry_links.model import REFUND
from farthing.kernel.text import fold
from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from ..refunds.find import Trade, find_purchase
from .model import EarlierSplit, Evidence, RefundSuggestion, SuggestionSubject

# The confidence if a refund has the amount of its purchase, and if it has a smaller amount.
_WHOLE, _PARTIAL = 0.95, 0.7


def find(
    db: Unit, user_id: int, subjects: Sequence[SuggestionSubject], evidence: Evidence
) -> dict[int, RefundSuggestion]:
    """Finds the purchases of deposits, by the position of the subject. Ignores purchases that are refunded already."""
    purchases = {
        index: of
        for index, subject in enumerate(subjects)
        if subject.deposited_on and (of := list(_list_splits(subject, evidence, Type.WITHDRAWAL)))
    }
    if not purchases:
        return {}
    entry_ids = {split.entry_id for of in purchases.values() for split in of}
    refunded = entry_links.find_inward(db, user_id, REFUND, entry_ids)
    found = {
        index: _find_one(subjects[index], evidence, [split for split in of if split.entry_id not in refunded])
        for index, of in purchases.items()
    }
    return {index: suggestion for index, suggestion in found.items() if suggestion}


def _list_splits(subject: SuggestionSubject, evidence: Evidence, type_: Type) -> Iterator[EarlierSplit]:
    """Lists the splits with the same payee, in the currency of the subject."""
    name = fold(subject.payee or "")
    payee_ids = {payee.id for payee in evidence.payees.values() if payee.name_fold == name}
    entry_ids = dict.fromkeys(entry_id for id_ in sorted(payee_ids) for entry_id in evidence.by_payee.get(id_, ()))
    for entry_id in entry_ids:
        for split in evidence.splits.get(entry_id, ()):
            if split.type == type_ and split.payee_id in payee_ids and split.currency.id == subject.currency_id:
                yield split


def _find_one(
    subject: SuggestionSubject, evidence: Evidence, splits: Sequence[EarlierSplit]
) -> RefundSuggestion | None:
    by_entry: dict[int, list[EarlierSplit]] = {}
    for split in splits:
        by_entry.setdefault(split.entry_id, []).append(split)
    trades = [_trade_of(of) for of in by_entry.values()]
    currency = splits[0].currency if splits else None
    units = currency and subject.units(currency.places)
    if not currency or not units or not subject.deposited_on:
        return None
    refund = Trade(
        entry_id=subject.entry_id or 0,
        id=subject.split_id or 0,
        on=subject.deposited_on,
        description=subject.description,
        is_refund=True,
        currency=currency,
        units=units,
    )
    purchase = find_purchase(refund, trades)
    if purchase is None:
        return None
    of = by_entry[purchase.entry_id]
    alike = [split for split in of if split.units == units] or of
    base = _WHOLE if purchase.units == units else _PARTIAL
    confidence = round(base * _share_of_refunds(subject, evidence), 3)
    return RefundSuggestion(_join(alike, purchase.units), confidence)


def _trade_of(splits: Sequence[EarlierSplit]) -> Trade:
    first = splits[0]
    return Trade(
        entry_id=first.entry_id,
        id=first.id,
        on=first.on,
        description=first.description,
        is_refund=False,
        currency=first.currency,
        units=sum(split.units for split in splits),
    )


def _join(splits: Sequence[EarlierSplit], units: int) -> EarlierSplit:
    """Shows a purchase as one split. It has a label only if all of its splits have that label."""
    categories, budgets = {split.category_id for split in splits}, {split.budget_id for split in splits}
    return replace(
        splits[0],
        units=units,
        part=None,
        category_id=splits[0].category_id if len(categories) == 1 else None,
        budget_id=splits[0].budget_id if len(budgets) == 1 else None,
    )


def _share_of_refunds(subject: SuggestionSubject, evidence: Evidence) -> float:
    """Returns the share of refunds among the earlier deposits of this payee, counting this one as a refund."""
    deposits = [
        split
        for split in _list_splits(subject, evidence, Type.DEPOSIT)
        if split.entry_id != subject.entry_id and (split.refund or split.category_id)
    ]
    return (sum(split.refund for split in deposits) + 1) / (len(deposits) + 1)
