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


class Desk(Struct, frozen=True):
    database: Database
    user: User
    settings: Settings
    today: date
    now: str

    @contextmanager
    def open(self) -> Iterator["Clerk"]:
        with self.database.writing() as db:
            users.take(db, self.user.id, token_id=None, now=self.now, doing="demo")
            yield Clerk(db, self, _caller(db, self.user))


class Clerk(Struct, frozen=True):
    db: Unit
    desk: Desk
    caller: Caller

    def hand_in(
        self, handler: Handler, body: Body, *, today: date | None = None, received: Received | None = None, **path: str
    ) -> int:
        """Returns the id of the new object, or 0 if the answer has none. `today` may be an earlier day."""
        answer: Any = handler(
            Call(
                db=self.db,
                caller=self.caller,
                user_id=self.caller.id,
                now=self.desk.now,
                today=today or self.desk.today,
                base="",
                path=path,
                query={},
                settings=self.desk.settings,
                body=body,
                received=received,
            )
        )
        made = getattr(answer.document, "data", None)
        return int(made.id) if made and hasattr(made, "id") else 0

    def attach(self, content: bytes, body: Body) -> int:
        """Stores the content on disk before the record, as every upload does."""
        incoming = blobs.connect(self.desk.settings).receive()
        try:
            incoming.write(content)
            received = Received(incoming.content(), incoming.look(mime.of))
            contents.reserve(self.db, self.desk.user.id, received.content, self.desk.now)
            incoming.keep(self.desk.user.id)
        finally:
            incoming.discard()
        return self.hand_in(attachments.create, body, received=received)


def _caller(db: Unit, user: User) -> Caller:
    known = preferences.values(db, user.id, ("timezone", "listPageSize", "currencyPreference"))
    return Caller(
        id=user.id,
        user=user,
        books=user,
        token_id=None,
        session_id=None,
        access=Access.FULL,
        last_used_at=None,
        timezone=str(known["timezone"]),
        page_size=int(str(known["listPageSize"])),
        currency_code=str(known["currencyPreference"]),
        revision=0,
        house_revision=0,
    )
