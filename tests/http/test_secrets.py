"""What is shown once is nowhere in the database, whatever key a request came with: read after everything was used."""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pyotp
import pytest

from farthing.api.v1.routes import ROUTES
from farthing.storage.schema import TABLES

from ..apps.app import registered
from ..conftest import Client
from ..factors.authenticator import Authenticator
from ..factors.test_passkeys import Page, adds, signs_in
from ..sessions.browser import PASSWORD, Browser, somebody
from ..upgrade import household
from ..versions import describe

SHOWING = {route.path for route in ROUTES if route.shows_secret}
KEY = "Idempotency-Key"
# Fields that hold a secret, or an address with one in it.
SECRETS = {"token", "secret", "client_secret", "code", "recovery_codes", "redirect", "password"}
# They have a field of such a name: the code of a currency.
CURRENCIES = {"currencies.create", "currencies.prefer"}


@dataclass
class Keys:
    """Gives each POST a key; where that is refused, sends it again without."""

    shown: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    count: int = 0

    def send(self, request: Any, method: str, path: str, options: dict[str, Any]) -> Any:
        if method != "POST":
            return request(method, path, **options)
        self.count += 1
        headers = options.pop("headers", {})
        answer = request(method, path, headers={**headers, KEY: f"key-{self.count}"}, **options)
        if answer.status_code != 422 or KEY not in answer.json()["errors"]:
            return answer
        self.refused.add(path)
        answer = request(method, path, headers=headers, **options)
        assert answer.status_code == 200, answer.text
        self.shown.update(_secrets(answer.json()))
        return answer


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> Keys:
    keys = Keys()
    for kind in (Browser, Client):
        monkeypatch.setattr(kind, "request", _with_keys(keys, kind.request))
    return keys


def _with_keys(keys: Keys, plain: Any) -> Any:
    def request(self: Any, method: str, path: str, **options: Any) -> Any:
        return keys.send(lambda *given, **more: plain(self, *given, **more), method, path, options)

    return request


@pytest.mark.any_database
def test_what_is_shown_once_is_kept_nowhere(new_world, keys):
    world = new_world
    household.moved_in(world)
    _use_every_secret(world)

    with world.books.reading() as db:
        cells = {
            (table, column): {str(row[0]) for row in db.all(f"SELECT {column} FROM {table}")}
            for table, columns in TABLES.items()
            for column in columns
        }
    assert {re.sub("[0-9]+", "{id}", path) for path in keys.refused} == SHOWING
    assert len(keys.shown) > 25
    # An authenticator app's key has to be known, to check its codes, and that of a webhook to sign.
    kept = [cell for column, values in cells.items() if column != ("factors", "secret") for cell in values]
    assert [
        secret for secret in keys.shown if not secret.startswith("whsec_") and any(secret in cell for cell in kept)
    ] == []
    # Nor do the answers that are kept hold anything else of which there is a hash.
    told = {text for body in cells["answers", "body"] if body for _, text in _texts(json.loads(body))}
    assert len(told) > 100
    assert {hashlib.sha256(text.encode()).hexdigest() for text in told}.isdisjoint(kept)


@pytest.mark.any_database
def test_every_route_that_shows_a_secret_says_so():
    described = describe()
    names = {
        route.name: set(_names(described, _answer(described, route))) for route in ROUTES if route.method == "POST"
    }

    showing = {name for name, fields in names.items() if fields & SECRETS} - CURRENCIES

    assert showing == {route.name for route in ROUTES if route.shows_secret}


def _use_every_secret(world):
    person = somebody(world)
    page, _ = signs_in(world, person)
    page.post("/tokens", {"name": "phone", "access": "full"})
    page.post("/invitations", {"role": "viewer", "name": "Sam"})
    body = {"title": "Hook", "url": "https://hooks.example.org", "events": ["bill.due"]}
    hook = page.post("/webhooks", body).json()["data"]
    page.post(f"/webhooks/{hook['id']}/secret")
    registered(page, confidential=True).come_back()
    made = page.post("/factors", {"name": "Phone", "current_password": PASSWORD}).json()["data"]
    code = pyotp.parse_uri(made["attributes"]["address"]).at(world.time.now)
    codes = page.post(f"/factors/{made['id']}/confirm", {"otp": code}).json()["data"]["recovery_codes"]
    page.post("/factors/recovery_codes", {"otp": codes[0]})
    other = Page(world)
    other.post("/session", {"email": somebody(world, "eve@example.org").email, "password": PASSWORD})
    adds(other, Authenticator())


def _secrets(answer: Any) -> Iterator[str]:
    for name, text in _texts(answer):
        if name == "redirect":
            yield parse_qs(urlsplit(text).query)["code"][0]
        elif name in SECRETS:
            yield text


def _texts(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Every text of an answer, with the name of its field."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, name)
    elif isinstance(value, str):
        yield name, value


def _answer(described: Any, route: Any) -> Any:
    return described["paths"][f"/api/v1{route.path}"]["post"]["responses"].get("200", {})


def _names(described: Any, schema: Any, above: tuple[str, ...] = ()) -> Iterator[str]:
    """The names of all fields of a schema."""
    if isinstance(schema, list):
        for inner in schema:
            yield from _names(described, inner, above)
    if not isinstance(schema, dict):
        return
    reference = schema.get("$ref", "")
    if "/schemas/" in reference and reference not in above:
        name = reference.rpartition("/")[2]
        yield from _names(described, described["components"]["schemas"][name], (*above, reference))
    yield from schema.get("properties", {})
    for inner in schema.values():
        yield from _names(described, inner, above)
