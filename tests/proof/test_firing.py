"""Several servers on one database, killed at random while the days go by: every planned day fires, and none twice."""

import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from farthing.storage.unit import Database

from ..conftest import migrated
from ..length import databases
from .fleet import Fleet
from .planning import DAY, LOOKED_AHEAD, Expected, Rule
from .test_at_once import a_person
from .test_killed import until

WHOLE = os.environ.get("FARTHING_PROOF") == "torture"
SEEDS = range(5) if WHOLE else range(1)
SERVERS = {"postgresql": 3 if WHOLE else 2, "sqlite": 2}
DAYS = 400
ROUNDS = 60 if WHOLE else 3
ACTIONS = 6
BEGIN = datetime(2024, 1, 10, 12, tzinfo=UTC)
ZONES = {"UTC": "NL", "Pacific/Kiritimati": "DE-BY", "America/Los_Angeles": ""}
PATIENCE_S = 120

KINDS: tuple[dict[str, Any], ...] = (
    {"rules": (Rule("daily", "", 0, 3),)},
    {"rules": (Rule("daily", "", 1, 4, holidays=True),)},
    {"rules": (Rule("weekly", "6", 0, 3), Rule("weekly", "6", 0, 4))},
    {"rules": (Rule("weekly", "1", 1, 2, holidays=True), Rule("monthly", "31", 0, 3))},
    {"rules": (Rule("monthly", "last", 0, 4, holidays=True),)},
    {"rules": (Rule("ndom", "5,5", 0, 1), Rule("ndom", "last,7", 1, 3))},
    {"rules": (Rule("yearly", "2020-02-29", 0, 3), Rule("yearly", "2020-12-25", 0, 4, holidays=True))},
    {"rules": (Rule("daily", "", 2, 4),), "count": 40},
    {"rules": (Rule("weekly", "3", 0, 1),), "until": date(2024, 11, 6)},
)
OTHER_RULES = (
    Rule("daily", "", 1, 3), Rule("weekly", "5", 0, 1), Rule("weekly", "7", 0, 4), Rule("monthly", "15", 0, 2),
)  # fmt: skip


@dataclass
class Kept:
    """`editable`: it has one repetition, so a planned day is one day."""

    id: int
    expected: Expected
    editable: bool


@dataclass
class Owner:
    token: str
    zone: str
    account_id: int = 0
    kept: list[Kept] = field(default_factory=list)
    deleted: Counter[tuple[int, date]] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)


