"""Serves piggy banks."""

from collections.abc import Sequence
from typing import Annotated

from farthing.books.accounts import store as accounts
from farthing.books.attachments.model import Model
from farthing.books.currencies.choose import read_units
from farthing.books.lifecycle import object_groups
from farthing.books.lifecycle.saving import bank_accounts
from farthing.books.lifecycle.saving import piggy_banks as lifecycle
from farthing.books.lifecycle.saving.bank_accounts import SentAccount
from farthing.books.piggy_banks import events, store
from farthing.books.piggy_banks.model import PiggyBank, PiggyBankDraft, Share
from farthing.http.answer.includes import Include, Related, registry
from farthing.http.request.call import Answer, Call
from farthing.http.resources.lists import answer_page
from farthing.http.route import LARGE
from farthing.kernel.errors import refuse
from farthing.kernel.fields import Amount, Day, Id, Name, Notes, PositiveAmount, RequestBody, described, parse, whole
from farthing.kernel.parsed import Parsed, ensure

from ..resources.resource import Resource
from ..serializers import attachments
from ..serializers.accounts import things as account_things
from ..serializers.piggy_banks import EventThing, PiggyBankThing, event_things, things
from ..serializers.users import USER

_REQUIRED = ("name", "target_amount")
ORDER_MAX = 1_000_000


class PiggyBankAccountBody(RequestBody):
    account_id: Id | None = described("An asset account. All accounts of a piggy bank have the same currency.")
    current_amount: Amount | None = described("What this account holds of it. If omitted, the amount is kept.")


class PiggyBankBody(RequestBody):
    name: Name | None = None
    account_id: Id | None = described(
        "The asset account that holds the money, or the first one. May be omitted if `accounts` is sent."
    )
    accounts: list[PiggyBankAccountBody] | None = described(
        "All accounts that hold the money. If omitted, a piggy bank keeps its accounts besides the first one."
    )
    target_amount: PositiveAmount | None = described("In the currency of the account.")
    current_amount: Amount | None = described(
        "Must be between zero and the target, and no more than the account holds. If omitted, the amount is kept."
        " With several accounts, money is added to the first one and taken from them in their order."
    )
    start_date: Day | None = None
    target_date: Day | None = described("Must be after the start date.")
    notes: Notes | None = None
    order: Annotated[int, whole(minimum=1, maximum=ORDER_MAX)] | None = described(
        "The position in your list, starting at 1. Piggy banks from this position on move down."
    )
    object_group_id: Id | None = described("The group of the piggy bank. If omitted, the group stays.")
    object_group_title: Name | None = described(
        "The title of the group, if `object_group_id` is omitted. A group that does not exist is created."
    )


def _check(parsed: Parsed[PiggyBankBody]) -> None:
    """Checks the rules that the types of the fields do not cover. A violated rule does not stop the other checks."""
    values = parsed.values
    parsed.require(*_REQUIRED)
    if values.start_date and values.target_date and values.target_date <= values.start_date:
        parsed.report("target_date", "The target date must be a date after start date.")


def moved(call: Call) -> Answer:
    piggy_bank_id = PIGGY_BANKS.find(call).id
    path = f"/piggy_banks/{piggy_bank_id}/events"
    return answer_page(
        call, path, lambda db, user_id, **at: events.page(db, user_id, piggy_bank_id, **at), event_things
    )


