"""How do many clients work at once? Each in a thread of its own, over HTTP, noting down every answer."""

import http.client
import json
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from .drawing import Drawing, Made
from .requests import Answered, Request

CLIENTS = 8
PATIENCE_SECONDS = 120
# So often a client names what belongs to somebody else.
_STRAYS = 0.04


@contextmanager
def answering(port: int, token: str, request: Request) -> Iterator[http.client.HTTPResponse]:
    """The answer as soon as it begins. A connection for each request, so that any worker may get it."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    headers = {"Authorization": f"Bearer {token}", "Connection": "close"}
    body = None if request.body is None else json.dumps(request.body)
    if body:
        headers["Content-Type"] = "application/json"
    try:
        line.request(request.method, request.address, body, headers)
        yield line.getresponse()
    finally:
        line.close()


def ask(port: int, token: str, request: Request) -> tuple[int, Any]:
    """Numbers are read exactly."""
    with answering(port, token, request) as response:
        text = response.read()
    return response.status, json.loads(text, parse_float=Decimal) if text else None


@dataclass
class Person:
    """A user with one token for each client, and what has been made for it."""

    id: int
    tokens: Sequence[str]
    made: Made = field(default_factory=Made)
    log: list[Answered] = field(default_factory=list)

    def ask(self, port: int, client: int, request: Request) -> Answered:
        began = time.monotonic()
        status, answer = ask(port, self.tokens[client], request)
        answered = Answered(client, request, began, time.monotonic(), status, answer)
        self.log.append(answered)
        if answered.committed:
            self.made.learn(answered)
        return answered


def everyone_at_once(port: int, people: Sequence[Person], seed: int, operations: int) -> None:
    with ThreadPoolExecutor(CLIENTS) as pool:
        working = [pool.submit(_work, port, people, seed, client, operations) for client in range(CLIENTS)]
        for one in working:
            one.result(timeout=PATIENCE_SECONDS + operations)


def _work(port: int, people: Sequence[Person], seed: int, client: int, operations: int) -> None:
    chance = random.Random(f"{seed} {client}")
    for number in range(operations):
        person = chance.choice(people)
        known = chance.choice(people) if chance.random() < _STRAYS else person
        request = Drawing(chance, known.made).request(f"c{client}n{number}")
        answered = person.ask(port, client, request)
        assert answered.status < 500, answered


def first_accounts(port: int, person: Person) -> None:
    """What everybody begins with, made one after the other; these are never closed."""
    for name, code in (("Purse", "EUR"), ("Vault", "EUR"), ("Pocket", "USD"), ("Jar", "JPY")):
        body = {
            "type": "asset", "account_role": "defaultAsset", "name": name, "currency_code": code, "active": True,
            "include_net_worth": True,
        }  # fmt: skip
        answered = person.ask(port, 0, Request("open account", "POST", "/accounts", body=body))
        assert answered.status == 200, answered
    person.made.kept.update(person.made.accounts)


def last_questions(chance: random.Random, made: Made) -> Iterator[Request]:
    """When all is done everything is asked for: every list, every account, balances of many days, every word."""
    drawing = Drawing(chance, made)
    for word in ("default", "all", "withdrawal", "deposit", "transfer", "special"):
        yield Request("list", "GET", "/transactions", {"type": word, "limit": "1000"})
        start, end = sorted([drawing.day(), drawing.day()])
        yield from _pages("list", "/transactions", {"type": word, "start": start, "end": end}, size=40, pages=3)
    yield Request("list accounts", "GET", "/accounts", {"limit": "1000"})
    for _ in range(12):
        yield Request("list accounts", "GET", "/accounts", {"limit": "1000", "date": drawing.day()})
    for account_id in list(made.accounts):
        path = f"/accounts/{account_id}"
        yield Request("show account", "GET", path, target=account_id)
        yield Request("list of account", "GET", f"{path}/transactions", {"limit": "1000"}, target=account_id)
    yield from (drawing.search() for _ in range(20))
    yield from (drawing.show() for _ in range(20))


def _pages(what: str, path: str, query: Mapping[str, str], *, size: int, pages: int) -> Iterator[Request]:
    for page in range(1, pages + 1):
        yield Request(what, "GET", path, {**query, "limit": str(size), "page": str(page)})
