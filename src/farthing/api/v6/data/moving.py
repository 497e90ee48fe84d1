"""Moves all transactions of one account to another."""

import msgspec
from msgspec import Struct

from farthing.books.accounts import store as accounts
from farthing.books.accounts.model import Account
from farthing.books.lifecycle import accounts as lifecycle
from farthing.http.request.call import NOTHING, Answer, Call
from farthing.http.route import LARGE, Gate, Parameter, Route
from farthing.kernel.errors import Invalid, refuse_field
from farthing.kernel.text import parse_id

_FORM = 'The query must be JSON such as {"where": {"account_id": 1}, "update": {"account_id": 2}}.'


class _Side(Struct, forbid_unknown_fields=True):
    account_id: int | str


class _Move(Struct, forbid_unknown_fields=True):
    where: _Side
    update: _Side


def move(call: Call) -> Answer:
    try:
        sent = msgspec.json.decode(call.query.get("query", ""), type=_Move)
    except (msgspec.DecodeError, UnicodeError):
        refuse_field("query", _FORM)
    account, into = (_find(call, side) for side in (sent.where, sent.update))
    lifecycle.move_transactions(call.db, call.user_id, account, into, field="query")
    return NOTHING


def _find(call: Call, side: _Side) -> Account:
    account_id = parse_id(str(side.account_id))
    account = accounts.get(call.db, call.user_id, account_id) if account_id is not None else None
    if account is None:
        refuse_field("query", "The selected account id is invalid: there is no such account.")
    return account


ROUTES = (
    Route(
        "POST", "/data/bulk/transactions", move, "Move all transactions of an account to another",
        parameters=(Parameter("query", {"type": "string"}, f"The two accounts. {_FORM}", required=True),),
        gate=Gate.WHOLE, runs=LARGE, fails=(Invalid,),
    ),
)  # fmt: skip
