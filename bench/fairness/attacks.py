"""What one ordinary user sends to keep the server busy. To add an attack, add a line to `ATTACKS`."""

import re
from collections.abc import Callable
from itertools import islice
from urllib.parse import quote

import msgspec
from msgspec import Struct

from .. import furnish
from ..books import FIRST_DAY, LAST_DAY
from ..driver import Endpoint, ask, body_of, head_of
from ..lines import withdrawal
from . import imports
from .people import PASSWORD, Attacker

# Sent again and again, in turns, by each connection.
Requests = list[bytes]
_TEN_YEARS = f"start={FIRST_DAY}&end={LAST_DAY}"
_TWENTY_YEARS = f"start={LAST_DAY.year - 19}-01-01&end={LAST_DAY}"
_BULK, _SPLITS, _RULES = 1000, 300, 100


class Attack(Struct, frozen=True):
    """`prepare` may ask the server for what it needs, and returns what is sent.

    With `hangs_up_s` nobody waits for an answer longer than that: the connection is closed, and the next one opened.
    """

    name: str
    prepare: Callable[[Endpoint, Attacker], Requests]
    connections: int = 16
    hangs_up_s: float | None = None


def _get(*paths: str) -> Callable[[Endpoint, Attacker], Requests]:
    return lambda endpoint, _attacker: [endpoint.request("GET", f"/api/v1{path}") for path in paths]


def _post(endpoint: Endpoint, path: str, fields: object, method: str = "POST") -> bytes:
    return endpoint.request(method, f"/api/v1{path}", msgspec.json.encode(fields))


def _make(endpoint: Endpoint, path: str, fields: object) -> str:
    """The id of what was made."""
    answer = ask(endpoint, _post(endpoint, path, fields))
    assert head_of(answer).startswith(b"HTTP/1.1 200"), answer.decode(errors="replace")[:1000]
    data = msgspec.json.decode(body_of(answer))["data"]
    return str((data[0] if isinstance(data, list) else data)["id"])


def _bulk(endpoint: Endpoint, attacker: Attacker) -> Requests:
    one = msgspec.json.decode(
        withdrawal(
            day=str(LAST_DAY),
            amount="1.50",
            source_id=attacker.facts.asset_ids[0],
            destination_id=attacker.facts.expense_ids[0],
        )
    )
    return [_post(endpoint, "/transactions/bulk?dry_run=1", {"transactions": [one] * _BULK})]


def _many_rules(endpoint: Endpoint, attacker: Attacker) -> Requests:
    furnish.rules(endpoint, attacker.facts)
    group = msgspec.json.decode(body_of(ask(endpoint, endpoint.request("GET", "/api/v1/rule_groups"))))
    group_id = group["data"][-1]["id"]
    span = f"start={LAST_DAY.year}-01-01&end={LAST_DAY}"
    return [
        endpoint.request("GET", f"/api/v1/rule_groups/{group_id}/test?{_TEN_YEARS}&limit=1000"),
        _post(endpoint, f"/rule_groups/{group_id}/trigger?{span}&dry_run=1", {}),
        _post(endpoint, f"/rule_groups/{group_id}/trigger?{_TEN_YEARS}&dry_run=1", {}),
    ]


def _wide_entry(attacker: Attacker, number: int) -> dict[str, object]:
    """A withdrawal with very many splits."""
    source_id = attacker.facts.asset_ids[0]
    splits = [
        {"amount": f"{one}.25", "currency_code": "EUR", "source_id": source_id, "destination_name": f"Shop {one % 100}",
         "category_name": f"Kind {one % 20}", "description": f"part {number} {one}"}
        for one in range(1, _SPLITS)
    ]  # fmt: skip
    return {"type": "withdrawal", "date": str(LAST_DAY), "description": "Many parts", "transactions": splits}


def _heavy_puts(endpoint: Endpoint, attacker: Attacker) -> Requests:
    id_ = _make(endpoint, "/transactions", _wide_entry(attacker, 0))
    return [_post(endpoint, f"/transactions/{id_}", _wide_entry(attacker, number), "PUT") for number in range(8)]


