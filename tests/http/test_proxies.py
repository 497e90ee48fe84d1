"""A proxy that is not trusted: the log, `doctor` and the owner hear of it; every example in the docs trusts its own."""

import logging
import re
import time
from datetime import timedelta
from pathlib import Path

import pytest

from farthing.care.doctor.page import HealthVerdict, page
from farthing.kernel.clock import stamp
from farthing.storage import installation

from ..conftest import running, settings_for
from ..sessions.browser import Browser, signed_in, somebody

DOCS = Path(__file__).parents[2]
PROXY = "10.0.0.1"


@pytest.fixture
def behind(new_database_url, tmp_path, check_answer):
    """A server that a proxy at 10.0.0.1 asks; nobody has said that it may be trusted."""
    for world in running(new_database_url, tmp_path, check_answer):
        world.http._transport._client = (PROXY, 50000)
        yield world


def warnings(caplog):
    return [record.getMessage() for record in caplog.records if record.name == "farthing.proxies"]


def until(condition):
    give_up = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < give_up, "it was not written down"
        time.sleep(0.01)


def unknown_proxy(world, **settings):
    chosen = settings_for(world.settings.database_url, world.settings.data, **settings)
    with world.books.reading() as db:
        return installation.find_unknown_proxy(db, chosen, stamp(world.time.now))


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP"])
def test_forwarded_headers_of_an_untrusted_proxy_are_logged_once_a_day(behind, caplog, header):
    with caplog.at_level(logging.WARNING):
        for _ in range(5):
            behind.http.get("/livez", headers={header: "198.51.100.7"})

        [warning] = warnings(caplog)
        assert warning == (
            "10.0.0.1 forwards requests, but is not trusted: everybody behind it shares one limit on sign-ins. "
            "If it is your proxy, set FARTHING_TRUSTED_PROXIES=10.0.0.1"
        )
        behind.time.now += timedelta(days=1)
        behind.http.get("/livez", headers={header: "198.51.100.7"})
        behind.http.get("/livez")
    assert len(warnings(caplog)) == 2


def test_doctor_and_the_owner_hear_of_it_until_it_is_trusted(behind):
    owner, other = somebody(behind), somebody(behind)
    assert (owner.is_owner, other.is_owner) == (True, False)
    behind.http.get("/livez", headers={"X-Forwarded-For": "198.51.100.7"})
    until(lambda: unknown_proxy(behind) == PROXY)

    told = {user.id: signed_in(behind, user).get("/session").json()["data"]["attributes"] for user in (owner, other)}

    assert (told[owner.id]["unknown_proxy"], told[other.id]["unknown_proxy"]) == (PROXY, None)
    assert Browser(behind).sign_in(owner.email).json()["data"]["attributes"]["unknown_proxy"] == PROXY
    [line] = [line for line in page(behind.settings, behind.books, behind.time.now) if line.name == "proxy"]
    assert line.verdict == HealthVerdict.LOOK
    assert "FARTHING_TRUSTED_PROXIES=10.0.0.1" in line.do
    assert unknown_proxy(behind, trusted_proxies="10.0.0.0/8") is None
    assert unknown_proxy(behind, trusted_proxies="*") is None
    behind.time.now += timedelta(days=7)
    assert unknown_proxy(behind) is None, "it has not been heard of for a week"


def test_strangers_who_pretend_to_be_proxies_fill_no_log(behind, caplog):
    with caplog.at_level(logging.WARNING):
        for number in range(50):
            behind.http._transport._client = (f"203.0.113.{number}", 50000)
            behind.http.get("/livez", headers={"X-Forwarded-For": "198.51.100.7"})

    assert len(warnings(caplog)) == 20


def test_a_trusted_proxy_is_no_news(new_database_url, tmp_path, check_answer, caplog):
    for world in running(new_database_url, tmp_path, check_answer, trusted_proxies=PROXY):
        world.http._transport._client = (PROXY, 50000)
        with caplog.at_level(logging.WARNING):
            world.http.get("/livez", headers={"X-Forwarded-For": "198.51.100.7"})
        assert warnings(caplog) == []


@pytest.mark.any_database
def test_every_example_that_sets_a_public_address_trusts_its_proxy():
    pages = [*DOCS.glob("*.md"), *DOCS.glob("docs/**/*.md")]
    blocks = [block for page in pages for block in re.findall(r"```\w*\n(.*?)```", page.read_text(), re.DOTALL)]
    public = [block for block in blocks if "FARTHING_BASE_URL" in block]

    assert len(public) >= 2
    assert [block for block in public if "FARTHING_TRUSTED_PROXIES" not in block] == []
