"""Shows the source of published rates, and lets the owner fetch them now."""

from datetime import datetime, timedelta

from farthing.books.exchange_rates import store
from farthing.http.answer.document import Item
from farthing.http.request.call import Answer, Call
from farthing.http.route import Gate, Route
from farthing.kernel.clock import shift
from farthing.kernel.errors import Conflict, Forbidden, TooMany
from farthing.kernel.settings.parsing import NO_RATES
from farthing.moving.exchange_rates import fetching
from farthing.storage import installation
from farthing.storage.installation import RATES, RATES_ASKED

from . import wire

_PAUSE = timedelta(minutes=1)


def show_source(call: Call) -> Answer:
    return _answer(call)


def fetch(call: Call) -> Answer:
    """Leaves the work to the job process; `waiting` turns false when it is done."""
    call.owner_only("fetch exchange rates")
    if fetching.find_source(call.settings) is None:
        raise Conflict("No source of exchange rates is set. Set FARTHING_RATES to ecb or to an address, and restart.")
    _refuse_too_soon(call)
    fetching.ask_for_fetch(call.db, call.now)
    installation.touch(call.db)
    return _answer(call)


def _refuse_too_soon(call: Call) -> None:
    last = installation.load_checkups(call.db).get(RATES)
    free_at = shift(last.at, _PAUSE) if last else ""
    if last and last.at <= call.now < free_at:
        left = datetime.fromisoformat(free_at) - datetime.fromisoformat(call.now)
        raise TooMany("Exchange rates were fetched a moment ago.", retry_after_s=int(left.total_seconds()))


def _answer(call: Call) -> Answer:
    checkups = installation.load_checkups(call.db)
    last, request = checkups.get(RATES), checkups.get(RATES_ASKED)
    source = fetching.find_source(call.settings)
    data = wire.SourceData(
        source=source.name if source else NO_RATES,
        fetched_at=last.at if last else None,
        failure=last.note if last and last.problems else None,
        newest_date=store.find_newest_published(call.db),
        waiting=bool(source and request and (last is None or request.at > last.at)),
    )
    return Answer(Item(data))


ROUTES = (
    Route(
        "GET", "/exchange_rates/source", show_source, "Show the source of published rates",
        gives=Item[wire.SourceData],
    ),
    Route(
        "POST", "/exchange_rates/fetch", fetch, "Fetch published rates now; owner only",
        gives=Item[wire.SourceData], gate=Gate.SELF, fails=(Forbidden, Conflict, TooMany),
    ),
)  # fmt: skip
