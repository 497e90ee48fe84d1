"""Where do links lead? To the public address: as configured, as asked, or as a trusted proxy says."""

from contextlib import contextmanager

import pytest

from farthing.app import build
from farthing.http.request import public_address
from farthing.http.request.public_address import PublicAddress
from farthing.http.routing import api_versions

from ..client import AppClient
from ..conftest import MovingClock, settings_for


@contextmanager
def asked_behind(url, folder, *, client="203.0.113.9", **settings):
    """The same books, under other settings and through other hands."""
    app = build(settings_for(url, folder, **settings), MovingClock().clock())
    with AppClient(app, base_url="http://inside:8000", client=(client, 1)) as http:
        yield http


FORWARDED = {
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "money.example, inner",
    "X-Forwarded-Prefix": "/books/",
}


def link(http, me, path="/api/v1/accounts", headers=FORWARDED):
    response = http.get(path, headers={"Authorization": f"Bearer {me.token}", **headers})
    assert response.status_code == 200, response.text
    return response.json()["links"]["self"], response.json()["data"][0]["links"]["self"].rpartition("/")[0]


def test_links_follow_the_request(shared_database_url, tmp_path, me):
    with asked_behind(shared_database_url, tmp_path) as http:
        page, account = link(http, me, headers={})

    assert page == "http://inside:8000/api/v1/accounts?type=all&page=1"
    assert account == "http://inside:8000/api/v1/accounts"


@pytest.mark.parametrize("path", ["/api/v1/accounts", "/books/api/v1/accounts", "/books/api/v1/accounts/"])
def test_links_follow_the_public_address_with_its_path_and_no_header(shared_database_url, tmp_path, me, path):
    settings = {"base_url": "https://example.org/books/", "trusted_proxies": "*"}

    with asked_behind(shared_database_url, tmp_path, **settings) as http:
        page, account = link(http, me, path, headers={"X-Forwarded-Host": "evil.example", "Host": "example.org"})

    assert page == "https://example.org/books/api/v1/accounts?type=all&page=1"
    assert account == "https://example.org/books/api/v1/accounts"


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("trusted", "client", "expected"),
    [
        ("", "10.1.2.3", "http://inside:8000"),
        ("10.0.0.0/8", "203.0.113.9", "http://inside:8000"),
        ("10.0.0.0/8", "10.1.2.3", "https://money.example/books"),
        ("192.0.2.1,10.1.2.3", "10.1.2.3", "https://money.example/books"),
        ("2001:db8::/32", "2001:db8::7", "https://money.example/books"),
        ("10.0.0.0/8", "::ffff:10.1.2.3", "https://money.example/books"),
        ("10.0.0.0/8", "a-unix-socket", "http://inside:8000"),
        ("*", "a-unix-socket", "https://money.example/books"),
    ],
)
def test_forwarded_headers_count_only_from_trusted_proxies(
    shared_database_url, tmp_path, me, trusted, client, expected
):
    with asked_behind(shared_database_url, tmp_path, client=client, trusted_proxies=trusted) as http:
        page, _ = link(http, me)

    assert page == f"{expected}/api/v1/accounts?type=all&page=1"


NO_HOSTS = ("[", "[::1", "]", "[x]", "[1:2:3:4:5:6:7:8:9]", "evil.example/x", "me@evil.example", "a b", '"', "ö", "x:y")


def test_a_host_that_is_none_is_not_believed_and_breaks_nothing(shared_database_url, tmp_path, me):
    with asked_behind(shared_database_url, tmp_path, trusted_proxies="*") as http:
        for name in ("Host", "X-Forwarded-Host"):
            for host in NO_HOSTS:
                wrong = {name: host.encode("latin-1")}
                statuses = [http.get(f"/api/v1/{path}", headers=wrong).status_code for path in ("session", "first_run")]
                assert statuses == [401, 200], wrong
                assert link(http, me, headers=wrong)[0] == "http://inside:8000/api/v1/accounts?type=all&page=1", wrong


def test_what_a_visitor_has_written_and_the_proxy_passed_on_is_not_believed(shared_database_url, tmp_path, me):
    written = [("Proto", "javascript"), ("Proto", "[::"), ("Prefix", "["), ("Prefix", ".evil"), ("Prefix", "//evil/ö")]
    with asked_behind(shared_database_url, tmp_path, trusted_proxies="*") as http:
        for name, value in written:
            forwarded = {f"X-Forwarded-{name}": value.encode("latin-1")}
            assert http.get("/api/v1/session", headers=forwarded).status_code == 401, forwarded
            page, _ = link(http, me, headers=forwarded)
            assert page == "http://inside:8000/api/v1/accounts?type=all&page=1", forwarded


def test_hosts_of_every_kind_are_believed(shared_database_url, tmp_path, me):
    with asked_behind(shared_database_url, tmp_path) as http:
        for host in ("[::1]:8000", "[2001:db8::7]", "127.0.0.1:8000", "money_box.local", "xn--mnze-0qa.example"):
            assert link(http, me, headers={"Host": host})[0] == f"http://{host}/api/v1/accounts?type=all&page=1"


def test_what_strangers_ask_for_is_not_remembered(world):
    """Addresses and hosts may be of any length; only those that can be ours are kept in memory."""
    known = api_versions._locate_cached.cache_info().currsize
    for number in range(20):
        path = f"/api/v1/{number}{'x' * 5000}"
        assert world.http.get(path, headers={"Host": f"{number}{'h' * 5000}"}).status_code == 404

    assert api_versions._locate_cached.cache_info().currsize == known


@pytest.mark.parametrize(("letters", "is_one"), [(259, True), (260, False), (5000, False)])
def test_a_host_has_an_end(letters, is_one):
    assert public_address._is_host("h" * letters) is is_one
    assert (
        PublicAddress("http", "h" * letters).base(("127.0.0.1", 80))
        == f"http://{'h' * 259 if is_one else '127.0.0.1:80'}"
    )
