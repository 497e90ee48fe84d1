"""Serves the addresses in chats and push services to which the caller's notices go."""

from typing import Annotated

from msgspec import Struct

from farthing.books.preferences.notices import Channel
from farthing.http.answer.document import All, Item, Thing
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import Before, Gate, Route, Runs
from farthing.identity.signing_in import attempts
from farthing.kernel.errors import Conflict, TooMany, refuse_field
from farthing.kernel.fields import Name, RequestBody, described, parse_complete, text
from farthing.kernel.network import chat
from farthing.kernel.network.outgoing import URL_CHARACTERS_MAX
from farthing.kernel.parsed import ensure
from farthing.kernel.shown import Instant
from farthing.overviews.notices import addresses, search
from farthing.overviews.notices.addresses import ADDRESSES_MAX, Address

from ..resources.lists import things_without_uri


class AddressBody(RequestBody):
    title: Name | None = described("A name for the address. If omitted, the name of its service is used.")
    url: Annotated[str, text(URL_CHARACTERS_MAX)] | None = described(
        "The address as [Apprise](https://github.com/caronc/apprise/wiki) writes it, such as `ntfys://…`. It is a "
        "secret, so only its service is shown."
    )


class AddressAttributes(Struct, gc=False):
    """Shows an address without its secrets. `failure` is null if the last message was sent."""

    created_at: Instant
    title: str
    url: str
    sent_at: Instant | None
    failure: str | None


AddressThing = Thing[AddressAttributes]


class _Question(Struct, frozen=True):
    url: str
    allow_private: bool


def list_addresses(call: Call) -> Answer:
    return Answer(All(_things(call, addresses.list_all(call.db, call.user_id))))


def ask_address(call: Call) -> _Question:
    _refuse_uninstalled()
    body = parse_complete(AddressBody, call.fields, "url")
    attempts.count_letter(call.db, call.caller.user.id, call.now)
    return _Question(url=ensure(body.url), allow_private=call.settings.outgoing_private)


def check_address(question: _Question) -> str | None:
    return chat.check(question.url, allow_private=question.allow_private)


def add_address(call: Call) -> Answer:
    if call.prepared:
        refuse_field("url", str(call.prepared))
    if len(addresses.list_all(call.db, call.user_id)) >= ADDRESSES_MAX:
        raise Conflict(f"You already have {ADDRESSES_MAX} addresses, the maximum. Delete one first.")
    body = parse_complete(AddressBody, call.fields, "url")
    url = ensure(body.url)
    title = body.title or url.partition(":")[0]
    return Answer(Item(_things(call, [addresses.add(call.db, call.user_id, title=title, url=url, now=call.now)])[0]))


def remove_address(call: Call) -> Answer:
    address = or_404(addresses.get(call.db, call.user_id, call.id))
    addresses.remove(call.db, call.user_id, address.id)
    return NOTHING


def send_test_chat(call: Call) -> Answer:
    """Plans a message to all addresses of the caller, which the job process sends. Only a few are allowed."""
    _refuse_uninstalled()
    if not addresses.has_any(call.db, call.user_id):
        raise Conflict("You have no address in a chat or push service. Add one first.")
    attempts.count_letter(call.db, call.caller.user.id, call.now)
    search.plan_test(call.db, call.user_id, Channel.CHAT, call.now)
    return NOTHING


def _refuse_uninstalled() -> None:
    if not chat.is_installed():
        raise Conflict(chat.NOT_INSTALLED)


def _show(call: Call, address: Address) -> AddressAttributes:
    return AddressAttributes(
        created_at=address.created_at,
        title=address.title,
        url=address.masked,
        sent_at=address.sent_at,
        failure=address.failure and call.say(address.failure),
    )


_things = things_without_uri("notice_addresses", _show)
ROUTES = (
    Route(
        "GET", "/notices/addresses", list_addresses, "List the chats and push services to which your notices go",
        gives=All[AddressThing], gate=Gate.IDENTITY,
    ),
    Route(
        "POST", "/notices/addresses", add_address, "Add an address in a chat or push service",
        gives=Item[AddressThing], takes=AddressBody, requires=("url",), gate=Gate.IDENTITY,
        runs=Runs(before=Before(ask=ask_address, compute=check_address, waits=True)), fails=(Conflict, TooMany),
    ),
    Route(
        "POST", "/notices/addresses/test", send_test_chat, "Send a test message to all your addresses",
        gate=Gate.IDENTITY, fails=(Conflict, TooMany),
    ),
    Route("DELETE", "/notices/addresses/{id}", remove_address, "Delete an address", gate=Gate.IDENTITY),
)  # fmt: skip
