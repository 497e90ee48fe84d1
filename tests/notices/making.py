"""How do tests look for occasions, and what do they see?"""

from datetime import timedelta
from typing import Any

from farthing.jobs.mailing import Mailer
from farthing.jobs.noticing import Noticer
from farthing.overviews.notices.search import find_available

from ..conftest import Client, World


def looked(world: World, client: Client, **moved: Any) -> list[tuple[str, str, str | None]]:
    """Looks once, some time later, and lists the unread notices, the oldest first: kind, name and day."""
    world.time.now += timedelta(**moved)
    Noticer(world.books, world.time.clock()).turn()
    return [(one["kind"], one["name"], one["date"]) for one in unread(client)]


def unread(client: Client) -> list[dict[str, Any]]:
    response = client.get("/notices", unread="1", limit=100)
    assert response.status_code == 200, response.text
    return [{"id": one["id"], **one["attributes"]} for one in reversed(response.json()["data"])]


def all_read(client: Client) -> None:
    assert client.put("/notices").json() == {"data": {"unread": 0}}


def chosen(client: Client, **fields: Any) -> dict[str, Any]:
    response = client.put("/notices/settings", fields)
    assert response.status_code == 200, response.text
    settings: dict[str, Any] = response.json()["data"]
    return settings


def works(world: World, **moved: int) -> None:
    """Looks for occasions and sends what is due, some time later."""
    world.time.now += timedelta(**moved)
    Noticer(world.books, world.time.clock(), find_available(world.settings)).turn()
    mailer = Mailer(world.settings, world.books, world.time.clock())
    mailer.turn()
    mailer.finish()
