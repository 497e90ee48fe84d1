"""Serves piggy banks."""

from collections.abc import Sequence
from typing import Any

from farthing.books.accounts import store as accounts
from farthing.books.accounts.model import Account
from farthing.books.lifecycle import piggy_banks as lifecycle
from farthing.books.piggy_banks import events, store
from farthing.books.piggy_banks.model import PiggyBank, PiggyBankDraft
from farthing.http.answer.document import Item, Page
from farthing.http.answer.includes import Include, Related, answer, registry
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import LARGE, PAGED, Route
from farthing.kernel.errors import refuse
from farthing.kernel.fields import parse
from farthing.kernel.parsed import Parsed, ensure

from ..objects.accounts import things as account_things
from ..objects.piggy_banks import EventThing, PiggyBankThing, event_things, things
from ..objects.users import USER
from . import wire


def index(call: Call) -> Answer:
    at = read_page_request(call)
    total, piggy_banks = store.page(call.db, call.user_id, limit=at.size, offset=at.offset)
    document = page(call, "/piggy_banks", things(call, piggy_banks), total)
    return answer(call, document, piggy_banks, INCLUDES)


def show(call: Call) -> Answer:
    return _answer(call, call.id)


def create(call: Call) -> Answer:
    draft = _draft(call, None)
    return _answer(call, lifecycle.add(call.db, call.user_id, draft, call.today, call.now))


def change(call: Call) -> Answer:
    piggy_bank = or_404(store.get(call.db, call.user_id, call.id))
    lifecycle.change(call.db, call.user_id, piggy_bank, _draft(call, piggy_bank), call.today, call.now)
    return _answer(call, piggy_bank.id)


def remove(call: Call) -> Answer:
    piggy_bank = or_404(store.get(call.db, call.user_id, call.id))
    lifecycle.remove(call.db, call.user_id, [piggy_bank.id])
    return NOTHING


def moved(call: Call) -> Answer:
    piggy_bank = or_404(store.get(call.db, call.user_id, call.id))
    at = read_page_request(call)
    total, listed = events.page(call.db, call.user_id, piggy_bank.id, limit=at.size, offset=at.offset)
    return Answer(page(call, f"/piggy_banks/{piggy_bank.id}/events", event_things(call, listed), total))


def _draft(call: Call, piggy_bank: PiggyBank | None) -> PiggyBankDraft:
    """Parses the body, then checks rules between fields and against the database; reports everything at once."""
    parsed = parse(wire.PiggyBankBody, call.fields)
    wire.check(parsed)
    name, kept_id = parsed.values.name, piggy_bank.id if piggy_bank else 0
    parsed.report_all(lifecycle.taken_problems(call.db, call.user_id, name, except_id=kept_id))
    account = _find_account(call, parsed, piggy_bank)
    draft = wire.draft(parsed, account.currency if account else None, piggy_bank)
    refuse(lifecycle.too_much_problems(call.db, call.user_id, ensure(account), draft, piggy_bank, call.today))
    return draft


def _find_account(call: Call, parsed: Parsed[wire.PiggyBankBody], piggy_bank: PiggyBank | None) -> Account | None:
    account_id = parsed.values.account_id
    if not account_id:
        return None
    account = accounts.get(call.db, call.user_id, account_id)
    problems = lifecycle.account_problems(account, piggy_bank)
    parsed.report_all(problems)
    return None if problems else account


def _answer(call: Call, piggy_bank_id: int) -> Answer:
    piggy_bank = or_404(store.get(call.db, call.user_id, piggy_bank_id))
    return answer(call, Item(things(call, [piggy_bank])[0]), [piggy_bank], INCLUDES)


def _accounts(call: Call, piggy_banks: Sequence[PiggyBank]) -> list[Related]:
    owners = accounts.get_some(call.db, call.user_id, {piggy_bank.account_id for piggy_bank in piggy_banks})
    things_by_id = {int(account.id): account for account in account_things(call, owners, call.today)}
    return [things_by_id[piggy_bank.account_id] for piggy_bank in piggy_banks]


def _events(call: Call, piggy_banks: Sequence[PiggyBank]) -> list[Related]:
    """The newest events of each, up to a page."""
    ids = [piggy_bank.id for piggy_bank in piggy_banks]
    newest = events.of_piggy_banks(call.db, call.user_id, ids, limit=call.caller.page_size)
    return [
        list(event_things(call, (event for event in newest if event.piggy_bank_id == piggy_bank_id)))
        for piggy_bank_id in ids
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
        runs=LARGE,
    ),
    Route(
        "GET", "/piggy_banks/{id}/events", moved, "List what moved in and out of a piggy bank, the newest first",
        gives=Page[EventThing], parameters=PAGED,
    ),
)  # fmt: skip
