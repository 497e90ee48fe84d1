"""What can be done with piggy banks over HTTP?"""

from collections.abc import Sequence
from typing import Any

from ..accounts import store as accounts
from ..accounts.listing import things as account_things
from ..accounts.model import Account
from ..errors import Problem, refuse
from ..fields import parse
from ..http.call import NOTHING, Answer, Call, found
from ..http.document import Item, Page
from ..http.includes import Include, Related, include, registry
from ..http.pages import asked, page
from ..http.relatives import USER
from ..http.route import PAGED, Route
from ..ledger.kinds import ASSETS
from ..money import as_text
from . import events, move, release, store, wire
from .listing import EventThing, PiggyBankThing, event_things, things
from .model import Draft, PiggyBank


def index(call: Call) -> Answer:
    at = asked(call)
    total, piggy_banks = store.page(call.db, call.user_id, limit=at.size, offset=at.offset)
    document = page(call, "/piggy_banks", things(call, piggy_banks), total)
    include(call, document, piggy_banks, INCLUDES)
    return Answer(document)


def show(call: Call) -> Answer:
    return _answer(call, call.id)


def create(call: Call) -> Answer:
    draft = _draft(call, None)
    piggy_bank_id = store.add(call.db, call.user_id, draft, call.now)
    units = draft.current_units or 0
    if units:
        store.fill(call.db, call.user_id, {piggy_bank_id: units}, call.now)
    move.by_hand(call.db, call.user_id, piggy_bank_id, units, call.today, call.now)
    if draft.order:
        store.place(call.db, call.user_id, piggy_bank_id, draft.order)
    return _answer(call, piggy_bank_id)


def change(call: Call) -> Answer:
    kept = found(store.get(call.db, call.user_id, call.id))
    draft = _draft(call, kept)
    units = kept.current_units if draft.current_units is None else draft.current_units
    if draft.account_id != kept.account_id:
        release.leave_account(call.db, call.user_id, kept.id, draft.account_id)
    store.change(call.db, call.user_id, kept.id, draft, units, call.now)
    move.by_hand(call.db, call.user_id, kept.id, units - kept.current_units, call.today, call.now)
    if draft.order:
        store.place(call.db, call.user_id, kept.id, draft.order)
    return _answer(call, kept.id)


def remove(call: Call) -> Answer:
    kept = found(store.get(call.db, call.user_id, call.id))
    release.remove(call.db, call.user_id, [kept.id])
    return NOTHING


def moved(call: Call) -> Answer:
    kept = found(store.get(call.db, call.user_id, call.id))
    at = asked(call)
    total, shown = events.page(call.db, call.user_id, kept.id, limit=at.size, offset=at.offset)
    return Answer(page(call, f"/piggy_banks/{kept.id}/events", event_things(call, shown), total))


def _draft(call: Call, kept: PiggyBank | None) -> Draft:
    """Parse, rules between fields, rules that need the database: everything wrong is said at once."""
    parsed = parse(wire.PiggyBankBody, call.fields)
    problems = [*parsed.problems, *wire.problems(parsed)]
    if parsed.values.name and store.name_taken(
        call.db, call.user_id, parsed.values.name, except_id=kept.id if kept else 0
    ):
        problems.append(Problem("name", "The name has already been taken by another of your piggy banks."))
    account = _account(call, parsed.values.account_id, kept, problems)
    draft = wire.draft(parsed, account.currency if account else None, kept, problems)
    if account and draft:
        problems += _too_much(call, account, draft, kept)
    refuse(problems)
    assert draft is not None, "without problems there is a draft"
    return draft


def _account(call: Call, account_id: int | None, kept: PiggyBank | None, problems: list[Problem]) -> Account | None:
    account = accounts.get(call.db, call.user_id, account_id) if account_id else None
    reason = None
    if account is None or account.kind not in ASSETS:
        reason = "it must be an asset account of yours" if account_id else None
    elif kept and account.currency != kept.currency:
        reason = f"it must be an account in {kept.currency.code}, as the one before"
    if reason:
        problems.append(Problem("account_id", f"The selected account id is invalid: {reason}."))
        return None
    return account


def _too_much(call: Call, account: Account, draft: Draft, kept: PiggyBank | None) -> list[Problem]:
    """Nobody can set aside more than there is. Only who puts money in is asked: what was set aside before stays."""
    before = kept.current_units if kept and kept.account_id == account.id else 0
    wanted = draft.current_units if draft.current_units is not None else kept.current_units if kept else 0
    if wanted <= before:
        return []
    later = accounts.booked_after(call.db, call.user_id, [account.id], call.today)[account.id]
    elsewhere = store.set_aside(call.db, call.user_id, account.id, except_id=kept.id if kept else 0)
    free = max(0, account.total_units - later - elsewhere)
    if wanted <= free:
        return []
    amount = f"{as_text(free, account.currency.places)} {account.currency.code}"
    field = "current_amount" if draft.current_units is not None else "account_id"
    return [Problem(field, f"The account “{account.name}” holds only {amount} that is not set aside already.")]


def _answer(call: Call, piggy_bank_id: int) -> Answer:
    one = found(store.get(call.db, call.user_id, piggy_bank_id))
    document = Item(things(call, [one])[0])
    include(call, document, [one], INCLUDES)
    return Answer(document)


def _accounts(call: Call, piggy_banks: Sequence[PiggyBank]) -> list[Related]:
    kept = accounts.some(call.db, call.user_id, {one.account_id for one in piggy_banks})
    shown = {int(one.id): one for one in account_things(call, kept, call.today)}
    return [shown[one.account_id] for one in piggy_banks]


def _events(call: Call, piggy_banks: Sequence[PiggyBank]) -> list[Related]:
    """The newest of each, as many as a page has."""
    ids = [one.id for one in piggy_banks]
    newest = events.of_piggy_banks(call.db, call.user_id, ids, limit=call.caller.page_size)
    return [
        list(event_things(call, (one for one in newest if one.piggy_bank_id == piggy_bank_id))) for piggy_bank_id in ids
    ]


INCLUDES = registry(USER, Include("account", _accounts), Include("piggy_bank_events", _events))
_ONE: Any = Item[PiggyBankThing]

ROUTES = (
    Route(
        "GET", "/piggy_banks", index, "List piggy banks, in your order",
        gives=Page[PiggyBankThing], parameters=PAGED, includes=INCLUDES,
    ),
    Route(
        "POST", "/piggy_banks", create, "Make a piggy bank",
        gives=_ONE, takes=wire.PiggyBankBody, requires=wire.REQUIRED, includes=INCLUDES,
    ),
    Route("GET", "/piggy_banks/{id}", show, "Show a piggy bank", gives=_ONE, includes=INCLUDES),
    Route(
        "PUT", "/piggy_banks/{id}", change, "Change a piggy bank, or put money in and take it out by hand",
        gives=_ONE, takes=wire.PiggyBankBody, requires=wire.REQUIRED, includes=INCLUDES,
    ),
    Route(
        "DELETE", "/piggy_banks/{id}", remove, "Delete a piggy bank; its money and its transfers stay",
        heavy=True,
    ),
    Route(
        "GET", "/piggy_banks/{id}/events", moved, "List what moved in and out of a piggy bank, the newest first",
        gives=Page[EventThing], parameters=PAGED,
    ),
)  # fmt: skip
