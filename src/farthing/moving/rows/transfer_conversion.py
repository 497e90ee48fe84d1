"""Turns stored withdrawals and deposits into transfers when their other half is imported, and back after an undo."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct, structs

from farthing.books.bookkeeping import lookup, record
from farthing.books.transactions import drafts, lines, links
from farthing.books.transactions.model import KnownAccount, LookupRequest, TransactionDraft
from farthing.kernel.money import Money
from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from .settle import SettledRow


class OtherSide(Struct, frozen=True):
    """Remembers what a transaction was before it became a transfer: its type, and the account on the side that changed.
    `adds_foreign` means that the transfer gained an amount in a second currency.
    """

    type: Type
    account_id: int
    adds_foreign: bool = False


def become_transfers(db: Unit, user_id: int, others: Mapping[int, SettledRow], now: str) -> dict[int, str]:
    """Turns entries into transfers with their other halves. Returns their former states for `become_what_they_were`."""
    befores = {}
    for entry_id, draft in _load(db, user_id, list(others)).items():
        leaves = draft.type == Type.WITHDRAWAL
        split = draft.splits[0]
        former = split.destination if leaves else split.source
        assert isinstance(former, KnownAccount), "it is stored"
        other = others[entry_id]
        adds_foreign = split.foreign is None and split.amount.currency != other.money.currency
        before = OtherSide(type=draft.type, account_id=former.id, adds_foreign=adds_foreign)
        befores[entry_id] = msgspec.json.encode(before).decode()
        draft = _with_side(draft, Type.TRANSFER, other.account, leaves=leaves)
        _rewrite(db, user_id, entry_id, _with_foreign(draft, other.money) if adds_foreign else draft, now)
    return befores


def become_what_they_were(db: Unit, user_id: int, befores: Mapping[int, str], now: str) -> None:
    """Restores the former types and accounts of transfers. The cash account replaces accounts that were deleted."""
    former = {entry_id: msgspec.json.decode(before, type=OtherSide) for entry_id, before in befores.items()}
    request = LookupRequest(account_ids={side.account_id for side in former.values()}, cash=True)
    references = lookup.look_up(db, user_id, request)
    for entry_id, draft in _load(db, user_id, list(befores)).items():
        if draft.type == Type.TRANSFER:
            was = former[entry_id]
            account = references.accounts.get(was.account_id) or references.cash
            assert account is not None, "every user has a cash account"
            changed = _with_side(draft, was.type, account, leaves=was.type == Type.WITHDRAWAL)
            _rewrite(db, user_id, entry_id, _with_foreign(changed, None) if was.adds_foreign else changed, now)


def _with_side(draft: TransactionDraft, type_: Type, account: KnownAccount, *, leaves: bool) -> TransactionDraft:
    split = draft.splits[0]
    split = structs.replace(split, destination=account) if leaves else structs.replace(split, source=account)
    return structs.replace(draft, type=type_, splits=(split,))


def _with_foreign(draft: TransactionDraft, foreign: Money | None) -> TransactionDraft:
    return structs.replace(draft, splits=(structs.replace(draft.splits[0], foreign=foreign),))


def _rewrite(db: Unit, user_id: int, entry_id: int, draft: TransactionDraft, now: str) -> None:
    references = lookup.look_up(db, user_id, LookupRequest(tag_folds={tag.casefold() for tag in draft.tags}))
    record.rewrite(db, user_id, entry_id, record.EntryMaker(db, user_id, references, now).entry(draft), now)


def _load(db: Unit, user_id: int, entry_ids: Sequence[int]) -> dict[int, TransactionDraft]:
    stored_links = links.of_entries(db, user_id, list(entry_ids))
    lines_by_entry = {line.entry_id: line for line in lines.of_entries(db, user_id, list(stored_links))}
    references = lookup.look_up(db, user_id, drafts.request_references(lines_by_entry.values(), stored_links))
    return {
        entry_id: drafts.make_draft([line], stored_links[entry_id], references)
        for entry_id, line in lines_by_entry.items()
    }
