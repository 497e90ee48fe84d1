"""Which relatives do several kinds of object share? The user, above all."""

from collections.abc import Sequence
from typing import Any

from ..users import wire as users_wire
from .call import Call
from .document import Thing, thing
from .includes import Include, Related


def caller_thing(call: Call) -> Thing[Any]:
    user = call.caller.user
    return thing(call.base, "users", user.id, users_wire.show(user), uri=f"/users/{user.id}")


def _user(call: Call, objects: Sequence[Any]) -> list[Related]:
    """Every object belongs to the caller: nobody sees anyone else's."""
    return [caller_thing(call)] * len(objects)


USER = Include("user", _user)
