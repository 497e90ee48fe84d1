"""Many rules on many transactions: they run before anything is locked, or not at all."""

import pytest

from farthing.books.lifecycle import transactions as lifecycle
from farthing.books.rules import apply
from farthing.books.rules.apply_stored import CHANGED_AT_ONCE_MAX
from farthing.books.rules.model import RuleEvent
from farthing.books.transactions.model import Lookup
from farthing.identity import users
from farthing.jobs.worker import Worker

from ..accounts.making import asset
from ..builders import AT
from ..transactions.making import findings, made, total, withdrawal
from .making import add_many_rules

_NOTHING = Lookup(accounts={}, accounts_named={}, cash=None, currencies={}, currencies_coded={})
_TRIGGERS, _BULK = 100, 60
_RULES = apply.LOCKED_CHECKS_MAX // (_TRIGGERS * _BULK) + 1


def _write(world, me, work):
    with world.books.writing() as db:
        users.take(db, me.user.id, token_id=None, now=AT, doing="test")
        return work(db)


def _many_rules(world, me, event=RuleEvent.STORE, count=_RULES):
    add_many_rules(world.books, me.user.id, event, count=count, triggers=_TRIGGERS)


def test_a_bulk_that_keeps_many_rules_busy_is_recorded_as_they_make_it(world, me):
    checking = made(me, asset())
    _many_rules(world, me)

    answer = me.post("/transactions/bulk", {"transactions": [withdrawal(checking) for _ in range(_BULK)]})

    assert answer.status_code == 200, answer.text
    shown = [one["data"][0]["attributes"]["category_name"] for one in answer.json()["data"]]
    assert shown == [f"Category {_RULES - 1}"] * _BULK
    assert findings(world, me) == []


def test_all_or_nothing_holds_for_them_too(world, me):
    checking = made(me, asset())
    _many_rules(world, me)
    bodies = [withdrawal(checking) for _ in range(_BULK)] + [withdrawal(checking, "-1")]

    assert me.post("/transactions/bulk", {"transactions": bodies}).status_code == 422
    assert total(me) == 0


def test_long_rules_never_run_while_others_wait(world, me):
    """What was decided before the lock is used as long as nothing has changed; else it has to be decided again."""
    made(me, asset())
    _many_rules(world, me)
    sent = [lifecycle.BulkItem(index=str(number), draft=None, problems=(), amount_field="") for number in range(_BULK)]
    with world.books.reading() as db:
        revision = db.value("SELECT revision FROM users WHERE id = :id", id=me.user.id)
        ruled = lifecycle.rule_each(db, me.user.id, _NOTHING, sent, revision)

    def record(db, before=None):
        return lifecycle.record_each(db, me.user.id, _NOTHING, sent, AT, before)

    with pytest.raises(lifecycle.Unruled):
        _write(world, me, record)
    assert len(_write(world, me, lambda db: record(db, ruled))) == _BULK
    with pytest.raises(lifecycle.Unruled):  # the write before was one more revision
        _write(world, me, lambda db: record(db, ruled))


@pytest.mark.parametrize("count", [1, _RULES], ids=["that change many", "that take long to try"])
def test_rules_on_many_changed_transactions_are_left_to_a_job(world, me, count):
    checking = made(me, asset())
    bodies = [withdrawal(checking) for _ in range(CHANGED_AT_ONCE_MAX + 1)]
    created = me.post("/transactions/bulk", {"transactions": bodies}).json()["data"]
    ids = [one["data"][0]["id"] for one in created]
    _many_rules(world, me, RuleEvent.UPDATE, count)

    answer = me.put("/transactions/bulk", {"ids": ids, "add_tags": "checked"})
    waiting = _categories(me, ids)
    Worker(world.books, world.time.clock()).work_off()

    assert answer.status_code == 200, answer.text
    assert waiting == {None}
    assert _categories(me, ids) == {f"Category {count - 1}"}
    assert findings(world, me) == []


def _categories(me, ids):
    listed = me.get("/transactions", limit=1000).json()["data"]
    assert {one["attributes"]["tags"] for one in listed} == {"checked"}
    assert len(listed) == len(ids)
    return {one["attributes"]["category_name"] for one in listed}
