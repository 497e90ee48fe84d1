"""Every query of the Grafana dashboard and of the suggested alerts finds something on the page of metrics."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from farthing.kernel.errors import Unavailable
from farthing.storage import installation, queue, tables
from farthing.storage.installation import Checkup

from ..conftest import NOW
from .test_addresses import asking

ROOT = Path(__file__).parents[2]
DASHBOARD = json.loads((ROOT / "deploy" / "monitoring" / "grafana.json").read_text())
# Prometheus adds these to whatever it reads.
_TARGET = {"job": "farthing", "instance": "farthing:8000"}
_LINE = re.compile(r"(\w+)(?:\{(.*)\})? \S+")
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
_SELECTOR = re.compile(r"(\b(?:farthing_\w+|up)\b)(?:\{([^}]*)\})?")
_MATCHER = re.compile(r"""(\w+)\s*(=~|!~|!=|=)\s*(["'])(.*?)\3""")
_BY = re.compile(r"\bby \(([\w, ]+)\)")
# The parts of the language that our queries use.
_WORDS = {"by", "histogram_quantile", "max", "min", "or", "rate", "sum", "time", "topk"}

Series = tuple[str, dict[str, str]]


def list_queries() -> Iterator[tuple[str, str]]:
    for panel in DASHBOARD["panels"]:
        for target in panel.get("targets", ()):
            yield panel["title"], target["expr"]
    alerts = (ROOT / "docs" / "operate" / "watching.md").read_text()
    yield from re.findall(r'\{alert: (\w+), expr: "(.*?)"', alerts)


QUERIES = list(list_queries())


@pytest.fixture
def page(new_world, monkeypatch) -> list[Series]:
    """The series of an installation in which everything has happened that is counted."""
    me = new_world.someone()
    now = (NOW - timedelta(minutes=5)).isoformat()
    with new_world.books.writing() as db:
        queue.add(db, me.user.id, "claim", 1, {}, now)
        for name in (installation.BOOKS, installation.BACKUP, installation.BACKUP_MADE, installation.BACKUP_VERIFIED):
            installation.store_checkup(db, name, Checkup(now, 0))
        add_deliveries(db, me.user.id, now)
    with asking(new_world) as http:
        with monkeypatch.context() as gone:
            gone.setattr(type(new_world.books), "read", _gone)
            assert http.get("/readyz").status_code == 503
        text = http.get("/metrics").text
    return [("up", _TARGET), *map(parse, (line for line in text.splitlines() if not line.startswith("#")))]


async def _gone(_self, _work, **_how):
    raise Unavailable("gone")


def add_deliveries(db, user_id: int, now: str) -> None:
    notice = {"key": "a", "kind": "test", "facts": "{}", "shown": 1, "created_at": now}
    tables.add(db, "notices", user_id=user_id, **notice)
    notice_id = db.value("SELECT id FROM notices WHERE user_id = :user_id", user_id=user_id)
    for channel, sent_at in (("email", None), ("app", now)):
        planned = {"channel": channel, "secret": channel, "next_at": now, "sent_at": sent_at, "created_at": now}
        tables.add(db, "notice_deliveries", user_id=user_id, notice_id=notice_id, **planned)


def parse(line: str) -> Series:
    name, labels = _LINE.fullmatch(line).groups()
    return name, {**_TARGET, **dict(_LABEL.findall(labels or ""))}


def fits(labels: dict[str, str], matchers: str) -> bool:
    for label, how, _, value in _MATCHER.findall(matchers):
        expected = value.replace("$job", _TARGET["job"])
        is_same = re.fullmatch(expected, labels[label]) if "~" in how else labels[label] == expected
        if bool(is_same) == how.startswith("!"):
            return False
    return True


@pytest.mark.any_database
def test_every_query_finds_what_it_asks_for(page):
    for title, query in QUERIES:
        found: set[str] = set()
        for name, matchers in _SELECTOR.findall(query):
            series = [labels for metric, labels in page if metric == name and fits(labels, matchers)]
            assert series, f"{title}: nothing is called {name}{{{matchers}}}"
            found |= set.intersection(*map(set, series))
        for labels in _BY.findall(query):
            assert set(re.split(", ?", labels)) <= found, f"{title}: {query}"
        rest = re.sub(r"\[[\w$]+\]", "", _BY.sub(" by ", _SELECTOR.sub(" ", query)))
        assert set(re.findall(r"[a-z_]+", rest)) <= _WORDS, f"{title}: {query}"


def test_legends_name_labels_of_their_queries():
    for panel in DASHBOARD["panels"]:
        for target in panel.get("targets", ()):
            labels = set(re.findall(r"\w+", " ".join(_BY.findall(target["expr"]))))
            assert set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])) <= labels, panel["title"]


def test_the_dashboard_works_wherever_it_is_imported():
    """It names no data source and no host, and no two panels overlap."""
    places: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not places & cells, panel["title"]
        assert max(x for x, _ in cells) < 24
        places |= cells
        for target in panel.get("targets", ()):
            assert target["datasource"] == {"type": "prometheus", "uid": "${datasource}"}
    assert {variable["name"] for variable in DASHBOARD["templating"]["list"]} == {"datasource", "job"}
    assert "instance=" not in json.dumps(DASHBOARD)
