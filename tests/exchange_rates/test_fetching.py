"""Published rates are fetched once a day by one server; failures are told and not repeated in a storm."""

import socket
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from farthing.jobs.rates import RateFetcher
from farthing.kernel.network.outgoing import RequestLimits
from farthing.moving.exchange_rates.ecb import read_ecb
from farthing.moving.exchange_rates.fetching import ECB, NotFetched, RateSource, download, find_source, read_rates
from farthing.moving.findings import Unreadable
from farthing.storage import installation
from farthing.storage.installation import RATES, Checkup

from ..conftest import NOW, Client, World, running
from ..test_outgoing import serving
from ..users.people import a_plain_user, an_owner


def ecb_file(*days: tuple[str, dict[str, str]]) -> bytes:
    """As the European Central Bank writes it."""
    cubes = ""
    for day, rates in days:
        quoted = "".join(f"<Cube currency='{code}' rate='{rate}'/>" for code, rate in rates.items())
        cubes += f"<Cube time='{day}'>{quoted}</Cube>"
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" '
        'xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates</gesmes:subject>'
        f"<gesmes:Sender><gesmes:name>ECB</gesmes:name></gesmes:Sender><Cube>{cubes}</Cube></gesmes:Envelope>"
    ).encode()


HISTORY = ecb_file(("2024-05-14", {"USD": "1.08", "JPY": "169.1"}), ("2024-05-13", {"USD": "1.07", "QQZ": "3"}))
TODAY = ecb_file(("2024-05-15", {"USD": "1.09"}))


def http(body: bytes, status: str = "200 OK") -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def published(client: Client) -> list[str]:
    shown = [one["attributes"] for one in client.get("/published_rates").json()["data"]]
    return [f"{one['date']} {one['to_currency_code']} {one['rate']} {one['source']}" for one in shown]


def source(client: Client) -> dict[str, Any]:
    return dict(client.get("/exchange_rates/source").json()["data"])


@pytest.fixture
def private_world(new_database_url: str, tmp_path: Any, check_answer: Any) -> Iterator[World]:
    """It may ask servers of this machine, and is told to fetch rates."""
    yield from running(new_database_url, tmp_path, check_answer, outgoing_private=1, rates="ecb")


def fetcher(world: World, found: RateSource) -> RateFetcher:
    return RateFetcher(world.settings, world.books, world.time.clock(), found, wait_s=20)


def test_the_first_fetch_brings_the_history_and_each_day_one_server_the_next_day(private_world: World) -> None:
    me, world = an_owner(private_world), private_world
    with serving(http(HISTORY)) as (history, heard_history), serving(http(TODAY)) as (daily, heard_daily):
        found = RateSource(
            name="ecb", daily=f"http://127.0.0.1:{daily}/d.xml", history=f"http://127.0.0.1:{history}/h.xml"
        )
        one, other = fetcher(world, found), fetcher(world, found)

        for server in (one, other, one):
            server.turn()
        first = published(me)
        world.time.now += timedelta(hours=23)
        one.turn()
        world.time.now += timedelta(hours=1)
        for server in (other, one):
            server.turn()

    assert first == ["2024-05-14 JPY 169.1 ecb", "2024-05-14 USD 1.08 ecb", "2024-05-13 USD 1.07 ecb"]
    assert published(me) == ["2024-05-15 USD 1.09 ecb", *first]
    assert (len(heard_history), len(heard_daily)) == (1, 1)
    assert heard_daily[0].startswith(b"GET /d.xml HTTP/1.1\r\n")
    assert source(me) == {
        "source": "ecb",
        "fetched_at": "2024-05-16T12:00:00+00:00",
        "failure": None,
        "newest_date": "2024-05-15",
        "waiting": False,
    }
    shown = me.get("/published_rates", to="JPY").json()["data"][0]
    assert me.get(f"/published_rates/{shown['id']}").json()["data"] == shown