def _relabelling(endpoint: Endpoint, _attacker: Attacker) -> Requests:
    ids = []
    for number in range(1, 2):
        path = f"/api/v1/transactions?type=withdrawal&limit=1000&page={number}"
        ids += [one["id"] for one in msgspec.json.decode(body_of(ask(endpoint, endpoint.request("GET", path))))["data"]]
    return [
        _post(endpoint, "/transactions/bulk", {"ids": ids[:_BULK], "category_name": f"Class {number}"}, "PUT")
        for number in range(8)
    ]


def _creates(endpoint: Endpoint, attacker: Attacker) -> Requests:
    facts = attacker.facts
    return [
        endpoint.request("POST", "/api/v1/transactions",
            withdrawal(day=str(LAST_DAY), amount="2.50", source_id=source, destination_id=facts.expense_ids[0]))
        for source in islice(facts.asset_ids, 20)
    ]  # fmt: skip


def _wrong_sign_ins(endpoint: Endpoint, attacker: Attacker) -> Requests:
    """Also under names that nobody has: a password is hashed for those as well."""
    emails = [attacker.email, *(f"nobody{number}@farthing.example" for number in range(50))]
    return [_post(endpoint, "/session", {"email": one, "password": "a wrong guess"}) for one in emails]


def _sign_ins(endpoint: Endpoint, attacker: Attacker) -> Requests:
    return [_post(endpoint, "/session", {"email": attacker.email, "password": PASSWORD})]


