"""Who is who in tests? Owners and plain users, whoever came first to the shared database."""

from msgspec.structs import replace

from farthing.identity import users as store
from farthing.identity.user import Role
from farthing.kernel.clock import stamp

from ..conftest import Client, World


def an_owner(world: World) -> Client:
    """One more owner: the first user of the shared database may belong to another test."""
    client = world.someone()
    client.user = replace(client.user, role=Role.OWNER.value)
    with world.books.writing() as db:
        store.change(db, client.user, stamp(world.time.now))
    return client


def a_plain_user(world: World) -> Client:
    """The first user of a database owns it; the one after does not."""
    client = world.someone()
    return world.someone() if client.user.is_owner else client