def _draft(call: Call, piggy_bank: PiggyBank | None) -> PiggyBankDraft:
    """Reads the body, and reports all problems at once, including conflicts between fields and with stored data."""
    parsed = parse(PiggyBankBody, call.fields)
    _check(parsed)
    values, piggy_bank_id = parsed.values, piggy_bank.id if piggy_bank else 0
    parsed.report_all(lifecycle.taken_problems(call.db, call.user_id, values.name, except_id=piggy_bank_id))
    stored = store.load_shares(call.db, call.user_id, [piggy_bank_id])[piggy_bank_id]
    sent = bank_accounts.read(call.db, call.user_id, parsed, _list_sent(parsed, stored), piggy_bank)
    stored_group_id = piggy_bank.object_group_id if piggy_bank else None
    group_id = object_groups.choose(call.db, call.user_id, parsed, stored_group_id, call.now)
    target = read_units(parsed, "target_amount", sent.currency)
    shares = bank_accounts.divide_total(parsed, sent, target, stored)
    parsed.finish()
    refuse(
        bank_accounts.too_much_problems(call.db, call.user_id, parsed, sent, shares, stored, piggy_bank_id, call.today)
    )
    return PiggyBankDraft(
        name=ensure(values.name),
        shares=shares,
        target_units=ensure(target),
        start_on=values.start_date,
        target_on=values.target_date,
        notes=values.notes,
        order=values.order,
        object_group_id=group_id,
    )


def _list_sent(parsed: Parsed[PiggyBankBody], stored: Sequence[Share]) -> list[SentAccount]:
    """Lists the accounts in the body: those in `accounts`, or `account_id` and the further accounts that are stored."""
    values, listed = parsed.values, parsed.each("accounts", parsed.values.accounts)
    sent = []
    for body in listed:
        body.require("account_id")
        if body.values.account_id:
            sent.append(SentAccount(body.values.account_id, body.key("account_id"), body))
    if not listed and not parsed.wrong("accounts"):
        parsed.require("account_id")
    if not listed and values.account_id:
        return bank_accounts.list_stored(stored, first=SentAccount(values.account_id, "account_id"))
    if sent and values.account_id not in (None, sent[0].id):
        parsed.report("account_id", "The account id must be that of the first of the accounts.")
    return sent


def _accounts(call: Call, piggy_banks: Sequence[PiggyBank]) -> list[Related]:
    owners = accounts.get_some(call.db, call.user_id, {piggy_bank.account_id for piggy_bank in piggy_banks})
    things_by_id = {int(account.id): account for account in account_things(call, owners, call.today)}
    return [things_by_id[piggy_bank.account_id] for piggy_bank in piggy_banks]


def _events(call: Call, piggy_banks: Sequence[PiggyBank]) -> list[Related]:
    """Includes the newest events of each piggy bank, at most one page of them."""
    ids = [piggy_bank.id for piggy_bank in piggy_banks]
    newest = events.of_piggy_banks(call.db, call.user_id, ids, limit=call.caller.page_size)
    return [
        list(event_things(call, (event for event in newest if event.piggy_bank_id == piggy_bank_id)))
        for piggy_bank_id in ids
    ]


PIGGY_BANKS = Resource(
    path="/piggy_banks",
    shows=PiggyBankThing,
    things=things,
    get=store.get,
    page=store.page,
    draft=_draft,
    add=lambda call, draft: lifecycle.add(call.db, call.user_id, draft, call.today, call.now),
    update=lambda call, bank, draft: lifecycle.change(call.db, call.user_id, bank, draft, call.today, call.now),
    delete=lambda call, piggy_bank: lifecycle.remove(call.db, call.user_id, [piggy_bank.id]),
    takes=PiggyBankBody,
    requires=("account_id", *_REQUIRED),
    includes=registry(USER, Include("account", _accounts), Include("piggy_bank_events", _events)),
)

ROUTES = (
    PIGGY_BANKS.index("List piggy banks, in your order"),
    PIGGY_BANKS.create("Create a piggy bank"),
    PIGGY_BANKS.show("Show a piggy bank"),
    attachments.list_route(PIGGY_BANKS, Model.PIGGY_BANK, "List the attachments of a piggy bank"),
    PIGGY_BANKS.arrange(store.put_in_order, "Put piggy banks into an order"),
    PIGGY_BANKS.change("Change a piggy bank, or add and remove money by hand"),
    PIGGY_BANKS.remove("Delete a piggy bank; its money and its transfers stay", runs=LARGE),
    PIGGY_BANKS.listing("events", moved, "List what was moved into and out of a piggy bank, newest first", EventThing),
)