class Story:
    """400 days of a few people, as told to whichever server lives."""

    def __init__(self, fleet: Fleet, owners: list[Owner], chance: random.Random) -> None:
        self.fleet, self.owners, self.chance = fleet, owners, chance
        self.now = BEGIN
        self.server = 0

    def ask(self, owner: Owner, method: str, path: str, body: Any = None, **query: str) -> tuple[int, Any]:
        status, answer = self.fleet.ask(self.server, owner.token, method, path, body=body, query=query)
        assert status < 500, (method, path, body, status, answer)
        if method != "GET":
            print(f"{self.now:%Y-%m-%d %H} {self.server} {method} {path} {body} {query}: {status}")  # noqa: T201
        return status, answer

    def today(self, owner: Owner) -> date:
        return self.now.astimezone(ZoneInfo(owner.zone)).date()

    def move_in(self, owner: Owner) -> None:
        self.ask(owner, "PUT", "/preferences/timezone", {"data": owner.zone})
        self.ask(owner, "PUT", "/preferences/holidayCountry", {"data": ZONES[owner.zone] or "none"})
        account = {"type": "asset", "account_role": "defaultAsset", "name": "Purse", "currency_code": "EUR"}
        flags = {"active": True, "include_net_worth": True}
        owner.account_id = int(self.ask(owner, "POST", "/accounts", account | flags)[1]["data"]["id"])
        for kind in KINDS:
            first = self.today(owner) + DAY * self.chance.randint(1, 20)
            before = self.today(owner) - DAY
            cents = self.chance.randint(1, 10_000)
            expected = Expected(first=first, settled=before, place=ZONES[owner.zone], cents=cents, **kind)
            status, answer = self.ask(owner, "POST", "/recurrences", self.body(owner, expected))
            assert status == 200, answer
            owner.kept.append(Kept(int(answer["data"]["id"]), expected, len(expected.rules) == 1))

    def body(self, owner: Owner, one: Expected) -> dict[str, Any]:
        split = {
            "description": "Due", "amount": str(Decimal(one.cents).scaleb(-2)), "currency_code": "EUR",
            "source_id": owner.account_id, "destination_name": "Shop",
        }  # fmt: skip
        body: dict[str, Any] = {
            "type": "withdrawal", "title": "Again", "first_date": one.first.isoformat(), "apply_rules": False,
            "active": one.active, "repetitions": [rule.body() for rule in one.rules], "transactions": [split],
        }  # fmt: skip
        if one.until:
            body["repeat_until"] = one.until.isoformat()
        if one.count:
            body["nr_of_repetitions"] = one.count
        return body

    # What people do meanwhile

    def act(self) -> None:
        owner = self.chance.choice(self.owners)
        kept = self.chance.choice(owner.kept)
        what = self.chance.choice(ACTS)
        owner.done[what.__name__] += bool(what(self, owner, kept))

    def some_day(self, owner: Owner, one: Expected) -> date | None:
        """A planned day, of those around today."""
        today = self.today(owner)
        days = sorted(day for day in one.planned_days(today + 2 * LOOKED_AHEAD) if day > today - 2 * LOOKED_AHEAD)
        return self.chance.choice(days) if days else None

    def skip(self, owner: Owner, kept: Kept) -> bool:
        day = self.some_day(owner, kept.expected)
        return day is not None and self._change_day(owner, kept, day, {"skip": True}, None)

    def move(self, owner: Owner, kept: Kept) -> bool:
        """With a limited number it matters what comes first, so that is moved only among what is to come."""
        one, today = kept.expected, self.today(owner)
        day = self.some_day(owner, one)
        if day is None or (one.count and day <= today + LOOKED_AHEAD):
            return False
        to = today + DAY * self.chance.randint(1 if one.count else -30, 30)
        return self._change_day(owner, kept, day, {"date": to.isoformat()}, to)

    def _change_day(self, owner: Owner, kept: Kept, day: date, body: dict[str, Any], to: date | None) -> bool:
        status, answer = self.ask(owner, "PUT", f"/recurrences/{kept.id}/occurrences/{day}", body)
        if status == 409:
            self._must_have_fired(owner, kept, day)
            return False
        assert status == 200, answer
        assert not kept.expected.has_made(day)
        kept.expected.exceptions[day] = to
        return True

    def _must_have_fired(self, owner: Owner, kept: Kept, day: date) -> None:
        one, today = kept.expected, self.today(owner)
        assert one.has_made(day) or any(made.planned == day for made in one.due(today)), f"{day} has not fired"

    def take_back(self, owner: Owner, kept: Kept) -> bool:
        one = kept.expected
        if not one.exceptions:
            return False
        ahead = [day for day in sorted(one.exceptions) if day > self.today(owner)]
        day = self.chance.choice(ahead or sorted(one.exceptions))
        status, answer = self.ask(owner, "DELETE", f"/recurrences/{kept.id}/occurrences/{day}")
        if status != 204:
            # It has happened, or would have; or it has happened, and after an edit nothing is planned there any more.
            assert status == 409 or (status == 422 and one.has_made(day)), answer
            return False
        del one.exceptions[day]
        return True

    def edit(self, owner: Owner, kept: Kept) -> bool:
        """Another amount, other days, a pause, or the end of one."""
        one = kept.expected
        rules = (self.chance.choice(OTHER_RULES),) if kept.editable and self.chance.random() < 0.5 else one.rules
        cents, active = self.chance.randint(1, 10_000), not one.active or self.chance.random() < 0.7
        wanted = Expected(rules, one.first, cents, one.settled, until=one.until, count=one.count, active=active)
        status, answer = self.ask(owner, "PUT", f"/recurrences/{kept.id}", self.body(owner, wanted))
        assert status == 200, answer
        one.edited(self.today(owner), rules, cents, active=active)
        return True

    def delete(self, owner: Owner, kept: Kept) -> bool:
        _, answer = self.ask(owner, "GET", f"/recurrences/{kept.id}/transactions", limit="50")
        if not answer["data"]:
            return False
        line = self.chance.choice(answer["data"])
        status, _ = self.ask(owner, "DELETE", f"/transactions/{line['id']}")
        assert status == 204
        owner.deleted[kept.id, date.fromisoformat(line["attributes"]["date"])] += 1
        return True

    def trigger(self, owner: Owner, kept: Kept) -> bool:
        """Also ahead of time."""
        today = self.today(owner)
        upto = today + DAY * self.chance.randint(0, 12)
        status, answer = self.ask(owner, "POST", f"/recurrences/{kept.id}/trigger", date=upto.isoformat())
        assert status in (200, 204), answer
        kept.expected.run(upto, today)
        return True

    def trigger_all(self, owner: Owner, _kept: Kept) -> bool:
        status, answer = self.ask(owner, "POST", "/recurrences/trigger")
        assert status in (200, 204), answer
        for one in owner.kept:
            one.expected.run_if_due(self.today(owner))
        return True

    # The end

    def settle(self, database: Database) -> None:
        """When nothing is due any more, everything must be as expected."""
        latest = (self.now + timedelta(hours=14)).date()
        deadline = time.monotonic() + PATIENCE_S
        while True:
            with database.reading() as db:
                rows = db.all("SELECT id, due_on FROM recurrences WHERE due_on <= :day", day=latest.isoformat())
            due = [row for row in rows if self._is_due(*row)]
            if not due:
                break
            assert time.monotonic() < deadline, f"still due: {due}"
            time.sleep(0.1)
        for owner in self.owners:
            for one in owner.kept:
                one.expected.run(self.today(owner), self.today(owner))

    def _is_due(self, recurrence_id: int, due_on: str) -> bool:
        owner = next(owner for owner in self.owners if recurrence_id in [one.id for one in owner.kept])
        return due_on <= self.today(owner).isoformat()

    def compare(self, owner: Owner) -> None:
        spent = 0
        for one in owner.kept:
            expected = Counter((made.on, made.cents) for made in one.expected.made)
            found = Counter(self._found(owner, one.id))
            gone = expected - found
            assert not found - expected, f"recurrence {one.id} made too much: {found - expected}"
            days = Counter({(one.id, on): count for on, count in Counter(on for on, _ in gone.elements()).items()})
            assert days == Counter({key: count for key, count in owner.deleted.items() if key[0] == one.id}), (
                f"recurrence {one.id} lacks {gone}"
            )
            spent += sum(cents * count for (_, cents), count in found.items())
            self._compare_days(owner, one)
        _, answer = self.ask(owner, "GET", f"/accounts/{owner.account_id}", date="2030-01-01")
        assert answer["data"]["attributes"]["current_balance"] == -Decimal(spent).scaleb(-2)

    def _found(self, owner: Owner, recurrence_id: int) -> Iterator[tuple[date, int]]:
        for page in range(1, 100):
            path = f"/recurrences/{recurrence_id}/transactions"
            _, answer = self.ask(owner, "GET", path, limit="1000", page=str(page))
            for line in answer["data"]:
                shown = line["attributes"]
                yield date.fromisoformat(shown["date"]), int(-Decimal(shown["amount"]).scaleb(2))
            if page >= answer["meta"]["pagination"]["total_pages"]:
                return

    def _compare_days(self, owner: Owner, one: Kept) -> None:
        start, found = "2023-12-01", []
        while start:
            path = f"/recurrences/{one.id}/occurrences"
            _, answer = self.ask(owner, "GET", path, start=start, end="2026-12-31")
            found += [day for day in answer["data"] if day["fired"]]
            start = answer["meta"]["next_start"]
        assert Counter((day["planned_date"], day["date"]) for day in found) == Counter(
            (made.planned.isoformat(), made.on.isoformat()) for made in one.expected.made
        )


