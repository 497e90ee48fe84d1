"""By which names may the server be asked? Not by the one of a page that lets its own name lead here (DNS rebinding)."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from farthing.app import build

from ..cli.conftest import Server, Terminal
from ..client import AppClient
from ..conftest import MovingClock, settings_for
from .test_connections import ask

LAN, HERE = "192.168.1.20", "127.0.0.1"


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    """As it is started by default: on 127.0.0.1, without a public address."""
    with Terminal(tmp_path_factory.mktemp("server")).serving() as running:
        yield running


@contextmanager
def asked_from(client, url, folder, *, only_local=False, **settings):
    app = build(settings_for(url, folder, **settings), MovingClock().clock(), only_local=only_local)
    with AppClient(app, client=(client, 1)) as http:
        yield lambda host, path="/api/v1/session", **headers: http.get(path, headers={"Host": host, **headers})


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"GET /metrics HTTP/1.1\r\nHost: evil.example", b"421"),
        (b"GET /api/v1/session HTTP/1.1\r\nHost: evil.example:8000", b"421"),
        (b"GET / HTTP/1.1\r\nHost: 192.168.1.20", b"421"),
        (b"GET /metrics HTTP/1.1\r\nHost: localhost.evil.example", b"421"),
        (b"GET /metrics HTTP/1.1\r\nHost: ", b"421"),
        (b"GET /metrics HTTP/1.1\r\nHost: localhost@evil.example", b"421"),
        (b"GET /metrics HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: localhost", b"421"),
        (b"GET http://evil.example/metrics HTTP/1.1\r\nHost: localhost", b"421"),
        (b"GET http://evil.example:80/metrics HTTP/1.0", b"421"),
        (b"GET http://[::1]:80/metrics HTTP/1.1\r\nHost: evil.example", b"200"),
        (b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nHost: localhost", b"400"),
        (b"GET http://localhost/metrics HTTP/1.1\r\nHost: evil.example\r\nHost: localhost", b"400"),
        (b"GET /metrics HTTP/1.1", b"400"),
        (b"GET /livez HTTP/1.1", b"400"),
        (b"GET /metrics HTTP/1.0", b"200"),
        (b"GET /livez HTTP/1.1\r\nHost: evil.example", b"200"),
        (b"GET /readyz HTTP/1.1\r\nHost: 10.0.0.7:8000", b"200"),
        (b"GET /metrics HTTP/1.1\r\nHost: LocalHost:8000", b"200"),
        (b"GET /metrics HTTP/1.1\r\nHost: farthing.localhost", b"200"),
        (b"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1", b"200"),
        (b"GET /metrics HTTP/1.1\r\nHost: [::1]:8000", b"200"),
    ],
)
def test_a_server_of_this_machine_answers_to_the_names_of_this_machine(server, head, status):
    assert ask(server.port, head + b"\r\n\r\n").split(b" ", 2)[1] == status


def test_a_server_that_listens_elsewhere_has_names_that_only_others_know(tmp_path):
    with Terminal(tmp_path).serving("--host", "0.0.0.0") as server:
        assert ask(server.port, b"GET /metrics HTTP/1.1\r\nHost: nas.local\r\n\r\n").startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    ("base_url", "host", "client", "status"),
    [
        ("https://money.example/books", "money.example", LAN, 401),
        ("https://money.example", "Money.Example:443", LAN, 401),
        ("https://money.example", "money.example:80", LAN, 421),
        ("https://money.example:8443", "money.example:8443", LAN, 401),
        ("https://money.example:8443", "money.example", LAN, 401),
        ("http://[2001:db8::7]:8000", "[2001:db8::7]:8000", LAN, 401),
        ("https://money.example", "evil.example", LAN, 421),
        ("https://money.example", "evil.example", HERE, 421),
        ("https://money.example", "192.168.1.2:8000", LAN, 421),
        ("https://money.example", "localhost:8000", HERE, 401),
        ("https://money.example", "127.0.0.1:8000", "::ffff:127.0.0.1", 401),
        ("https://money.example", "localhost", LAN, 421),
    ],
)
@pytest.mark.parametrize("only_local", [True, False])
@pytest.mark.any_database
def test_with_a_public_address_only_its_host_is_ours(
    shared_database_url, tmp_path, base_url, host, client, status, only_local
):
    with asked_from(client, shared_database_url, tmp_path, base_url=base_url, only_local=only_local) as asked:
        assert asked(host).status_code == status
        assert asked(host, "/livez").status_code == 200


@pytest.mark.any_database
def test_what_it_says_helps(shared_database_url, tmp_path):
    with asked_from(LAN, shared_database_url, tmp_path, base_url="https://money.example") as asked:
        assert asked("nas.local").json() == {
            "message": "This server answers at money.example, not at nas.local. If that is its address, set"
            " FARTHING_BASE_URL to it; behind a proxy, let the proxy pass on the Host.",
            "exception": "MisdirectedRequestHttpException",
        }
    with asked_from(HERE, shared_database_url, tmp_path, only_local=True) as asked:
        assert asked("nas.local").json()["message"] == (
            "This server answers only at loopback addresses such as localhost, not at nas.local."
            " If that is its address, set FARTHING_BASE_URL to it."
        )


@pytest.mark.any_database
def test_a_proxy_may_say_by_which_name_it_was_asked_if_it_is_trusted(shared_database_url, tmp_path):
    public = {"base_url": "https://money.example"}
    forwarded = {"X-Forwarded-Host": "money.example, inner"}
    with asked_from(LAN, shared_database_url, tmp_path, trusted_proxies=LAN, **public) as asked:
        assert asked("upstream", **forwarded).status_code == 401
        assert asked("upstream", **{"X-Forwarded-Host": "evil.example"}).status_code == 421
        assert asked("upstream").status_code == 421
    with asked_from(LAN, shared_database_url, tmp_path, **public) as asked:
        assert asked("upstream", **forwarded).status_code == 421
    with asked_from(HERE, shared_database_url, tmp_path, trusted_proxies=HERE, only_local=True) as asked:
        assert asked("money.example").status_code == 401, "links follow the proxy, whatever the names are"


@pytest.mark.any_database
def test_metrics_can_be_read_at_the_address_of_the_server_itself(shared_database_url, tmp_path):
    """No page has a bare address as the name that it lets lead here."""
    settings = settings_for(shared_database_url, tmp_path, base_url="https://money.example", metrics_from=LAN)
    with AppClient(build(settings, MovingClock().clock()), "http://10.0.0.7:8000", (LAN, 1)) as http:
        assert http.get("/metrics").status_code == 200
        assert http.get("/metrics", headers={"Host": "10.0.0.8:8000"}).status_code == 421
        assert http.get("/api/v1/session").status_code == 421