def test_a_failure_is_told_and_tried_again_after_an_hour_or_when_the_owner_asks(private_world: World) -> None:
    me, world = an_owner(private_world), private_world
    with serving(http(b"", "500 Oops")) as (port, heard):
        server = fetcher(world, RateSource(name="rates.example", daily=f"http://127.0.0.1:{port}/?key=secret"))
        for _ in range(5):
            server.turn()
        told = source(me)
        too_soon = me.post("/exchange_rates/fetch")
        world.time.now += timedelta(minutes=2)
        server.turn()
        tries = len(heard)
        waiting = me.post("/exchange_rates/fetch").json()["data"]["waiting"]
        server.turn()
        asked = len(heard)
        world.time.now += timedelta(minutes=59)
        server.turn()
        world.time.now += timedelta(minutes=1)
        server.turn()

    assert told["failure"] == "127.0.0.1: 127.0.0.1 answered with status 500 instead of 200."
    assert (too_soon.status_code, too_soon.headers["retry-after"]) == (429, "60")
    assert (tries, waiting, asked, len(heard)) == (1, True, 2, 3)
    assert source(me)["waiting"] is False


def test_of_two_servers_that_begin_at_the_same_moment_one_fetches(new_world: World) -> None:
    for seen, later in ((None, "2024-05-15"), (Checkup(at="2024-05-15", problems=0), "2024-05-16")):
        claims = []
        for _ in range(2):
            with new_world.books.writing() as db:
                claims.append(installation.claim_checkup(db, RATES, Checkup(at=later, problems=1), previous=seen))
        assert claims == [True, False]


def test_addresses_that_may_not_be_asked_are_not_asked(new_world: World) -> None:
    me = an_owner(new_world)
    with serving(http(TODAY)) as (port, heard):
        fetcher(new_world, RateSource(name="ecb", daily=f"http://127.0.0.1:{port}/")).turn()

    assert heard == []
    assert "a private or reserved address" in source(me)["failure"]


def test_only_the_owner_fetches_and_only_where_it_is_configured(new_world: World) -> None:
    owner = an_owner(new_world)

    assert a_plain_user(new_world).post("/exchange_rates/fetch").status_code == 403
    refused = owner.post("/exchange_rates/fetch")
    assert refused.status_code == 409
    assert "FARTHING_RATES" in refused.json()["message"]
    assert (source(owner)["source"], find_source(new_world.settings)) == ("off", None)


def test_a_provider_may_send_csv_and_its_key_is_not_shown(private_world: World) -> None:
    settings = private_world.settings.model_copy(update={"rates": "https://rates.example/csv?key=secret"})

    found = find_source(settings)

    assert found == RateSource(name="rates.example", daily="https://rates.example/csv?key=secret")
    [row] = read_rates(b"\xef\xbb\xbfdate,from,to,rate\n2024-05-01,USD,EUR,0.92\n")
    assert (row.from_code, row.to_code, str(row.rate)) == ("USD", "EUR", "0.92")
    assert find_source(private_world.settings) is ECB


@pytest.mark.parametrize(
    "content",
    [
        b"<html><body>Sorry</body></html>",
        b"",
        b"\xff\xfe",
        b"<Cube",
        b'<!DOCTYPE x [<!ENTITY e "1">]><Cube><Cube time="2024-05-01"><Cube currency="USD" rate="&e;"/></Cube></Cube>',
        ecb_file(("2024-05-32", {"USD": "1"})),
        ecb_file(("2024-05-01", {"USD": "-1"})),
        ecb_file(("2024-05-01", {"USD": "NaN"})),
        ecb_file(("2024-05-01", {"USD": "1e99"})),
        ecb_file(("2024-05-01", {"": "1"})),
    ],
)
def test_what_is_no_file_of_rates_is_refused_as_a_whole(content: bytes) -> None:
    with pytest.raises(Unreadable):
        read_rates(content)


def test_the_file_of_the_central_bank_says_what_a_euro_buys() -> None:
    rows = read_ecb(HISTORY)

    assert [f"{one.on} {one.from_code} {one.to_code} {one.rate}" for one in rows[:2]] == [
        "2024-05-14 EUR USD 1.08",
        "2024-05-14 EUR JPY 169.1",
    ]


