"""Shows users, by themselves and as the owner of other objects."""

from typing import Any

from farthing.http.answer.document import Thing
from farthing.http.answer.includes import Include
from farthing.http.request.call import Call
from farthing.identity.user import User
from farthing.kernel.shown import Dated, show_as

from ..resources.lists import make_thing


class UserAttributes(Dated, gc=False):
    email: str
    blocked: bool
    blocked_code: str | None
    role: str | None


def user_thing(call: Call, user: User) -> Thing[Any]:
    return make_thing(call, "users", user.id, show_as(UserAttributes, user))


# Includes the owner of the books, to whom all objects belong.
USER = Include("user", lambda call, objects: [user_thing(call, call.caller.books)] * len(objects))
