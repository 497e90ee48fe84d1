"""Who hands the bodies in? A clerk who calls the handlers of the API, in a unit of work of the household's."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from typing import Any

from ..attachments import mime
from ..attachments import routes as attachments
from ..config import Settings
from ..http.call import Answer, Call, Received
from ..preferences import store as preferences
from ..storage import blobs
from ..storage.unit import Database, Unit
from ..users import store as users
from ..users.model import Access, Caller, User

Body = dict[str, object]
Handler = Callable[[Call], Answer]


@dataclass(frozen=True)
class Desk:
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


@dataclass(frozen=True)
class Clerk:
    db: Unit
    desk: Desk
    caller: Caller

    def hand_in(
        self, handler: Handler, body: Body, *, today: date | None = None, received: Received | None = None, **path: str
    ) -> int:
        """Gives back the id of what was made; 0 when the answer names nothing. It may be done as on an earlier day."""
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
        """The content lies on disk before it is spoken of, as with every upload."""
        incoming = blobs.connect(self.desk.settings).receive()
        try:
            incoming.write(content)
            received = Received(incoming.content(), incoming.look(mime.of))
            incoming.keep(self.desk.user.id)
        finally:
            incoming.discard()
        return self.hand_in(attachments.create, body, received=received)


def _caller(db: Unit, user: User) -> Caller:
    known = preferences.values(db, user.id, ("timezone", "listPageSize", "currencyPreference"))
    return Caller(
        id=user.id,
        user=user,
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
