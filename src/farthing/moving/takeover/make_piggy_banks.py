"""Creates empty piggy banks, and fills them after the transfers that filled some of them are booked."""

from collections.abc import Mapping

from msgspec.structs import replace

from farthing.books.accounts import store as accounts
from farthing.books.piggy_banks import events, store
from farthing.books.piggy_banks.events import EventDraft
from farthing.books.piggy_banks.model import NO_TARGET, PiggyBank, PiggyBankDraft, Pot
from farthing.kernel.text import fold, in_one_line
from farthing.storage.unit import Unit

from ..findings import Finding
from ..rows import made_objects
from ..source_books import SourceBooks, SourcePiggyBank
from .fitting import Unfitting, as_notes, round_to_units
from .make_objects import Made, ObjectMaker, TakeoverContext


def _make(context: TakeoverContext, bank: SourcePiggyBank) -> Made:
    db, user_id, name = context.db, context.user_id, in_one_line(bank.name)
    for existing in store.find_named(db, user_id, [], [fold(name)]):
        return Made(existing.id, is_made=False)
    ids = [account_id for share in bank.shares if (account_id := context.find("accounts", share.account))]
    found = filter(None, (accounts.get(db, user_id, account_id) for account_id in ids))
    first = next(found, None)
    if first is None:
        raise Unfitting("its account is missing.")
    others = [account for account in found if account.currency == first.currency]
    if 1 + len(others) < len(bank.shares):
        context.remark(f"The piggy bank “{name[:80]}” only has the accounts in {first.currency.code}.")
    target = context.units(bank.target, first.currency, name)
    draft = PiggyBankDraft(
        name=name,
        shares=dict.fromkeys([first.id, *(account.id for account in others)], 0),
        target_units=target if target > 0 else NO_TARGET,
        start_on=bank.start_on,
        target_on=bank.target_on,
        notes=as_notes(bank.notes),
        order=None,
        object_group_id=context.find_group(bank.group),
    )
    return Made(store.add(db, user_id, draft, context.now), is_made=True)


def add_events(db: Unit, user_id: int, job_id: int, books: SourceBooks, now: str) -> list[Finding]:
    """Adds the events that were entered by hand to new piggy banks. If the events do not add up to the amount of a
    piggy bank, adds and reports the difference.
    """
    ids, findings = made_objects.load_keyed(db, user_id, job_id, "piggy_banks", is_made=True), []
    account_ids = made_objects.load_keyed(db, user_id, job_id, "accounts")
    for source in books.piggy_banks:
        bank = store.get(db, user_id, ids[source.key]) if source.key in ids else None
        if bank is None:
            continue
        [pot] = store.pots(db, user_id, [bank.id]).values()
        filled = _fill(pot, bank, source, account_ids)
        drafts = _list_by_hand(bank, source)
        on = drafts[-1].on if drafts else now[:10]
        entered = sum(draft.units for draft in drafts)
        if filled.current_units != pot.current_units + entered:
            sentence = f"The events of the piggy bank “{source.name}” do not add up: the difference was added."
            findings.append(Finding(message=sentence))
            on = now[:10]
        for share, before in zip(filled.shares, pot.shares, strict=True):
            is_first = not share.share_id
            units = share.units - before.units - (entered if is_first else 0)
            account_id = None if is_first else share.account_id
            drafts.append(EventDraft(piggy_bank_id=bank.id, entry_id=None, units=units, on=on, account_id=account_id))
        events.add(db, user_id, [draft for draft in drafts if draft.units], now)
        store.fill(db, user_id, [filled], now)
    return findings


def _fill(pot: Pot, bank: PiggyBank, source: SourcePiggyBank, account_ids: Mapping[str, int]) -> Pot:
    """Returns the piggy bank with the amounts of the source. What no other account holds is in the first one.

    It holds at least nothing, and at most its target.
    """
    units = {
        account_ids[share.account]: round_to_units(share.current, bank.currency)[0]
        for share in source.shares
        if share.account in account_ids
    }
    current = min(max(round_to_units(source.current, bank.currency)[0], 0), pot.target_units)
    if sum(units.values()) > current or min(units.values(), default=0) < 0:  # the source contradicts itself
        units = {}
    rest = [replace(share, units=units.get(share.account_id, 0)) for share in pot.shares[1:]]
    first = current - sum(share.units for share in rest)
    return replace(pot, shares=(replace(pot.shares[0], units=first), *rest))


def _list_by_hand(bank: PiggyBank, source: SourcePiggyBank) -> list[EventDraft]:
    return [
        EventDraft(
            piggy_bank_id=bank.id,
            entry_id=None,
            units=round_to_units(event.amount, bank.currency)[0],
            on=event.on.isoformat(),
        )
        for event in source.events
        if event.transaction is None
    ]


MAKERS: dict[str, ObjectMaker] = {"piggy_banks": _make}
