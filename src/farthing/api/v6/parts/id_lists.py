"""Reads lists of ids in the query, such as `accounts[]`."""

from farthing.books.accounts import store as accounts
from farthing.books.accounts.model import Account
from farthing.http.request.call import Call
from farthing.http.route import Parameter
from farthing.kernel.errors import refuse_field

IDS_MAX = 1000


def describe_ids(name: str, about: str) -> Parameter:
    return Parameter(f"{name}[]", {"type": "array", "items": {"type": "integer"}, "maxItems": IDS_MAX}, about)


def read_ids(call: Call, name: str) -> list[int]:
    return call.ids(name, most=IDS_MAX)


def read_accounts(call: Call) -> list[Account]:
    """Reads `accounts[]`, and refuses accounts that do not exist."""
    account_ids = read_ids(call, "accounts")
    found = accounts.get_some(call.db, call.user_id, account_ids) if account_ids else []
    if gone := sorted(set(account_ids) - {account.id for account in found}):
        refuse_field("accounts", f"The selected accounts are invalid: there is no account {', '.join(map(str, gone))}.")
    return sorted(found, key=lambda account: account_ids.index(account.id))
