"""Calls the handlers of the API for the demo, each time in a unit of work."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

from msgspec import Struct

from farthing.api.v1.attachments import routes as attachments
from farthing.books.attachments import contents, mime
from farthing.books.preferences import store as preferences
from farthing.http.request.call import Answer, Call, Received
from farthing.identity import users
from farthing.identity.user import Access, Caller, User
from farthing.kernel.config import Settings
from farthing.storage import blobs
from farthing.storage.unit import Database, Unit

Body = dict[str, object]
Handler = Callable[[Call], Answer]


class DemoUser(Struct, frozen=True):
    database: Database
    user: User
    settings: Settings
    today: date
    now: str

    @contextmanager
    def calls(self) -> Iterator["DemoCalls"]:
        with self.database.writing() as db:
            users.take(db, self.user.id, token_id=None, now=self.now, doing="demo")
            yield DemoCalls(db, self, _caller(db, self.user))


class DemoCalls(Struct, frozen=True):
    db: Unit
    demo: DemoUser
    caller: Caller

    def call(
        self, handler: Handler, body: Body, *, today: date | None = None, received: Received | None = None, **path: str
    ) -> int:
        """Returns the id of the new object, or 0 if the answer has none. `today` may be an earlier day."""
        answer: Any = handler(
            Call(
                db=self.db,
                caller=self.caller,
                user_id=self.caller.id,
                now=self.demo.now,
                today=today or self.demo.today,
                base="",
                path=path,
                query={},
                settings=self.demo.settings,
                body=body,
                received=received,
            )
        )
        created = getattr(answer.document, "data", None)
        return int(getattr(created, "id", 0))

    def attach(self, content: bytes, body: Body) -> int:
        """Stores the content on disk before the record, as every upload does."""
        incoming = blobs.connect(self.demo.settings).receive()
        try:
            incoming.write(content)
            received = Received(incoming.content(), incoming.look(mime.of))
            contents.reserve(self.db, self.caller.id, received.content, self.demo.now)
            incoming.keep(self.caller.id)
        finally:
            incoming.discard()
        return self.call(attachments.create, body, received=received)


def _caller(db: Unit, user: User) -> Caller:
    values = preferences.values(db, user.id, ("timezone", "listPageSize", "currencyPreference"))
    return Caller(
        id=user.id,
        user=user,
        books=user,
        token_id=None,
        session_id=None,
        access=Access.FULL,
        last_used_at=None,
        timezone=str(values["timezone"]),
        page_size=int(str(values["listPageSize"])),
        currency_code=str(values["currencyPreference"]),
        revision=0,
        installation_revision=0,
    )