ACTS: tuple[Callable[[Story, Owner, Kept], bool], ...] = (
    Story.skip, Story.move, Story.move, Story.take_back, Story.edit, Story.delete, Story.trigger, Story.trigger_all,
)  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("dialect", databases(short="postgresql"), indirect=True)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_planned_day_fires_once_whoever_is_killed_meanwhile(tmp_path, new_database_url, dialect, seed):
    print(f"the seed is {seed}")  # noqa: T201 -- shown when it fails
    chance = random.Random(seed)
    fleet = Fleet(tmp_path, new_database_url, SERVERS[dialect])
    with migrated(new_database_url, tmp_path / "data") as database:
        owners = [
            Owner(a_person(database, f"user{number}@farthing.example").tokens[0], zone)
            for number, zone in enumerate(ZONES)
        ]
        story = Story(fleet, owners, chance)
        try:
            kills = lived(fleet, story, chance)
            story.settle(database)
            for owner in owners:
                story.compare(owner)
            fleet.stop()
        finally:
            fleet.abandon()
    assert fleet.doctor().startswith("No problems")
    assert kills >= ROUNDS // 2
    assert sum(len(one.expected.made) for owner in owners for one in owner.kept) > 500
    done = sum((owner.done for owner in owners), Counter())
    assert {what for what, count in done.items() if count} == {what.__name__ for what in ACTS} or not WHOLE


def lived(fleet: Fleet, story: Story, chance: random.Random) -> int:
    """Days go by in leaps; meanwhile people act, and servers die and come back. Once, nobody is there for weeks."""
    fleet.set_clock(BEGIN)
    fleet.start(wait=True)
    for owner in story.owners:
        story.move_in(owner)
    kills, outage = 0, chance.randrange(2, ROUNDS)
    for number in range(ROUNDS):
        if number == outage:
            for server in fleet.ready:
                fleet.kill(server, "everything")
                kills += 1
        story.now = BEGIN + timedelta(days=DAYS * (number + 1) // ROUNDS, hours=chance.randint(0, 12))
        fleet.set_clock(story.now)
        fleet.start(wait=number == outage)
        time.sleep(chance.random() * 0.5)
        kills += a_round(fleet, story, chance)
    fleet.start(wait=True)
    story.server = fleet.ready[0]
    return kills


def a_round(fleet: Fleet, story: Story, chance: random.Random) -> int:
    """One server is spared, so that everything that people do is answered."""
    until(lambda: len(fleet.ready) > 1, "the servers did not come back")
    story.server, *others = chance.sample(fleet.ready, len(fleet.ready))
    kills = fleet.kill_some(chance, others[: chance.randint(1, 2)])
    for _ in range(ACTIONS):
        story.act()
    if chance.random() < 0.2:
        fleet.cron(story.server)
    return kills
