"""Stores piggy banks and the amounts in them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.kernel.text import fold
from farthing.storage.change_log import changes
from farthing.storage.change_log.records import Records, find_ids
from farthing.storage.unit import Owned, Unit, columns_of

from .model import PiggyBank, PiggyBankDraft, Pot, Share

_PIGGY_BANK = f"""
SELECT p.id, p.name, p.account_id, a.name AS account_name, {columns_of(Currency, "c", "currency")}, p.target_units,
    p.current_units, p.start_on, p.target_on, p.position AS "order", p.active, p.notes, p.created_at, p.updated_at,
    p.object_group_id, g.title AS object_group_title, g.position AS object_group_order
FROM piggy_banks p
LEFT JOIN object_groups g ON g.user_id = p.user_id AND g.id = p.object_group_id
JOIN accounts a ON a.user_id = p.user_id AND a.id = p.account_id
JOIN currencies c ON c.id = a.currency_id
"""
_PIGGY_BANKS = Records[PiggyBank, PiggyBankDraft](
    PiggyBank,
    "piggy_banks",
    _PIGGY_BANK,
    alias="p.",
    order="p.position, p.id",
    elsewhere=["order", "shares"],
    complete=lambda draft: {"account_id": next(iter(draft.shares)), "current_units": draft.current_units},
)
_OF_ACCOUNTS = """
SELECT piggy_bank_id FROM piggy_bank_accounts WHERE user_id = :user_id AND account_id IN :account_ids
"""
get, get_some = _PIGGY_BANKS.get, _PIGGY_BANKS.get_some
move_to_order, close_gaps = _PIGGY_BANKS.move_to_order, _PIGGY_BANKS.close_gaps
put_in_order = _PIGGY_BANKS.put_in_order


def page(
    db: Unit,
    user_id: int,
    *,
    limit: int,
    offset: int,
    account_id: int | None = None,
    object_group_id: int | None = None,
) -> tuple[int, list[PiggyBank]]:
    """Lists all piggy banks, or those of an account or of a group."""
    at = {"limit": limit, "offset": offset}
    if account_id is not None:
        return _PIGGY_BANKS.page(db, user_id, f"p.id IN ({_OF_ACCOUNTS})", **at, account_ids=[account_id])
    if object_group_id is not None:
        return _PIGGY_BANKS.page(db, user_id, "p.object_group_id = :group_id", **at, group_id=object_group_id)
    return _PIGGY_BANKS.page(db, user_id, **at)


def of_accounts(db: Unit, user_id: int, account_ids: Collection[int]) -> dict[int, list[PiggyBank]]:
    """Returns piggy banks by account, with two queries. A piggy bank on several accounts is listed for each."""
    some = _PIGGY_BANKS.find(db, user_id, f"p.id IN ({_OF_ACCOUNTS})", account_ids=sorted(account_ids))
    shares = load_shares(db, user_id, [piggy_bank.id for piggy_bank in some])
    piggy_banks: dict[int, list[PiggyBank]] = defaultdict(list)
    for piggy_bank in some:
        for share in shares[piggy_bank.id]:
            if share.account_id in account_ids:
                piggy_banks[share.account_id].append(piggy_bank)
    return piggy_banks


def find_of_accounts(db: Unit, user_id: int, account_ids: Collection[int]) -> list[int]:
    sql = f"SELECT id FROM piggy_banks WHERE user_id = :user_id AND id IN ({_OF_ACCOUNTS}) ORDER BY id"
    return find_ids(db, sql, user_id=user_id, account_ids=sorted(account_ids))


def load_shares(db: Unit, user_id: int, ids: Collection[int]) -> dict[int, list[Share]]:
    """Returns the accounts of each piggy bank, the first one first, in one query."""
    shares: dict[int, list[Share]] = {piggy_bank_id: [] for piggy_bank_id in ids}
    sql = """
        SELECT v.piggy_bank_id AS owner_id, v.share_id, v.account_id, a.name AS account_name, v.units
        FROM piggy_bank_accounts v JOIN accounts a ON a.user_id = v.user_id AND a.id = v.account_id
        WHERE v.user_id = :user_id AND v.piggy_bank_id IN :ids ORDER BY v.piggy_bank_id, v.share_id
    """
    for row in db.structs(Owned[Share], sql, user_id=user_id, ids=sorted(ids)) if ids else ():
        shares[row.owner_id].append(row.item)
    return shares


def has_any(db: Unit, user_id: int, account_id: int) -> bool:
    return bool(db.value(f"{_OF_ACCOUNTS} LIMIT 1", user_id=user_id, account_ids=[account_id]))


def sum_set_aside(db: Unit, user_id: int, account_ids: Collection[int], *, except_id: int) -> dict[int, int]:
    """Sums what each account holds for all piggy banks but `except_id`. Sums in Python, to avoid an overflow."""
    sql = """
        SELECT account_id, units FROM piggy_bank_accounts
        WHERE user_id = :user_id AND account_id IN :ids AND piggy_bank_id <> :except_id
    """
    sums = dict.fromkeys(account_ids, 0)
    for account_id, units in db.all(sql, user_id=user_id, ids=sorted(account_ids), except_id=except_id):
        sums[account_id] += units
    return sums


def is_name_taken(db: Unit, user_id: int, name: str, *, except_id: int) -> bool:
    return _PIGGY_BANKS.is_taken(db, user_id, column="name_fold", value=fold(name), except_id=except_id)


class NamedPiggyBank(Struct, frozen=True):
    """Identifies a piggy bank that a transaction refers to by its id or name, with one of its accounts."""

    id: int
    name_fold: str
    account_id: int


def find_named(db: Unit, user_id: int, ids: Collection[int], folds: Collection[str]) -> list[NamedPiggyBank]:
    if not ids and not folds:
        return []
    sql = """
        SELECT p.id, p.name_fold, v.account_id FROM piggy_banks p
        JOIN piggy_bank_accounts v ON v.user_id = p.user_id AND v.piggy_bank_id = p.id
        WHERE p.user_id = :user_id AND (p.id IN :ids OR p.name_fold IN :folds)
    """
    return db.structs(NamedPiggyBank, sql, user_id=user_id, ids=sorted(ids), folds=sorted(folds))


def pots(db: Unit, user_id: int, ids: Collection[int]) -> dict[int, Pot]:
    sql = "SELECT id, target_units FROM piggy_banks WHERE user_id = :user_id AND id IN :ids ORDER BY id"
    targets: dict[int, int] = dict(db.all(sql, user_id=user_id, ids=sorted(ids)))
    shares = load_shares(db, user_id, targets)
    return {
        piggy_bank_id: Pot(id=piggy_bank_id, target_units=target, shares=tuple(shares[piggy_bank_id]))
        for piggy_bank_id, target in targets.items()
    }


def fill(db: Unit, user_id: int, pots: Iterable[Pot], now: str) -> None:
    """Sets the amounts in piggy banks; the caller records the events.

    A piggy bank is also written if its amount only moves between its accounts, so that its changes are undone in order.
    """
    rows = {pot.id: {"current_units": pot.current_units} for pot in pots}
    changes.update_each(db, "piggy_banks", user_id, rows, now=now)
    shares = {share.share_id: {"units": share.units} for pot in pots for share in pot.shares[1:]}
    changes.update_each(db, "piggy_bank_shares", user_id, shares)


def add(db: Unit, user_id: int, draft: PiggyBankDraft, now: str) -> int:
    """Adds a piggy bank, last in order. The caller records its events."""
    piggy_bank_id = _PIGGY_BANKS.add_last(db, user_id, draft, now)
    _add_shares(db, user_id, piggy_bank_id, list(draft.shares.items())[1:], now)
    return piggy_bank_id


def change(
    db: Unit, user_id: int, piggy_bank_id: int, draft: PiggyBankDraft, stored: Collection[Share], now: str
) -> None:
    """Replaces all fields and accounts of a piggy bank. The caller records the events."""
    _PIGGY_BANKS.change(db, user_id, piggy_bank_id, draft, now)
    later = dict(list(draft.shares.items())[1:])
    share_ids = {share.account_id: share.share_id for share in stored if share.share_id}
    gone = [share_id for account_id, share_id in share_ids.items() if account_id not in later]
    if gone:
        changes.delete(db, "piggy_bank_shares", user_id, "id IN :ids", ids=gone)
    kept = {share_ids[account_id]: {"units": units} for account_id, units in later.items() if account_id in share_ids}
    changes.update_each(db, "piggy_bank_shares", user_id, kept)
    added = [(account_id, units) for account_id, units in later.items() if account_id not in share_ids]
    _add_shares(db, user_id, piggy_bank_id, added, now)


def reduce(db: Unit, user_id: int, left: Mapping[int, Sequence[Share]], account_ids: Collection[int], now: str) -> None:
    """Takes accounts out of piggy banks. `left` holds the other accounts of each, the first of which becomes first."""
    firsts = [rest[0].share_id for rest in left.values()]
    which = {"account_ids": sorted(account_ids), "firsts": firsts}
    changes.delete(db, "piggy_bank_shares", user_id, "(account_id IN :account_ids OR id IN :firsts)", **which)
    rows = {
        piggy_bank_id: {"account_id": rest[0].account_id, "current_units": sum(share.units for share in rest)}
        for piggy_bank_id, rest in left.items()
    }
    changes.update_each(db, "piggy_banks", user_id, rows, now=now)


def _add_shares(db: Unit, user_id: int, piggy_bank_id: int, added: Sequence[tuple[int, int]], now: str) -> None:
    rows = [{"piggy_bank_id": piggy_bank_id, "account_id": account_id, "units": units} for account_id, units in added]
    changes.insert_all(db, "piggy_bank_shares", user_id, rows, now)


def remove(db: Unit, user_id: int, ids: list[int]) -> None:
    """Removes piggy banks. The caller must remove their events and all references to them first."""
    changes.delete(db, "piggy_bank_shares", user_id, "piggy_bank_id IN :ids", ids=ids)
    changes.delete(db, "piggy_banks", user_id, "id IN :ids", ids=ids)
    close_gaps(db, user_id)
