"""Calls the API's handlers for the demo, within units of work."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from farthing.api.v1.attachments import routes as attachments
from farthing.books.attachments import contents, mime
from farthing.http.request.call import Answer, Call, Received
from farthing.identity import users
from farthing.identity.user import NOBODY, Access, User
from farthing.kernel.config import Settings
from farthing.storage import blobs
from farthing.storage.unit import Database

Body = dict[str, object]
Handler = Callable[[Call], Answer]


class DemoUser(Struct, frozen=True):
    database: Database
    user: User
    settings: Settings
    today: date
    now: str

    @contextmanager
    def calling(self) -> Iterator[Call]:
        """Yields a call without a body, as the demo user and within one unit of work."""
        with self.database.writing() as db:
            users.take(db, self.user.id, token_id=None, now=self.now, doing="demo")
            caller = replace(NOBODY, id=self.user.id, user=self.user, books=self.user, access=Access.FULL)
            yield Call(db, caller, caller.id, self.now, self.today, "", {}, {}, self.settings)


def send(call: Call, handler: Handler, body: Body, **more: Any) -> Any:
    """Calls the handler with the body, and returns the data of its answer."""
    return getattr(handler(replace(call, body=body, **more)).document, "data", None)


def create(call: Call, handler: Handler, body: Body, **more: Any) -> int:
    """Creates an object with the handler, and returns its id."""
    return int(send(call, handler, body, **more).id)


def attach(call: Call, content: bytes, model: str, model_id: int, filename: str, title: str) -> None:
    """Attaches a file to an object. Stores its content before its record, as every upload does."""
    incoming = blobs.connect(call.settings).receive()
    try:
        incoming.write(content)
        received = Received(incoming.content(), incoming.look(mime.of))
        contents.reserve(call.db, call.user_id, received.content, call.now)
        incoming.keep(call.user_id)
    finally:
        incoming.discard()
    body: Body = {"filename": filename, "title": title, "model": model, "model_id": model_id}
    send(call, attachments.create, body, received=received)
