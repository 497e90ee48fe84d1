"""People who share books, for tests."""

from dataclasses import replace

from farthing.identity import tokens
from farthing.identity.sharing import members
from farthing.identity.tokens import TokenLimits
from farthing.identity.user import Share
from farthing.kernel.clock import stamp

from ..conftest import Client, World


def member_of(world: World, me: Client, role: str) -> Client:
    """Somebody who works in my books, and says so with each request."""
    other = world.someone()
    with world.books.writing() as db:
        members.add(db, me.user.id, other.user.id, Share(role), stamp(world.time.now))
    return in_books(other, me)


def in_books(client: Client, owner: Client) -> Client:
    return replace(client, headers={**client.headers, "Farthing-Books": str(owner.user.id)})


def with_token(world: World, me: Client, *, access: str = "full", expires_at: str | None = None, **limits) -> Client:
    """Me, with a token that is limited."""
    with world.books.writing() as db:
        now = stamp(world.time.now)
        _, token = tokens.make(db, me.user.id, "limited", expires_at, now, access, TokenLimits(**limits))
    return replace(me, token=token)
