"""How does an account begin, change and end? Its opening balance and its helpers follow it."""

from ..errors import refuse_field
from ..ledger.entry import Entry, Party, Split
from ..ledger.kinds import LIABILITIES, Kind, Type
from ..money import Currency, Money
from ..piggy_banks import release as piggy_banks
from ..recurrences import store as recurrences
from ..rules import store as rules
from ..storage.unit import Unit
from ..transactions import record
from ..transactions import store as transactions
from ..transactions.model import OWN
from . import store
from .model import Account, Draft, Opening, helper_name


def open_account(db: Unit, user_id: int, draft: Draft, now: str) -> int:
    account_id = store.add(db, user_id, draft, now)
    if draft.opening:
        _book_opening(db, user_id, account_id, draft, draft.opening, now)
    return account_id


def change_account(db: Unit, user_id: int, account: Account, draft: Draft, now: str) -> None:
    """What the draft leaves out is blanked; an opening balance that is left out is taken away."""
    store.change(db, user_id, account.id, draft, now)
    if (account.name, account.currency) != (draft.name, draft.currency):
        _lead_helpers(db, user_id, account.id, draft, now)
    if account.name != draft.name and account.kind in OWN:
        _lead_rules(db, user_id, account, draft.name, now)
    if account.currency != draft.currency:
        record.rebook(db, user_id, account.id, draft.currency.id, amount_field="currency_id")
    if draft.opening:
        _book_opening(db, user_id, account.id, draft, draft.opening, now)
    elif entry_id := transactions.opening_of(db, user_id, account.id):
        record.erase(db, user_id, [entry_id], amount_field=_amount_field(draft))


def _lead_helpers(db: Unit, user_id: int, account_id: int, draft: Draft, now: str) -> None:
    """A helper is named after its account, and reckons in its currency."""
    for kind in (Kind.INITIAL_BALANCE, Kind.RECONCILIATION):
        helper_id = store.helper_of(db, user_id, account_id, kind)
        if helper_id:
            store.follow(db, user_id, helper_id, helper_name(kind, draft.name), draft.currency, now)


def _lead_rules(db: Unit, user_id: int, account: Account, name: str, now: str) -> None:
    """Rules that name one's own account follow it, unless another has that name, too: then it may be that one."""
    if not store.name_taken(db, user_id, account.name, except_id=account.id):
        rules.rename(db, user_id, "accounts", account.name, name, now)


def close_account(db: Unit, user_id: int, account: Account, now: str) -> None:
    """Its piggy banks and every transaction that touches it go too, and the other accounts' balances follow."""
    if account.kind == Kind.CASH:
        refuse_field("id", "The cash account cannot be deleted: every user has one.")
    account_ids = [*store.helpers_of(db, user_id, account.id), account.id]
    entry_ids = {entry_id for one in account_ids for entry_id in transactions.touching(db, user_id, one)}
    recurrence_ids = recurrences.using(db, user_id, account_ids)
    if recurrence_ids:
        recurrences.remove(db, user_id, recurrence_ids, now)
    piggy_banks.remove_of_account(db, user_id, account.id)
    record.erase(db, user_id, sorted(entry_ids))
    store.remove(db, user_id, account_ids)


def _book_opening(db: Unit, user_id: int, account_id: int, draft: Draft, opening: Opening, now: str) -> None:
    helper_id = helper(db, user_id, account_id, Kind.INITIAL_BALANCE, draft.name, draft.currency, now)
    entry = _opening_entry(account_id, helper_id, draft, opening)
    kept_id = transactions.opening_of(db, user_id, account_id)
    if kept_id:
        record.rewrite(db, user_id, kept_id, entry, now, amount_field=_amount_field(draft))
    else:
        record.record(db, user_id, entry, now, amount_field=_amount_field(draft))


def helper(db: Unit, user_id: int, account_id: int, kind: Kind, name: str, currency: Currency, now: str) -> int:
    """The account's own helper of this kind, made when it is first needed; `name` and `currency` are the account's."""
    draft = Draft(
        kind=kind,
        name=helper_name(kind, name),
        active=True,
        include_net_worth=False,
        currency=currency,
        helps_id=account_id,
    )
    return store.helper_of(db, user_id, account_id, kind) or store.add(db, user_id, draft, now)


def _opening_entry(account_id: int, helper_id: int, draft: Draft, opening: Opening) -> Entry:
    """Both sides in the account's currency."""
    account, helper = Party(account_id, draft.currency), Party(helper_id, draft.currency)
    source, destination = (helper, account) if opening.units > 0 else (account, helper)
    return Entry(
        type=Type.OPENING_BALANCE,
        on=opening.on,
        description=f"Initial balance of {draft.name}",
        splits=(Split(source, destination, Money(abs(opening.units), draft.currency)),),
        opening_account_id=account_id,
    )


def _amount_field(draft: Draft) -> str:
    return "liability_amount" if draft.kind in LIABILITIES else "opening_balance"
