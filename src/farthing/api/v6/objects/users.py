"""Shows users, by themselves and as the current user."""

from msgspec import Struct

from farthing.http.answer.document import Thing
from farthing.http.request.call import Call
from farthing.identity.user import User
from farthing.kernel.shown import Instant, show_as

from ..parts.documents import make_thing


class UserAttributes(Struct, gc=False):
    created_at: Instant
    updated_at: Instant
    email: str
    blocked: bool
    blocked_code: str | None
    role: str | None


UserThing = Thing[UserAttributes]


def make_user(call: Call, user: User) -> UserThing:
    return make_thing(call, "users", user.id, show_as(UserAttributes, user))
