"""Serves the caller's notices, and the settings that decide when there is one and where it goes."""

from collections.abc import Sequence

from msgspec import structs

from farthing.books.accounts import store as accounts
from farthing.books.preferences.notices import Channel, NoticeSettings
from farthing.http.answer.document import Item, Page, Thing
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.resources.lists import answer_page
from farthing.http.route import FLAG_SCHEMA, PAGED, Gate, Parameter, Route
from farthing.identity import users
from farthing.identity.signing_in import attempts
from farthing.kernel.errors import Conflict, NotFound, TooMany
from farthing.kernel.fields import parse_complete
from farthing.kernel.money import NotRepresentable, to_units
from farthing.kernel.network import chat
from farthing.kernel.parsed import Parsed
from farthing.ledger.kinds import ASSETS, LIABILITIES
from farthing.overviews.notices import deliveries, search, store
from farthing.overviews.notices.model import Notice

from ..resources.lists import make_thing
from . import addresses, push, wire

NoticeThing = Thing[wire.NoticeAttributes]


def index(call: Call) -> Answer:
    unread = call.flag("unread")
    parameters = {"unread": call.query.get("unread", "")}
    return answer_page(call, "/notices", store.page, _things, parameters=parameters, unread=unread)


def count(call: Call) -> Answer:
    return Answer(Item(wire.UnreadShown(store.count_unread(call.db, call.user_id))))


def mark(call: Call) -> Answer:
    notice = or_404(store.get(call.db, call.user_id, call.id))
    is_read = parse_complete(wire.ReadBody, call.fields, "read").read
    store.mark(call.db, call.user_id, notice.id, call.now if is_read else None)
    return Answer(Item(_things(call, [or_404(store.get(call.db, call.user_id, notice.id))])[0]))


def mark_all(call: Call) -> Answer:
    store.mark_all_read(call.db, call.user_id, call.now)
    return count(call)


def show_settings(call: Call) -> Answer:
    return _answer_settings(call, search.load_settings(call.db, call.user_id))


def change_settings(call: Call) -> Answer:
    parsed, settings = wire.read_settings(call.fields, search.load_settings(call.db, call.user_id))
    _check_lines(call, parsed)
    if not chat.is_installed() and any(Channel.CHAT in to for to in (parsed.values.channels or {}).values()):
        parsed.report("channels", chat.NOT_INSTALLED)
    parsed.finish()
    search.save_settings(call.db, call.user_id, settings, call.now)
    return _answer_settings(call, settings)


def _check_lines(call: Call, parsed: Parsed[wire.NoticeSettingsBody]) -> None:
    """Checks that lines belong to the user's own accounts, and that their amounts fit the currency."""
    lines = parsed.each("lines", parsed.values.lines)
    ids = {line.values.account_id for line in lines if line.values.account_id}
    own = {account.id: account for account in accounts.get_some(call.db, call.user_id, ids)} if ids else {}
    for line in lines:
        account, amount = own.get(line.values.account_id or 0), line.values.amount
        if line.values.account_id and (account is None or account.kind not in ASSETS | LIABILITIES):
            line.report("account_id", "The account must be one of your own accounts.")
        elif account and amount is not None:
            try:
                to_units(amount, account.currency)
            except NotRepresentable as error:
                line.report("amount", f"The {line.label('amount')} {error}.")


def _answer_settings(call: Call, settings: NoticeSettings) -> Answer:
    return Answer(
        Item(wire.show_settings(settings, search.find_available(call.settings), is_owner=call.caller.user.is_owner))
    )


def _things(call: Call, notices: Sequence[Notice]) -> list[NoticeThing]:
    return [make_thing(call, "notices", notice.id, wire.show(notice, call.language)) for notice in notices]


def unsubscribe(call: Call) -> Answer:
    """Ends messages of one kind to one place. The secret in the link names its user, who need not sign in."""
    sent = call.query.get("secret", "")
    subscription = or_404(deliveries.find_by_secret(call.db, sent) if 0 < len(sent) <= _SECRET_MAX else None)
    users.take(call.db, subscription.user_id, token_id=None, now=call.now, doing="notices.unsubscribe")
    settings = search.load_settings(call.db, subscription.user_id)
    left = [channel for channel in settings.find_channels(subscription.kind) if channel != subscription.channel]
    after = structs.replace(settings, channels={**settings.channels, subscription.kind: tuple(left)})
    search.save_settings(call.db, subscription.user_id, after, call.now)
    return NOTHING


def send_test(call: Call) -> Answer:
    """Plans a message to the caller, which the job process sends. Only a few are allowed."""
    if Channel.EMAIL not in search.find_available(call.settings):
        raise Conflict("This installation sends no e-mail: FARTHING_MAIL_URL is not set.")
    attempts.count_letter(call.db, call.caller.user.id, call.now)
    search.plan_test(call.db, call.user_id, Channel.EMAIL, call.now)
    return NOTHING


_SECRET_MAX = 100
_SECRET = Parameter("secret", {"type": "string"}, "The secret in the link of the message.", required=True)
_UNREAD = Parameter("unread", FLAG_SCHEMA, "Lists only notices that have not been read.")
_SETTINGS = Item[wire.NoticeSettingsShown]
ROUTES = (
    Route(
        "GET", "/notices", index, "List your notices, newest first",
        gives=Page[NoticeThing], parameters=(_UNREAD, *PAGED), gate=Gate.SELF,
    ),
    Route("PUT", "/notices", mark_all, "Mark all notices as read", gives=Item[wire.UnreadShown], gate=Gate.SELF),
    Route("GET", "/notices/unread", count, "Count unread notices", gives=Item[wire.UnreadShown], gate=Gate.SELF),
    Route(
        "GET", "/notices/settings", show_settings, "Show which notices you get, and where",
        gives=_SETTINGS, gate=Gate.SELF,
    ),
    Route(
        "PUT", "/notices/settings", change_settings, "Choose which notices you get, and where",
        gives=_SETTINGS, takes=wire.NoticeSettingsBody, gate=Gate.SELF,
    ),
    Route(
        "POST", "/notices/unsubscribe", unsubscribe, "End messages of one kind, with the link that is in each of them",
        parameters=(_SECRET,), gate=Gate.OPEN, fails=(NotFound,),
    ),
    Route(
        "POST", "/notices/mail/test", send_test, "Send a test message to your e-mail address",
        gate=Gate.IDENTITY, fails=(Conflict, TooMany),
    ),
    *push.ROUTES,
    *addresses.ROUTES,
    Route(
        "PUT", "/notices/{id}", mark, "Mark a notice as read or unread",
        gives=Item[NoticeThing], takes=wire.ReadBody, requires=("read",), gate=Gate.SELF,
    ),
)  # fmt: skip
