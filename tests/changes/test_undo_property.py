"""After any undo or redo, the books could have been made that way through the API.

By chance a household does all sorts of things, and takes some back. Afterwards every object that the undo touched is
sent back as it is shown: that is accepted and changes nothing. Doctor finds nothing, and an empty Farthing takes the
archive in.
"""

import io
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from farthing.care.doctor import examine_user
from farthing.jobs.worker import Worker, with_imports
from farthing.kernel.clock import stamp
from farthing.storage import blobs

from ..conftest import World
from ..length import LONG
from ..moving.archive.loading import load_archive
from ..moving.exports.making import exported
from . import habits
from .as_shown import body_of, differences, lasting, things_at
from .household import Household
from .test_undo import seen, undone

SEED = int(os.environ.get("FARTHING_SEED", "1"))
RUNS, STEPS = (60, 150) if LONG else (1, 50)
# How often something is undone instead of done, how far back, and how many touched objects are sent back.
UNDOES, BACK, SENT_MAX = 0.3, 10, 8
EARLY = timedelta(4)
ARCHIVED_EVERY = 25
# What nobody sends back: entries that belong to an account, and what has no address of its own.
_SENT = ("accounts", "bills", "budgets", "budget_limits", "categories", "tags", "piggy_banks", "recurrences", "rules",
         "rule_groups", "available_budgets", "transactions", "preferences")  # fmt: skip


_SENT_TYPES = ("Asset account", "Expense account", "Revenue account")


@pytest.mark.long
@pytest.mark.parametrize("seed", range(SEED, SEED + RUNS))
def test_after_any_undo_the_books_could_have_been_made_that_way(world: World, seed: int) -> None:
    household = Household(world, seed)
    household.acts += habits.list_acts(household)
    try:
        household.furnish()
        for step in range(STEPS):
            if household.chance.random() < UNDOES:
                if change := _undo_any(household):
                    _check(household, change)
            else:
                household.act()
            _work(world)
            if (step + 1) % ARCHIVED_EVERY == 0:
                _check_archive(household)
    except BaseException as error:
        error.add_note("\n".join(household.done))
        raise
    _report(household)


def _report(household: Household) -> None:
    """Counts what was tried, for whoever wants to know."""
    if path := os.environ.get("FARTHING_TRIED"):
        undos = [line for line in household.done if line.endswith("/undo")]
        refused = sum(line.startswith("409") for line in undos)
        with Path(path).open("a") as file:
            file.write(f"{len(household.done)} requests, {len(undos)} undos and redos, {refused} of them refused\n")


def _work(world: World) -> None:
    """Bills find their payments in jobs; imports and what changes many run in them."""
    worker = Worker(world.books, world.time.clock(), with_imports(world.settings))
    while worker.turn():
        pass


def _undo_any(household: Household) -> dict[str, Any] | None:
    """One of the last changes, an undo among them; None if that is refused."""
    changes = household.me.get("/changes", limit=BACK).json()["data"]
    told = [one for one in changes if one["attributes"]["undone_by"] is None and one["attributes"]["counts"]]
    if not told:
        return None
    change = household.chance.choice(told)
    household.done.append(f"undo of {change['attributes']['doing']} {change['attributes']['summary']}")
    response = household.send("POST", f"/changes/{change['id']}/undo")
    assert response.status_code in (200, 409), response.text
    return response.json()["data"] if response.status_code == 200 else None


def _check(household: Household, change: dict[str, Any]) -> None:
    me, world = household.me, household.world
    with world.books.reading() as db:
        assert [one.sentence for one in examine_user(db, me.user.id)] == []
    _fire(household, change)
    _work(world)
    before = seen(me)
    sent = [_send_back(household, path, kind) for path, kind in _touched(household, change)]
    _work(world)
    assert differences(lasting(before), lasting(seen(me))) == []
    for revision in reversed(sent):
        undone(me, me.get("/changes", revision=revision).json()["data"][0])
    # That it could not fire is no part of a change, and stays.
    assert [line for line in differences(before, seen(me)) if ".failure: " not in line] == []


def _fire(household: Household, change: dict[str, Any]) -> None:
    """What the undo touched goes on from today; unless it could not fire before, or lands early for bank holidays."""
    me = household.me
    touched = {int(one["id"]) for one in change["attributes"]["objects"] if one["kind"] == "recurrences"}
    failing = {int(one["id"]) for one in me.get("/recurrences").json()["data"] if one["attributes"]["failure"]}
    response = me.post("/recurrences/trigger")
    made = [one["attributes"] for one in response.json()["data"]] if response.status_code == 200 else []
    days = [one["date"] for one in made if one["recurrence_id"] in touched - failing]
    assert min(days, default="9999") >= (household.world.time.now - EARLY).date().isoformat()


def _touched(household: Household, change: dict[str, Any]) -> list[tuple[str, str]]:
    """The addresses of the objects that were touched and are there, and their kinds."""
    touched = dict.fromkeys((one["kind"], int(one["id"])) for one in change["attributes"]["objects"])
    chosen = household.chance.sample(list(touched), min(SENT_MAX, len(touched)))
    found = []
    for kind, number in chosen:
        if kind in _SENT:
            address = number if kind != "transactions" else _split_of(household.world, number)
            things = things_at(household.me, f"/{kind}/{address}") if address else None
            if things and _is_sent(kind, things[0]["attributes"]):
                found.append((f"/{kind}/{address}", kind))
    return found


def _split_of(world: World, entry_id: int) -> int | None:
    with world.books.reading() as db:
        found: int | None = db.value("SELECT MIN(id) FROM splits WHERE entry_id = :id", id=entry_id)
        return found


def _is_sent(kind: str, shown: dict[str, Any]) -> bool:
    if kind == "transactions":
        return shown["type"] in ("Withdrawal", "Deposit", "Transfer")
    if kind == "preferences":
        return shown["data"] != ""  # no country, as it was in the beginning, is sent as "none"
    return kind != "accounts" or bool(shown["liability_type"]) or shown["type"] in _SENT_TYPES


def _send_back(household: Household, path: str, kind: str) -> str:
    """Returns the revision that it made."""
    things = things_at(household.me, path)
    assert things, path
    response = household.send("PUT", path, body_of(kind, things))
    assert response.status_code == 200, response.text
    return str(response.headers["farthing-revision"])


def _check_archive(household: Household) -> None:
    world = household.world
    archive = exported(world.books, household.me.user.id, "json", blobs.connect(world.settings))
    heir, at = world.someone(), stamp(world.time.now)
    load_archive(world.books, blobs.connect(world.settings), heir.user.id, io.BytesIO(archive), at)
    with world.books.reading() as db:
        assert [one.sentence for one in examine_user(db, heir.user.id)] == []
