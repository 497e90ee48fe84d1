"""Shows users, by themselves and as the owner of other objects."""

from collections.abc import Sequence
from typing import Any

from farthing.http.answer.document import Thing
from farthing.http.answer.includes import Include, Related
from farthing.http.request.call import Call
from farthing.identity.user import User
from farthing.kernel.shown import Dated, show_as

from ..resources.lists import make_thing


def user_thing(call: Call, user: User) -> Thing[Any]:
    return make_thing(call, "users", user.id, show(user))


def _user(call: Call, objects: Sequence[Any]) -> list[Related]:
    """Includes the owner of the books, to whom all objects belong."""
    return [user_thing(call, call.caller.books)] * len(objects)


USER = Include("user", _user)


class UserAttributes(Dated, gc=False):
    email: str
    blocked: bool
    blocked_code: str | None
    role: str | None


def show(user: User) -> UserAttributes:
    return show_as(UserAttributes, user)
