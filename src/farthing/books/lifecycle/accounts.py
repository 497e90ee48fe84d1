"""Adds, changes, merges and removes accounts, and updates their opening balances, helper accounts and rules."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager

from farthing.kernel.errors import Conflict, Problem, refuse_field
from farthing.kernel.money import Currency, Money
from farthing.kernel.parsed import label
from farthing.kernel.text import fold
from farthing.ledger.entry import Entry, Party, Split
from farthing.ledger.kinds import LIABILITIES, Kind, Type
from farthing.storage.change_log import changes, restoring
from farthing.storage.change_log.restoring import Undoing
from farthing.storage.unit import Unit

from ..accounts import store
from ..accounts.model import Account, AccountDraft, Opening, helper_name
from ..attachments import store as attachments
from ..attachments.model import Model
from ..bookkeeping import record
from ..piggy_banks import store as piggy_bank_store
from ..recurrences import labels as recurrence_labels
from ..recurrences import store as recurrences
from ..rules import renaming
from ..transactions import store as transactions
from ..transactions.merging import store as merging
from ..transactions.model import OWN, PAYEES, PAYERS
from ..transactions.stored_sums import sums
from .saving import piggy_banks


def taken_problems(db: Unit, user_id: int, values: Mapping[str, str | None], *, except_id: int) -> list[Problem]:
    """Checks that the IBAN and the account number are unique.

    The keys of `values` are the caller's names of the fields.
    """
    columns = {key: "iban" if key == "iban" else "account_number" for key in values}
    return [
        Problem(key, f"The {label(key)} is already used by another of your accounts.")
        for key, value in values.items()
        if store.is_taken(db, user_id, column=columns[key], value=value, except_id=except_id)
    ]


def currency_problems(
    db: Unit, user_id: int, stored: Account | None, currency: Currency | None, *, field: str
) -> list[Problem]:
    """Refuses to change the currency of an account with piggy banks, because their amounts are in it."""
    if stored is None or currency in (None, stored.currency) or not piggy_bank_store.has_any(db, user_id, stored.id):
        return []
    sentence = f"The {label(field)} cannot be changed while the account has piggy banks, because their amounts are in"
    return [Problem(field, f"{sentence} {stored.currency.code}.")]


def add(db: Unit, user_id: int, draft: AccountDraft, now: str) -> int:
    account_id = store.add(db, user_id, draft, now)
    if draft.opening:
        _book_opening(db, user_id, account_id, draft, draft.opening, now)
    return account_id


def change(db: Unit, user_id: int, account: Account, draft: AccountDraft, now: str) -> None:
    """Replaces all fields of an account. If the draft has no opening balance, the stored one is deleted."""
    _change_row(db, user_id, account, draft, now)
    if (account.name, account.currency) != (draft.name, draft.currency):
        _update_helpers(db, user_id, [account.id], now)
    if account.name != draft.name and account.kind in OWN:
        _rename_in_rules(db, user_id, account, draft.name, now)
    if account.currency != draft.currency:
        record.rebook(db, user_id, account.id, amount_field="currency_id")
    if draft.opening:
        _book_opening(db, user_id, account.id, draft, draft.opening, now)
    elif entry_id := transactions.find_opening(db, user_id, account.id):
        record.erase(db, user_id, [entry_id], amount_field=_amount_field(draft))


def move_opening(db: Unit, user_id: int, account: Account, opening: Opening, now: str) -> None:
    """Changes only the day and the amount of an account's opening balance."""
    draft = AccountDraft(
        kind=account.kind,
        name=account.name,
        active=account.active,
        include_net_worth=account.include_net_worth,
        currency=account.currency,
    )
    entry_id = transactions.find_opening(db, user_id, account.id)
    if opening.units:
        _book_opening(db, user_id, account.id, draft, opening, now)
    elif entry_id:
        record.erase(db, user_id, [entry_id], amount_field=_amount_field(draft))


