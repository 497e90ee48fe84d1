"""Fetches published exchange rates once a day, or an hour after a failure. Of several servers, only one fetches."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from msgspec import Struct

from farthing.books.currencies import store as currencies
from farthing.books.exchange_rates import store
from farthing.kernel.clock import stamp
from farthing.kernel.config import Settings
from farthing.kernel.errors import FarthingError
from farthing.kernel.network import outgoing
from farthing.kernel.network.outgoing import RequestLimits
from farthing.kernel.settings.parsing import ECB_RATES, NO_RATES
from farthing.storage import installation
from farthing.storage.installation import RATES, RATES_ASKED, Checkup
from farthing.storage.unit import Database, Unit

from ..findings import Unreadable
from .csv_file import read_csv
from .rows import RateRow, draft_rates

LIMITS = RequestLimits(connect_s=10, total_s=30, body_bytes_max=8 * 2**20)
_DAY, _AFTER_FAILURE = timedelta(days=1), timedelta(hours=1)
_NOT_ENDED = "The last attempt was started, but has not finished."
_NOTE_CHARACTERS_MAX = 500


class NotFetched(FarthingError):
    """Says why exchange rates could not be fetched. Nothing was stored."""


class RateSource(Struct, frozen=True):
    """Describes a provider by its addresses. `history` is used instead of `daily` until rates have been stored."""

    name: str
    daily: str
    history: str | None = None


ECB = RateSource(
    name=ECB_RATES,
    daily="https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml",
    history="https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml",
)


def find_source(settings: Settings) -> RateSource | None:
    """Finds the source in the settings. Most providers are named by the host only, because the rest of the address may
    contain a secret key.
    """
    if settings.rates in (NO_RATES, ECB_RATES):
        return ECB if settings.rates == ECB_RATES else None
    return RateSource(name=urlsplit(settings.rates).hostname or "", daily=settings.rates)


def is_due(checkups: Mapping[str, Checkup], now: datetime) -> bool:
    last, request = checkups.get(RATES), checkups.get(RATES_ASKED)
    if last is None or (request and request.at > last.at):
        return True
    wait = _AFTER_FAILURE if last.problems else _DAY
    last_at = datetime.fromisoformat(last.at)
    return not last_at <= now < last_at + wait


def claim(db: Unit, now: datetime) -> bool:
    """Claims the fetch for this server, if it is due and no other server has started it."""
    checkups = installation.load_checkups(db)
    begun = Checkup(at=stamp(now), problems=1, note=_NOT_ENDED)
    if not is_due(checkups, now) or not installation.claim_checkup(db, RATES, begun, previous=checkups.get(RATES)):
        return False
    installation.touch(db)
    return True


def ask_for_fetch(db: Unit, now: str) -> None:
    """Requests a fetch. The job process starts it at its next turn."""
    installation.store_checkup(db, RATES_ASKED, Checkup(at=now, problems=0))


def fetch(database: Database, source: RateSource, now: str, *, allow_private: bool) -> int:
    """Runs all steps of a fetch for the command line. Returns how many rates were stored."""
    with database.reading() as db:
        url = choose_address(db, source)
    try:
        rows = download(url, allow_private=allow_private)
        with database.writing() as db:
            return store_rates(db, source, rows, now)
    except NotFetched as error:
        with database.writing() as db:
            remember_failure(db, error, now)
        raise


def choose_address(db: Unit, source: RateSource) -> str:
    return source.daily if store.has_published(db) or source.history is None else source.history


def download(url: str, *, allow_private: bool, limits: RequestLimits = LIMITS) -> list[RateRow]:
    """Downloads rates. Raises NotFetched if the provider cannot be reached or its response is unusable."""
    try:
        return read_rates(_ask(url, allow_private=allow_private, limits=limits))
    except (outgoing.NotAllowed, outgoing.Unreachable, Unreadable) as error:
        raise NotFetched(f"{urlsplit(url).hostname}: {error}") from error


def store_rates(db: Unit, source: RateSource, rows: list[RateRow], now: str) -> int:
    """Stores rates, except those of unknown currencies. Raises NotFetched if the rows contradict each other."""
    drafts, problems = draft_rates(rows, currencies.all_coded(db), skip_unknown=True)
    if problems:
        raise NotFetched(f"{source.name}: {problems[0].message}")
    installation.store_checkup(db, RATES, Checkup(at=now, problems=0, note=f"{len(drafts)} rates"))
    store.publish(db, drafts, source=source.name, now=now)
    return len(drafts)


def remember_failure(db: Unit, error: NotFetched, now: str) -> None:
    installation.store_checkup(db, RATES, Checkup(at=now, problems=1, note=str(error)[:_NOTE_CHARACTERS_MAX]))
    installation.touch(db)


def read_rates(content: bytes) -> list[RateRow]:
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        from .ecb import read_ecb  # imported late: it loads an XML library, and the server never reads a file

        return read_ecb(content)
    try:
        rows, problems = read_csv(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise Unreadable("The answer is neither XML nor UTF-8 text.") from None
    if problems:
        raise Unreadable(problems[0].message)
    return rows


def _ask(url: str, *, allow_private: bool, limits: RequestLimits) -> bytes:
    parts = urlsplit(url)
    target = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    to = outgoing.look_up(url, allow_private=allow_private, limits=limits)
    with outgoing.ask(to, "GET", target, limits=limits) as answer:
        if answer.status != 200:
            raise outgoing.Unreachable(f"{to.host} answered with status {answer.status} instead of 200.")
        return answer.read()