# The currencies that the central bank publishes, in its order.
QUOTED = [
    "USD", "JPY", "CZK", "DKK", "GBP", "HUF", "PLN", "RON", "SEK", "CHF", "ISK", "NOK", "TRY", "AUD", "BRL",
    "CAD", "CNY", "HKD", "IDR", "ILS", "INR", "KRW", "MXN", "MYR", "NZD", "PHP", "SGD", "THB", "ZAR",
]  # fmt: skip
_OPENED = (
    '<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" '
    'xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">'
)


def daily_file(day: str) -> bytes:
    """Laid out like eurofxref-daily.xml: lines, tabs and single quotes."""
    quoted = "".join(f"\t\t\t<Cube currency='{code}' rate='{place}.5070'/>\n" for place, code in enumerate(QUOTED, 1))
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n{_OPENED}\n\t<gesmes:subject>Reference rates</gesmes:subject>\n'
        "\t<gesmes:Sender>\n\t\t<gesmes:name>European Central Bank</gesmes:name>\n\t</gesmes:Sender>\n"
        f"\t<Cube>\n\t\t<Cube time='{day}'>\n{quoted}\t\t</Cube>\n\t</Cube>\n</gesmes:Envelope>"
    ).encode()


def history_file(days: list[str]) -> bytes:
    """Laid out like eurofxref-hist-90d.xml: one line, double quotes, the newest day first."""
    quoted = "".join(f'<Cube currency="{code}" rate="{place}.25"/>' for place, code in enumerate(QUOTED, 1))
    cubes = "".join(f'<Cube time="{day}">{quoted}</Cube>' for day in days)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>{_OPENED}<gesmes:subject>Reference rates</gesmes:subject>'
        "<gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>"
        f"<Cube>{cubes}</Cube></gesmes:Envelope>"
    ).encode()


def chunked(body: bytes) -> bytes:
    pieces = (body[first : first + 1000] for first in range(0, len(body), 1000))
    sent = b"".join(f"{len(piece):x}\r\n".encode() + piece + b"\r\n" for piece in pieces)
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + sent + b"0\r\n\r\n"


def test_files_as_they_are_published_are_stored_and_stay_when_a_later_fetch_fails(private_world: World) -> None:
    me, world = an_owner(private_world), private_world
    days = [(NOW.date() - timedelta(days=one)).isoformat() for one in range(1, 63)]
    today = NOW.date().isoformat()
    answers = [chunked(history_file(days)), http(daily_file(today))]
    failures = {
        http(b"", "500 Oops"): "answered with status 500 instead of 200.",
        http(b"<html>Sorry</html>"): "has no rates",
        http(daily_file(today)[:900]): "XML",
        http(daily_file(today))[:900]: "",
    }

    def answer(connection: socket.socket) -> None:
        connection.sendall(answers.pop(0))

    with serving(answer) as (port, _):
        address = f"http://127.0.0.1:{port}"
        server = fetcher(world, RateSource(name="ecb", daily=f"{address}/d.xml", history=f"{address}/h.xml"))
        for _ in range(2):
            server.turn()
            world.time.now += timedelta(days=1)
        stored, newest = me.get("/published_rates").json()["meta"]["pagination"]["total"], source(me)["newest_date"]
        for sent, reason in failures.items():
            answers.append(sent)
            server.turn()
            assert reason in source(me)["failure"], sent[:40]
            world.time.now += timedelta(days=1)

    assert (stored, newest) == (63 * len(QUOTED), today)
    assert me.get("/published_rates").json()["meta"]["pagination"]["total"] == stored
    worth = me.get("/exchange_rates/convert", amount=10, **{"from": "EUR"}, to="JPY", date="2024-06-30").json()["data"]
    assert (worth["converted"], worth["rate_date"]) == (25, today)


def test_a_server_that_does_not_answer_in_time_is_named() -> None:
    with serving(lambda connection: connection.recv(1) and None) as (port, _), pytest.raises(NotFetched) as refusal:
        download(f"http://127.0.0.1:{port}/", allow_private=True, limits=RequestLimits(connect_s=1, total_s=0.2))

    assert str(refusal.value).startswith("127.0.0.1: ")