def _passwords(endpoint: Endpoint, attacker: Attacker) -> Requests:
    """A signed-in user whose password is checked again and again."""
    answer = ask(endpoint, _sign_ins(endpoint, attacker)[0])
    cookie = re.search(rb"set-cookie: (farthing_session=[^;]+)", answer)
    token = msgspec.json.decode(body_of(answer))["data"]["attributes"]["csrf_token"]
    assert cookie
    body = msgspec.json.encode({"name": "flood", "access": "read", "current_password": PASSWORD})
    head = (
        f"POST /api/v1/tokens HTTP/1.1\r\nhost: {endpoint.host}:{endpoint.port}\r\ncookie: {cookie[1].decode()}\r\n"
        f"x-csrf-token: {token}\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    return [head.encode() + body]


def _previews(endpoint: Endpoint, _attacker: Attacker) -> Requests:
    files = (("books.journal", imports.JOURNAL), ("many.journal", imports.PATTERNS))
    return [imports.upload(endpoint, name, content) for name, content in files]


def _zips(endpoint: Endpoint, _attacker: Attacker) -> Requests:
    """Small ones, whose contents are large or include each other by patterns."""
    large = {"books.journal": imports.JOURNAL}
    wild = {f"{number}.journal": imports.PATTERNS for number in range(100)}
    return [imports.upload(endpoint, "books.zip", imports.make_zip(files)) for files in (large, wild)]


def _skipped(endpoint: Endpoint, _attacker: Attacker) -> Requests:
    return [imports.upload(endpoint, "statement.xml", imports.CAMT)]


def _saves(endpoint: Endpoint, _attacker: Attacker) -> Requests:
    """Import jobs are saved again unchanged, which examines no file again, and with other options."""
    job_ids = [imports.create(endpoint, f"{name}.journal", imports.JOURNAL + name.encode()) for name in ("; a", "; b")]
    changed = {"mapping": {}, "options": {"partial": True}}
    return [_post(endpoint, f"/import_jobs/{id_}", fields, "PUT") for fields in ({}, changed) for id_ in job_ids]


def _unfinished(endpoint: Endpoint, _attacker: Attacker) -> Requests:
    """Most of each body never comes."""
    whole = imports.upload(endpoint, "large.csv", b"1,2,3\n" * 2**20)
    return [whole[: 2**20]]


def _matching(endpoint: Endpoint, _attacker: Attacker) -> Requests:
    """Nearly all transactions get another category, in the background, many times over."""
    path = f"/transactions/matching?{_TEN_YEARS}&type=withdrawal"
    changes = [_post(endpoint, path, {"category_name": f"Class {number}"}, "PUT") for number in range(8)]
    return [*changes, endpoint.request("GET", f"/api/v1{path}")]


def _imports(endpoint: Endpoint, _attacker: Attacker) -> Requests:
    """Several long imports run, and their state is asked for meanwhile."""
    job_ids = [imports.begin(endpoint, "books.journal", imports.JOURNAL) for _ in range(4)]
    return [endpoint.request("GET", f"/api/v1/import_jobs/{job_id}") for job_id in job_ids]


def _includes(endpoint: Endpoint, attacker: Attacker) -> Requests:
    paths = [
        "/accounts?limit=1000&include=transactions,piggy_banks,user",
        "/categories?limit=1000&include=transactions",
        "/transactions?limit=1000&include=tags,attachments,piggy_bank_events,user",
        f"/accounts/{attacker.facts.asset_ids[0]}/transactions?limit=1000&balances=1&include=tags,attachments",
    ]
    return _get(*paths)(endpoint, attacker)


_REPORTS = tuple(
    f"/reports/breakdown?by={by}&{_TEN_YEARS}&period={period}&compare=before,year_ago&limit=50"
    for by, period in (("payee", "month"), ("category", "month"), ("tag", "quarter"), ("account", "year"))
)
_MONTHLY = f"/reports/breakdown?by=payee&{_TWENTY_YEARS}&period=month"
_CHARTS = (
    f"/chart/account/overview?{_TEN_YEARS}&period=quarter",
    f"/chart/account/overview?{_TWENTY_YEARS}",
    f"/chart/account/overview?start={LAST_DAY.year - 1}-12-01&end={LAST_DAY}&period=day",
    f"/chart/net_worth?{_TWENTY_YEARS}&period=month",
    f"/chart/net_worth?start={LAST_DAY.year - 1}-12-01&end={LAST_DAY}&period=day",
    f"/chart/cash_flow?{_TWENTY_YEARS}&period=month",
    f"/dashboard?start={LAST_DAY.year}-01-01&end={LAST_DAY}&chart_start={LAST_DAY.year}-01-01&chart_end={LAST_DAY}",
)
_SEARCHES = tuple(
    f"/search/transactions?query={quote(query)}&limit=1000{rest}"
    for query, rest in (("e", ""), ("shop account weekly", ""), ("", "&amount_min=0.01&amount_max=99999"),
                        ("category_is:nothing", ""), ("", "&no_budget=1&type=withdrawal"))
)  # fmt: skip
_LISTS = ("/transactions?limit=1000", f"/accounts?limit=1000&{_TEN_YEARS}", f"/bills?limit=1000&{_TEN_YEARS}")

ATTACKS = (
    Attack("monthly reports over twenty years", _get(_MONTHLY)),
    Attack("reports", _get(*_REPORTS)),
    Attack("60 reports hung up", _get(*_REPORTS, _MONTHLY), connections=60, hangs_up_s=0.3),
    Attack("charts", _get(*_CHARTS)),
    Attack("searches", _get(*_SEARCHES)),
    Attack("60 searches hung up", _get(*_SEARCHES), connections=60, hangs_up_s=0.3),
    Attack("long lists on 64 connections", _get(*_LISTS), connections=64),
    Attack("includes", _includes),
    Attack("rules over everything", _many_rules),
    Attack("bulk dry runs", _bulk, connections=4),
    Attack("relabelling in bulk", _relabelling),
    Attack("PUTs with 300 splits", _heavy_puts),
    Attack("creates on 32 connections", _creates, connections=32),
    Attack("exports", _get(f"/export?format=csv&{_TEN_YEARS}", "/export?format=json"), connections=8),
    Attack("uploads hung up", _previews, connections=8, hangs_up_s=0.5),
    Attack("zips hung up", _zips, connections=8, hangs_up_s=0.5),
    Attack("XML with much that is skipped", _skipped, connections=4),
    Attack("import jobs saved again", _saves, connections=8),
    Attack("unfinished uploads", _unfinished, connections=40, hangs_up_s=3),
    Attack("changes of all that match", _matching, connections=4),
    Attack("long imports", _imports, connections=4),
    Attack("wrong sign-ins", _wrong_sign_ins),
    Attack("right sign-ins", _sign_ins),
    Attack("passwords checked for tokens", _passwords),
)
