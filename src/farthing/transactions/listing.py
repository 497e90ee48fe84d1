"""How is a page of transactions answered? The same for the general list and for an account's own."""

from collections.abc import Sequence

from ..http.call import Answer, Call
from ..http.document import Thing, thing
from ..http.includes import include, registry
from ..http.pages import asked, page, ranged
from ..http.relatives import USER
from ..http.route import PAGED, RANGED, Parameter
from . import lines, wire
from .counts import Book, Days, total
from .model import Line, types_named

TransactionThing = Thing[wire.TransactionAttributes]
INCLUDES = registry(USER)
PARAMETERS = (Parameter("type", {"type": "string"}, "Which types of transaction."), *RANGED, *PAGED)


def days_of(call: Call) -> Days:
    chosen = call.range()
    return Days(chosen.start.isoformat(), chosen.end.isoformat()) if chosen else Days()


def things(call: Call, of: Sequence[Line], viewed_id: int | None = None) -> list[TransactionThing]:
    return [
        thing(call.base, "transactions", line.id, wire.show(line, viewed_id), uri=f"/transactions/{line.id}")
        for line in of
    ]


def listed(call: Call, path: str, word: str, account_id: int | None = None) -> Answer:
    """A page of the user's transactions, or of those of one account seen from its side."""
    book, days, at = Book(call.user_id, types_named(word), account_id), days_of(call), asked(call)
    shown = lines.page(call.db, book, days, limit=at.size, offset=at.offset)
    document = page(
        call, path, things(call, shown, account_id), total(call.db, book, days), ranged(call) | {"type": word}
    )
    include(call, document, shown, INCLUDES)
    return Answer(document)