def _change_row(db: Unit, user_id: int, account: Account, draft: AccountDraft, now: str) -> None:
    """Changes the row of an account, and updates the net worth if `include_net_worth` changes."""
    moves = account.include_net_worth != draft.include_net_worth
    if moves:
        record.move_net_worth(db, user_id, account.id, -1)
    store.change(db, user_id, account.id, draft, now)
    if moves:
        record.move_net_worth(db, user_id, account.id, 1)


def _rename_in_rules(db: Unit, user_id: int, account: Account, name: str, now: str) -> None:
    """Renames the account in rules.

    Does nothing if another account also has the old name, as rules may mean that account.
    """
    if not store.is_name_taken(db, user_id, account.name, except_id=account.id):
        renaming.rename(db, user_id, "accounts", {account.name: name}, now)


def remove(db: Unit, user_id: int, account: Account, now: str) -> None:
    if account.kind == Kind.CASH:
        refuse_field("id", "The cash account cannot be deleted: every user has one.")
    remove_all(db, user_id, [account.id], now)


def remove_all(db: Unit, user_id: int, ids: Collection[int], now: str) -> None:
    """Removes accounts with their recurrences, transactions, and piggy banks that have no other account.

    Other accounts' balances change accordingly.
    """
    account_ids = [*store.helpers_of(db, user_id, ids), *ids]
    entry_ids = transactions.find_entries_of_accounts(db, user_id, account_ids)
    recurrence_ids = recurrences.find_using(db, user_id, account_ids)
    if recurrence_ids:
        recurrences.remove(db, user_id, recurrence_ids, now)
    piggy_banks.leave_accounts(db, user_id, ids, now)
    attachments.remove_of(db, user_id, Model.ACCOUNT, account_ids)
    record.erase(db, user_id, entry_ids, gone=account_ids)
    store.remove(db, user_id, account_ids)


def merge(db: Unit, user_id: int, account: Account, into: Account, now: str) -> None:
    """Moves all transactions of `account` to `into`, and deletes `account`.

    Updates the recurrences and rules that name `account`.
    """
    if account.kind not in PAYEES | PAYERS:
        refuse_field("id", "Only payees, that is, expense and revenue accounts, can be merged.")
    if into.kind != account.kind:
        refuse_field("into_id", f"The selected into id is invalid: it must be of the type {account.kind.value}.")
    if merging.find_booked_otherwise(db, user_id, account.id, into.currency.id):
        sentence = f"“{into.name}” is kept in {into.currency.code}, so merging would change some booked amounts."
        refuse_field("into_id", f"{sentence} Give both accounts the same currency first.")
    _rename_in_rules(db, user_id, account, into.name, now)
    record.move_account(db, user_id, account.id, into_id=into.id)
    recurrence_labels.move_account(db, user_id, account.id, into_id=into.id)
    attachments.move(db, user_id, Model.ACCOUNT, account.id, into_id=into.id)
    store.remove(db, user_id, [account.id])


def move_transactions(db: Unit, user_id: int, account: Account, into: Account, *, field: str) -> None:
    """Moves all transactions of an account, which stays, to another of the same kind and currency."""
    if account.id == into.id or (account.kind, account.currency) != (into.kind, into.currency):
        refuse_field(field, "The accounts must be two different ones of the same type and currency.")
    if store.helpers_of(db, user_id, [account.id]) or piggy_bank_store.has_any(db, user_id, account.id):
        refuse_field(field, "The account has an opening balance, a reconciliation or piggy banks: delete these first.")
    if merging.share_entries(db, user_id, account.id, into.id):
        refuse_field(field, "There are transfers between the two accounts: delete these first.")
    for each in (account, into):
        record.move_net_worth(db, user_id, each.id, -1)
    record.move_account(db, user_id, account.id, into_id=into.id)
    merging.forget_sums(db, user_id, account.id)
    record.move_net_worth(db, user_id, into.id, 1)


def find_changing_currency(db: Unit, user_id: int, revision: int) -> list[int]:
    """Finds the accounts whose currency would change if the change with this revision were undone."""
    before = restoring.read_former(db, user_id, revision, "accounts", "currency_id")
    now = store.currencies(db, user_id, list(before))
    return [account_id for account_id, currency_id in now.items() if before[account_id] != currency_id]


