"""Shows users, by themselves and as the owner of other objects."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from farthing.http.answer.document import Thing, thing
from farthing.http.answer.includes import Include, Related
from farthing.http.request.call import Call
from farthing.identity.user import User
from farthing.kernel.shown import Instant


def user_thing(call: Call, user: User) -> Thing[Any]:
    return thing(call.base, "users", user.id, show(user), uri=f"/users/{user.id}")


def _user(call: Call, objects: Sequence[Any]) -> list[Related]:
    """Objects of other books are never shown."""
    return [user_thing(call, call.caller.books)] * len(objects)


USER = Include("user", _user)


class UserAttributes(Struct, gc=False):
    updated_at: Instant
    created_at: Instant
    email: str
    blocked: bool
    blocked_code: str | None
    role: str | None


def show(user: User) -> UserAttributes:
    return UserAttributes(
        updated_at=user.updated_at,
        created_at=user.created_at,
        email=user.email,
        blocked=user.blocked,
        blocked_code=user.blocked_code,
        role=user.role,
    )
