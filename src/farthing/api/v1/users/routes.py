"""Serves users. The owner manages all of them, and everybody else sees only themselves."""

from typing import Any

from farthing.books.lifecycle.settings import users as user_lifecycle
from farthing.http.answer.document import Item, Thing
from farthing.http.callers.noting import note
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import LARGE, Gate
from farthing.identity import user as model
from farthing.identity import users as store
from farthing.identity.audit import Event
from farthing.identity.user import User
from farthing.kernel.errors import Conflict, Forbidden, Invalid, NotFound, refuse, refuse_field
from farthing.kernel.parsed import Parsed, ensure
from farthing.storage import quotas

from ..resources.resource import Resource
from ..serializers import users as listing
from . import wire

UserThing = Thing[listing.UserAttributes]
_TAKEN = "The email address is already used by another user."


def index(call: Call) -> Answer:
    call.owner_only("see all users")
    return _USERS.list_page(call)


def create(call: Call) -> Answer:
    call.owner_only("make users")
    parsed = _read(call, None)
    parsed.finish()
    user = user_lifecycle.add_by_owner(call.db, ensure(parsed.values.email), call.settings.timezone, call.now)
    store.change(call.db, wire.apply(user, parsed, role_sent=True), call.now)
    note(call, Event.USER_MADE, about=user.email)
    return _USERS.answer_with(call, user.id)


def change(call: Call) -> Answer:
    user = _claim(call, "change users")
    parsed = _read(call, user)
    after = wire.apply(user, parsed, role_sent="role" in call.fields)
    has_other_owner = store.has_owner_besides(call.db, user.id)
    parsed.report_all(model.change_problems(user, after, by_id=call.user_id, has_other_owner=has_other_owner))
    parsed.finish()
    try:
        store.change(call.db, after, call.now)
    except store.EmailTaken:
        refuse_field("email", _TAKEN)
    note(call, Event.USER_CHANGED, about=after.email, user_id=user.id)
    return _USERS.answer_with(call, user.id)


def remove(call: Call) -> Answer:
    user = _claim(call, "delete users")
    has_other_owner = store.has_owner_besides(call.db, user.id)
    refuse(model.removal_problems(user, by_id=call.user_id, has_other_owner=has_other_owner))
    store.remove(call.db, user.id)
    note(call, Event.USER_DELETED, about=user.email)
    return NOTHING


def show_quotas(call: Call) -> Answer:
    return _answer_quotas(call, _find(call).id)


def change_quotas(call: Call) -> Answer:
    user = _find(call)
    call.owner_only("set quotas")
    quotas.limit(call.db, user.id, wire.apply_quotas(or_404(quotas.find(call.db, user.id)), call.fields))
    note(call, Event.QUOTA_CHANGED, about=user.email, user_id=user.id)
    return _answer_quotas(call, user.id)


def _answer_quotas(call: Call, user_id: int) -> Answer:
    return Answer(Item(wire.show_quotas(or_404(quotas.find(call.db, user_id)))))


def _find(call: Call) -> User:
    if call.id != call.user_id and not call.caller.user.is_owner:
        raise NotFound("Resource not found")
    return or_404(store.get(call.db, call.id))


def _claim(call: Call, doing: str) -> User:
    _find(call)
    call.owner_only(doing)
    if not store.claim(call.db):
        raise Conflict("Another owner is changing users right now. Try again.")
    return or_404(store.get(call.db, call.id))


def _read(call: Call, user: User | None) -> Parsed[wire.UserBody]:
    parsed = wire.read(call.fields, user.email if user else None)
    email = parsed.values.email
    other = store.find_by_email(call.db, email) if email else None
    if other and (user is None or other.id != user.id):
        parsed.report("email", _TAKEN)
    return parsed


_ALWAYS = ("email", "blocked")
_USERS: Resource[User, Any] = Resource(
    path="/users",
    shows=UserThing,
    things=lambda call, users: [listing.user_thing(call, user) for user in users],
    get=lambda db, _, user_id: store.get(db, user_id),
    finds=_find,
    page=lambda db, _, **of_page: store.page(db, **of_page),
    takes=wire.UserBody,
    requires=_ALWAYS,
    gate=Gate.SELF,
)

ROUTES = (
    _USERS.index("List users; owner only", handler=index, fails=(Forbidden,)),
    _USERS.create("Create a user; owner only", handler=create, fails=(Forbidden,)),
    _USERS.show("Show a user; only the owner sees other users"),
    _USERS.change("Change a user; owner only", handler=change, fails=(Forbidden, Conflict)),
    _USERS.remove(
        "Delete a user with all their data; owner only",
        handler=remove, runs=LARGE, fails=(Forbidden, Conflict, Invalid),
    ),
    _USERS.own(
        "GET", "quotas", show_quotas, "Show how much a user has stored, and how much they may store",
        gives=Item[wire.UserQuotas], gate=Gate.IDENTITY,
    ),
    _USERS.own(
        "PUT", "quotas", change_quotas, "Limit how much a user may store; owner only",
        gives=Item[wire.UserQuotas], takes=wire.QuotaBody, gate=Gate.IDENTITY, fails=(Forbidden,),
    ),
)  # fmt: skip