@contextmanager
def follow_undo(db: Unit, user_id: int, undoing: Undoing) -> Iterator[None]:
    """Updates the net worth, the helper accounts, and rules that were made after the undone change.

    Refuses the undo if it would change the currency of an account that has piggy banks now.
    """
    account_ids = undoing.list_touched("accounts")
    if not account_ids:
        yield
        return
    changing = find_changing_currency(db, user_id, undoing.revision)
    if saving := sorted(piggy_bank_store.of_accounts(db, user_id, changing)) if changing else []:
        raise Conflict(f"Not undone: account {saving[0]} would change its currency, but now has piggy banks.")
    names = {account.id: account.name for account in store.get_some(db, user_id, account_ids) if account.kind in OWN}
    sums.move_net_worth(db, user_id, account_ids, -1)
    yield
    sums.move_net_worth(db, user_id, account_ids, 1)  # as the undo has left them
    _update_helpers(db, user_id, account_ids, undoing.now)
    renaming.rename(db, user_id, "accounts", renaming.find_renamed(db, user_id, "accounts", names), undoing.now)


def _book_opening(db: Unit, user_id: int, account_id: int, draft: AccountDraft, opening: Opening, now: str) -> None:
    helper_id = ensure_helper(db, user_id, account_id, Kind.INITIAL_BALANCE, draft.name, draft.currency, now)
    entry = _opening_entry(account_id, helper_id, draft, opening)
    entry_id = transactions.find_opening(db, user_id, account_id)
    if entry_id:
        record.rewrite(db, user_id, entry_id, entry, now, amount_field=_amount_field(draft))
    else:
        record.record(db, user_id, entry, now, amount_field=_amount_field(draft))


def ensure_helper(db: Unit, user_id: int, account_id: int, kind: Kind, name: str, currency: Currency, now: str) -> int:
    """Returns the id of the helper account of this kind, and adds the helper if it is missing.

    `name` and `currency` are those of the account that it helps.
    """
    draft = AccountDraft(
        kind=kind,
        name=helper_name(kind, name),
        active=True,
        include_net_worth=False,
        currency=currency,
        helps_id=account_id,
    )
    return store.helper_of(db, user_id, account_id, kind) or store.add(db, user_id, draft, now)


def _opening_entry(account_id: int, helper_id: int, draft: AccountDraft, opening: Opening) -> Entry:
    account, helper = Party(account_id, draft.currency), Party(helper_id, draft.currency)
    source, destination = (helper, account) if opening.units > 0 else (account, helper)
    return Entry(
        type=Type.OPENING_BALANCE,
        on=opening.on,
        description=f"Initial balance of {draft.name}",
        splits=(Split(source, destination, Money(abs(opening.units), draft.currency)),),
        opening_account_id=account_id,
    )


def _amount_field(draft: AccountDraft) -> str:
    return "liability_amount" if draft.kind in LIABILITIES else "opening_balance"


def _update_helpers(db: Unit, user_id: int, account_ids: list[int], now: str) -> None:
    """Sets the name and the currency of each helper account to those of its account."""
    sql = """
        SELECT h.id, h.kind, h.name, h.currency_id, a.name, a.currency_id FROM accounts h
        JOIN accounts a ON a.user_id = h.user_id AND a.id = h.helps_id
        WHERE h.user_id = :user_id AND h.helps_id IN :account_ids ORDER BY h.id
    """
    rows = db.all(sql, user_id=user_id, account_ids=account_ids)
    following = {
        helper_id: {"name": new_name, "name_fold": fold(new_name), "currency_id": currency_id}
        for helper_id, kind, name, helper_currency_id, account_name, currency_id in rows
        if (new_name := helper_name(Kind(kind), account_name), currency_id) != (name, helper_currency_id)
    }
    changes.update_each(db, "accounts", user_id, following, now=now)
