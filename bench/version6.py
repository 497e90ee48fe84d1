"""Compares version 6 of the API with the first version, and its searches and insights with themselves on larger books."""

import http.client
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import quote

import msgspec

from .books import EXTERNAL, Facts, external_id
from .comparisons import Measuring
from .driver import Endpoint, ask, body_of
from .lines import MONTH, NAMED, Line, Request, choose
from .measure import Sample, Served, Trial, ratio, typical
from .processes import Server, family, status_bytes
from .results import Row, Target, target

BYTES_MAX, CREATE_MAX, FLAT_MAX, GROWTH_MB_MAX = 1.15, 1.25, 1.3, 20
COUNT_MS_MAX, SEARCH_MS_MAX, INSIGHT_MS_MAX = 1, 60, 10
MANY = 10_000
_PREFIX = "/v6/api/v1"


def _like(key: str) -> Line:
    """Sends the same request as a line of the first version."""
    line = NAMED[key]
    return Line(
        f"{key}_v6",
        f"{line.name}, version 6",
        lambda facts, n: Request("GET", line.ask(facts, n).path.replace("/api/v1", _PREFIX)),
        floors=False,
    )


def _get(key: str, name: str, address: Callable[[Facts, int], str]) -> Line:
    return Line(f"{key}_v6", name, lambda facts, n: Request("GET", _PREFIX + address(facts, n)), floors=False)


def _search(name: str, query: Callable[[Facts, int], str] | str) -> Line:
    def address(facts: Facts, n: int) -> str:
        text = query if isinstance(query, str) else query(facts, n)
        return f"/search/transactions?query={quote(text)}"

    return _get(f"search_{name}", f"search for {name.replace('_', ' ')}", address)


def _insight(path: str) -> Line:
    return _get(f"insight_{path.replace('/', '_')}", f"insight: {path}", lambda _facts, _n: f"/insight/{path}?{MONTH}")


def _create(facts: Facts, number: int) -> Request:
    """The same withdrawal as in the first version."""
    fields = choose(facts, number)
    split = {"type": "withdrawal", "date": fields.pop("day"), "description": "Weekly shopping", "currency_code": "EUR"}
    return Request("POST", f"{_PREFIX}/transactions", msgspec.json.encode({"transactions": [{**split, **fields}]}))


def _find_external(facts: Facts, number: int) -> str:
    return external_id(number * 787 * EXTERNAL % facts.transactions)


LISTS = tuple(
    map(_like, ("accounts", "transactions", "transactions_deep", "account_transactions", "bills_year", "budgets_year"))
)
CREATE = Line("create_v6", "create a transaction, version 6", _create, writes=True, floors=False)
COUNT = _get(
    "count",
    "count by external id",
    lambda facts, n: f"/search/transactions/count?external_identifier={_find_external(facts, n)}",
)
SEARCHES = (
    _search("words", "garden tools"),
    _search("a_part_of_a_word", "description_contains:ycl"),
    _search("a_description", lambda _facts, n: f'description_is:"cinema {n * 14 % 500 + 10}"'),
    _search("notes", "notes_contains:neighbours"),
    _search("an_external_id", lambda facts, n: f"external_id_is:{_find_external(facts, n)}"),
    _search("an_amount", lambda _facts, n: f"amount_is:{90_000_000 + n}.1"),
    _search("large_amounts", "more:150"),
    _search("days", "date_after:2024-10-01"),
    _search("an_account", lambda _facts, n: f'account_is:"Account {n % 50:02}"'),
    _search("a_payee", lambda _facts, n: f'destination_account_is:"Shop {n % 120:03}"'),
    _search("a_category", lambda _facts, n: f'category_is:"categories {n % 30:02}"'),
    _search("a_budget", 'budget_is:"budgets 08"'),  # the only one with transactions
    _search("a_bill", lambda _facts, n: f'bill_is:"Bill {n % 50:02}"'),
    _search("a_tag", lambda _facts, n: f'tag_is:"tags {n % 2 * 10 + 7:02}"'),
    _search("no_category", "has_no_category:true"),
    _search("a_type", "type:transfer"),
    _search("a_foreign_currency", "foreign_currency_is:USD"),
    _search("files", "has_attachments:true"),
    _search("an_id", lambda facts, n: f"journal_id:{facts.changed_ids[n % len(facts.changed_ids)]}"),
)
INSIGHTS = tuple(
    map(
        _insight,
        ("expense/category", "expense/tag", "expense/expense", "expense/no-bill", "income/revenue", "transfer/asset"),
    )
)
LONG = "long_list_v6"
KEYS = (*(line.key for line in (*LISTS, CREATE, COUNT, *SEARCHES, *INSIGHTS)), LONG)


