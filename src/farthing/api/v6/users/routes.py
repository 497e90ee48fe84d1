"""Serves users. The owner manages all of them, and everybody else sees only themselves."""

from typing import Annotated, Any

from msgspec.structs import replace

from farthing.books.lifecycle.settings import users as user_lifecycle
from farthing.http.callers.noting import note
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import LARGE, Gate
from farthing.identity import addresses
from farthing.identity import user as model
from farthing.identity import users as store
from farthing.identity.audit import Event
from farthing.identity.user import Role, User
from farthing.kernel.errors import Conflict, Forbidden, Invalid, NotFound, refuse, refuse_field
from farthing.kernel.fields import Flag, RequestBody, choice, described, parse, text
from farthing.kernel.parsed import Parsed

from ..objects.users import UserThing, make_user
from ..parts.partial import over, over_required
from ..parts.resource import Resource

_TAKEN = "The email address is already used by another user."


class UserBody(RequestBody):
    email: Annotated[str, text(255)] | None = None
    blocked: Flag | None = described("If omitted, a new user is not blocked.")
    blocked_code: Annotated[str, choice("email_changed")] | None = None
    role: Annotated[str, choice(*Role)] | None = None


def index(call: Call) -> Answer:
    call.owner_only("see all users")
    return _USERS.list_page(call)


def create(call: Call) -> Answer:
    call.owner_only("make users")
    parsed = parse(UserBody, call.fields)
    parsed.require("email")
    email = _check_email(call, parsed, None)
    parsed.finish()
    user = user_lifecycle.add_by_owner(call.db, email, call.settings.timezone, call.now)
    values = parsed.values
    role = str(values.role) if values.role else None
    changed = replace(user, blocked=bool(values.blocked), blocked_code=values.blocked_code, role=role)
    store.change(call.db, changed, call.now)
    note(call, Event.USER_MADE, about=user.email)
    return _USERS.answer_with(call, user.id)


def change(call: Call) -> Answer:
    user = _claim(call, "change users")
    parsed = parse(UserBody, call.fields)
    role = over(parsed, "role", user.role)
    after = replace(
        user,
        email=_check_email(call, parsed, user),
        blocked=over_required(parsed, "blocked", user.blocked),
        blocked_code=over(parsed, "blocked_code", user.blocked_code),
        role=str(role) if role else None,
    )
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


def _check_email(call: Call, parsed: Parsed[UserBody], user: User | None) -> str:
    """Checks the address, unless it is the current one, which may be older than the current rules."""
    email = over_required(parsed, "email", user.email) if user else parsed.values.email or ""
    if not email or (user and email == user.email):
        return email
    email = addresses.normalize(email)
    problem = addresses.find_problem(email)
    if problem:
        parsed.report("email", f"The email {problem}.")
    elif (other := store.find_by_email(call.db, email)) and (user is None or other.id != user.id):
        parsed.report("email", _TAKEN)
    return email


def _find(call: Call) -> User:
    if call.id != call.user_id and not call.caller.user.is_owner:
        raise NotFound("Resource not found")
    return or_404(store.get(call.db, call.id))


def _claim(call: Call, action: str) -> User:
    _find(call)
    call.owner_only(action)
    if not store.claim(call.db):
        raise Conflict("Another owner is changing users right now. Try again.")
    return or_404(store.get(call.db, call.id))


_USERS: Resource[User, Any] = Resource(
    path="/users",
    shows=UserThing,
    things=lambda call, users: [make_user(call, user) for user in users],
    get=lambda db, _, user_id: store.get(db, user_id),
    finds=_find,
    page=lambda db, _, **of_page: store.page(db, **of_page),
    takes=UserBody,
    gate=Gate.SELF,
)
ROUTES = (
    _USERS.index("List users; owner only", handler=index, fails=(Forbidden,)),
    _USERS.create("Create a user; owner only", handler=create, requires=("email",), fails=(Forbidden,)),
    _USERS.show("Show a user; only the owner sees other users"),
    _USERS.change("Change a user; owner only", handler=change, fails=(Forbidden, Conflict)),
    _USERS.remove(
        "Delete a user with all their data; owner only",
        handler=remove, gate=Gate.SELF, runs=LARGE, fails=(Forbidden, Conflict, Invalid),
    ),
)  # fmt: skip
