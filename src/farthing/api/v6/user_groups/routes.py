"""Serves books under the name of user groups. A group has the id of the user who owns the books."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct

from farthing.books.currencies import store as currencies
from farthing.books.currencies.choose import choose
from farthing.books.lifecycle.settings import preferences
from farthing.http.answer.document import Item, Page, Thing
from farthing.http.answer.pages import read_page_request
from farthing.http.callers.noting import note
from farthing.http.request.call import Answer, Call, or_404
from farthing.http.route import PAGED, Gate, Parameter, Route
from farthing.identity.audit import Event
from farthing.identity.sharing import members
from farthing.identity.sharing.members import Member, SharedBooks
from farthing.identity.user import Share, User
from farthing.kernel.fields import Id, Name, RequestBody, described, parse, text
from farthing.kernel.money import Currency
from farthing.kernel.shown import Instant

from ..parts.documents import answer_one, answer_page, make_thing

_READS = (
    "ro", "read_budgets", "read_piggies", "read_subscriptions", "read_rules", "read_recurring", "read_webhooks",
    "read_currencies", "view_reports",
)  # fmt: skip
_MANAGES = (
    "mng_trx", "mng_meta", "mng_budgets", "mng_piggies", "mng_subscriptions", "mng_rules", "mng_recurring",
    "mng_webhooks",
)  # fmt: skip
_ROLES: dict[Share | None, list[str]] = {
    None: ["owner"],
    Share.FULL: ["full"],
    Share.BOOKKEEPER: [*_READS, *_MANAGES],
    Share.VIEWER: [*_READS],
}


class UserGroupBody(RequestBody):
    title: Name | None = described("The email address of the owner of the books. It cannot be changed here.")
    primary_currency_id: Id | None = None
    primary_currency_code: Annotated[str, text(3)] | None = None


class UserGroupMember(Struct, gc=False):
    user_id: str
    user_email: str
    you: bool
    roles: list[str]


class UserGroupAttributes(Struct, gc=False):
    """`in_use` marks the books that this token works in. `members` lists all members if you own the books, otherwise
    only the owner and you.
    """

    created_at: Instant
    updated_at: Instant
    in_use: bool
    can_see_members: bool
    title: str
    primary_currency_id: str
    primary_currency_name: str
    primary_currency_code: str
    primary_currency_symbol: str
    primary_currency_decimal_places: int
    members: list[UserGroupMember]


UserGroupThing = Thing[UserGroupAttributes]


def index(call: Call) -> Answer:
    at, groups = read_page_request(call), _list_groups(call)
    return answer_page(call, "/user-groups", groups[at.offset : at.offset + at.size], len(groups))


def show(call: Call) -> Answer:
    return answer_one(_find(call))


def change(call: Call) -> Answer:
    """Changes the primary currency of the caller's own books."""
    group = _find(call)
    or_404(group if call.id == call.user_id else None)
    parsed = parse(UserGroupBody, call.fields)
    if parsed.values.title not in (None, group.attributes.title):
        parsed.report("title", "The title is the email address of the owner, and cannot be changed here.")
    currency = None
    if not parsed.absent("primary_currency_id", "primary_currency_code"):
        names = {"id_field": "primary_currency_id", "code_field": "primary_currency_code"}
        currency = choose(call.db, parsed, **names)
    parsed.finish()
    if currency:
        preferences.prefer_currency(call.db, call.user_id, currency.code, call.now)
        note(call, Event.SETTING_CHANGED, about="currencyPreference", user_id=call.user_id)
    return answer_one(_show_own(call, currency or _currency(call, call.caller.currency_code)))


def _find(call: Call) -> UserGroupThing:
    group_id = str(call.id)
    return or_404(next((group for group in _list_groups(call) if group.id == group_id), None))


def _list_groups(call: Call) -> list[UserGroupThing]:
    shared = members.list_shared(call.db, call.caller.user.id)
    coded = currencies.all_coded(call.db)
    return [
        _show_own(call, coded[call.caller.currency_code]),
        *(_show_shared(call, books, coded[books.currency_code]) for books in shared),
    ]


def _currency(call: Call, code: str) -> Currency:
    return or_404(currencies.by_code(call.db, code))


def _show_own(call: Call, currency: Currency) -> UserGroupThing:
    person = call.caller.user
    others = members.list_of_books(call.db, person.id)
    shown = [_make_member(call, person.id, person.email, None), *(_show_member(call, other) for other in others)]
    return _make_group(call, person, currency, shown, can_see_members=True)


def _show_shared(call: Call, shared: SharedBooks, currency: Currency) -> UserGroupThing:
    person, owner = call.caller.user, shared.books
    shown = [
        _make_member(call, owner.id, owner.email, None),
        _make_member(call, person.id, person.email, shared.share),
    ]
    return _make_group(call, owner, currency, shown, can_see_members=False)


def _show_member(call: Call, member: Member) -> UserGroupMember:
    return _make_member(call, member.member_id, member.email, Share(member.share))


def _make_member(call: Call, user_id: int, email: str, share: Share | None) -> UserGroupMember:
    return UserGroupMember(str(user_id), email, user_id == call.caller.user.id, _ROLES[share])


def _make_group(
    call: Call, owner: User, currency: Currency, shown: Sequence[UserGroupMember], *, can_see_members: bool
) -> UserGroupThing:
    attributes = UserGroupAttributes(
        created_at=owner.created_at,
        updated_at=owner.updated_at,
        in_use=owner.id == (call.caller.books_id or call.caller.user.id),
        can_see_members=can_see_members,
        title=owner.email,
        primary_currency_id=str(currency.id),
        primary_currency_name=currency.name,
        primary_currency_code=currency.code,
        primary_currency_symbol=currency.symbol,
        primary_currency_decimal_places=currency.places,
        members=list(shown),
    )
    return make_thing(call, "user_groups", owner.id, attributes)


_ONE = Item[UserGroupThing]
_ID = Parameter("id", {"type": "string", "pattern": "^[0-9]{1,18}$"}, "The id of the user who owns the books.")
ROUTES = (
    Route(
        "GET", "/user-groups", index, "List your own books, and those shared with you",
        gives=Page[UserGroupThing], parameters=PAGED, gate=Gate.SELF,
    ),
    Route(
        "GET", "/user-groups/{id}", show, "Show books and their members",
        gives=_ONE, parameters=(_ID,), gate=Gate.SELF,
    ),
    Route(
        "PUT", "/user-groups/{id}", change, "Change the primary currency of your own books",
        gives=_ONE, takes=UserGroupBody, parameters=(_ID,), gate=Gate.SELF,
    ),
)  # fmt: skip