def compare(
    measuring: Measuring, servers: Sequence[tuple[Facts, Server]], keys: Sequence[str]
) -> Iterator[Row | Target]:
    """`servers` go from the smallest books to the largest."""
    subjects = [Served(str(facts.transactions), server, facts) for facts, server in servers]
    large = subjects[-1]
    for line in (each for each in LISTS if each.key in keys):
        yield from _against_first(measuring, line, large)
    if CREATE.key in keys:
        samples = measuring.samples([Trial(line.key, line, large) for line in (CREATE, NAMED["create"])])
        yield row_of(CREATE, large, samples[CREATE.key])
        yield target(f"{CREATE.name}: against the first version", ratio(samples, CREATE.key, "create"), CREATE_MAX)
    limits = {COUNT: COUNT_MS_MAX} | dict.fromkeys(SEARCHES, SEARCH_MS_MAX) | dict.fromkeys(INSIGHTS, INSIGHT_MS_MAX)
    for line, limit in limits.items():
        if line.key in keys:
            yield from _flat(measuring, line, subjects, limit)
    if LONG in keys:
        grown = _grow(large.server, MANY) - _grow(large.server, MANY // 10 + 1)
        yield target(f"{MANY} transactions in one answer, growth of memory, MB", grown / 1e6, GROWTH_MB_MAX)


def _against_first(measuring: Measuring, line: Line, served: Served) -> Iterator[Row | Target]:
    first = NAMED[line.key.removesuffix("_v6")]
    samples = measuring.samples([Trial(each.key, each, served) for each in (line, first)])
    smaller = _count_bytes(served, first) / _count_bytes(served, line)
    yield row_of(line, served, samples[line.key])
    per_byte = ratio(samples, line.key, first.key) * smaller
    yield target(f"{line.name}: CPU per byte against the first version", per_byte, BYTES_MAX)


def _count_bytes(served: Served, line: Line) -> int:
    asked = line.ask(served.facts, 0)
    return len(body_of(ask(served.server.endpoint, served.server.endpoint.request(asked.method, asked.path))))


def _flat(measuring: Measuring, line: Line, subjects: Sequence[Served], ms_max: float) -> Iterator[Row | Target]:
    samples = measuring.samples([Trial(subject.name, line, subject) for subject in subjects])
    for subject in subjects:
        yield row_of(line, subject, samples[subject.name])
    small, large = subjects[0], subjects[-1]
    # What is found less often in small books gives a shorter answer there.
    longer = max(1, _count_bytes(large, line) / _count_bytes(small, line))
    grown = ratio(samples, large.name, small.name) / longer
    yield target(f"{line.name}: {large.name} against {small.name} transactions, per byte", grown, FLAT_MAX)
    yield target(f"{line.name}: CPU ms", typical(samples[large.name]).cpu_us / 1000, ms_max)


def row_of(line: Line, subject: Served, samples: list[Sample]) -> Row:
    return Row.of(
        typical(samples),
        line=line.key,
        name=line.name,
        database="sqlite",
        transactions=subject.facts.transactions,
        workers=1,
    )


def _grow(server: Server, transactions: int) -> int:
    """Returns how much memory the server and its processes have at their peak, while they send one long list."""
    pid, peak = server.process.pid, 0
    for _ in _read_pieces(server.endpoint, f"{_PREFIX}/transactions?limit={transactions}"):
        peak = max(peak, sum(_read_memory(one) for one in family(pid)))
    return peak


def _read_memory(pid: int) -> int:
    try:
        return status_bytes(pid, "VmRSS:")
    except OSError:  # it has ended meanwhile
        return 0


def _read_pieces(endpoint: Endpoint, path: str) -> Iterator[bytes]:
    connection = http.client.HTTPConnection(endpoint.host, endpoint.port)
    connection.request("GET", path, headers={"Authorization": f"Bearer {endpoint.token}"})
    with connection.getresponse() as answer:
        assert answer.status == 200, answer.status
        while piece := answer.read(1 << 18):
            yield piece
    connection.close()
