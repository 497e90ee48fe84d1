"""If-Match: what belongs to an object counts as the object does, also where it is kept elsewhere."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from farthing.identity import users
from farthing.kernel.clock import stamp

from ..accounts.making import asset
from ..attachments.making import attached, body
from ..budgets.making import a_limit
from ..labels.making import BUDGET, CATEGORY, KINDS, a_label, named, recorded, withdrawn
from ..piggy_banks.making import a_piggy_bank, an_account, saving
from ..recurrences.making import a_recurrence, a_split
from ..recurrences.making import stored as recurring
from ..rules.making import a_rule
from ..rules.making import stored as ruling
from ..transactions.making import made, posted_one, transfer
from ..users.people import an_owner

DAY = "2024-06-01"


def tag_of(client, path):
    return client.get(path).headers["etag"]


def put(client, path, sent, tag):
    return client.put(path, sent, headers={"If-Match": tag}).status_code


def delete(client, path, tag):
    return client.delete(path, headers={"If-Match": tag}).status_code


@pytest.fixture
def gym(me):
    return f"/recurrences/{recurring(me, a_recurrence(made(me, asset())))['id']}"


def test_a_day_that_somebody_skipped_is_not_moved(me, gym):
    tag = tag_of(me, f"{gym}/occurrences")
    me.put(f"{gym}/occurrences/{DAY}", {"skip": True})

    assert put(me, f"{gym}/occurrences/{DAY}", {"date": "2024-06-03"}, tag) == 412
    assert delete(me, f"{gym}/occurrences/{DAY}", tag) == 412
    assert delete(me, gym, tag) == 412
    assert put(me, f"{gym}/occurrences/{DAY}", {"date": "2024-06-03"}, tag_of(me, gym)) == 200


def test_a_day_that_is_as_planned_again_is_a_change(me, gym):
    me.put(f"{gym}/occurrences/{DAY}", {"skip": True})
    tag = tag_of(me, gym)
    me.delete(f"{gym}/occurrences/{DAY}")

    assert put(me, f"{gym}/occurrences/{DAY}", {"date": "2024-06-03"}, tag) == 412


def test_days_of_another_recurrence_do_not_matter(me, gym):
    other = f"/recurrences/{recurring(me, a_recurrence(made(me, asset(name='Other')), title='Other'))['id']}"
    tag = tag_of(me, gym)
    for path in (f"{other}/occurrences/{DAY}", f"{other}/occurrences/2024-07-01"):
        assert me.put(path, {"skip": True}).status_code == 200
    assert me.delete(f"{other}/occurrences/{DAY}").status_code == 204

    assert put(me, f"{gym}/occurrences/{DAY}", {"date": "2024-06-03"}, tag) == 200


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.path)
def test_a_label_that_was_deleted_does_not_come_back(me, kind):
    sent = kind.on(withdrawn(made(me, asset())), "Food")
    [one], [other] = recorded(me, sent), recorded(me, withdrawn(made(me, asset(name="Other"))))
    tag = tag_of(me, f"/transactions/{one}")
    me.delete(f"/{kind.path}/{named(me, kind, 'Food')['id']}")

    assert put(me, f"/transactions/{one}", sent, tag) == 412
    assert delete(me, f"/transactions/{one}", tag) == 412
    assert me.get(f"/{kind.path}").json()["data"] == []
    assert delete(me, f"/transactions/{other}", tag) == 204
    assert delete(me, f"/transactions/{one}", tag_of(me, f"/transactions/{one}")) == 204


@pytest.mark.parametrize("kind", [CATEGORY, BUDGET], ids=lambda kind: kind.path)
def test_a_recurrence_loses_its_label(me, kind):
    field = {"categories": "category_id", "budgets": "budget_id"}[kind.path]
    label_id = a_label(me, kind)
    sent = a_recurrence(None, transactions=[a_split(made(me, asset()), **{field: label_id})])
    path = f"/recurrences/{recurring(me, sent)['id']}"
    tag = tag_of(me, path)
    me.delete(f"/{kind.path}/{label_id}")

    assert put(me, path, a_recurrence(made(me, asset(name="Other"))), tag) == 412


def test_a_rule_follows_a_new_name(me):
    category_id = a_label(me, CATEGORY)
    path = f"/rules/{ruling(me, a_rule())['id']}"
    tag = tag_of(me, path)
    me.put(f"/categories/{category_id}", {"name": "Groceries"})

    assert put(me, path, a_rule(), tag) == 412
    assert put(me, path, a_rule(), tag_of(me, path)) == 200


def test_an_account_shows_its_opening_balance(me):
    sent = asset(opening_balance="100", opening_balance_date="2024-01-01")
    path = f"/accounts/{made(me, sent)}"
    tag = tag_of(me, path)
    [opening] = me.get(f"{path}/transactions", type="all").json()["data"]
    assert me.delete(f"/transactions/{opening['id']}").status_code == 204

    assert put(me, path, sent, tag) == 412
    assert put(me, path, sent, tag_of(me, path)) == 200


def test_a_piggy_bank_loses_what_a_transfer_brought(me):
    checking, savings = an_account(me, "Checking"), an_account(me)
    path = f"/piggy_banks/{saving(me, savings)}"
    sent = transfer(checking, savings, piggy_bank_id=path.rpartition("/")[2])
    before = tag_of(me, path)
    moved = posted_one(me, sent)
    between = tag_of(me, path)
    me.delete(f"/transactions/{moved['id']}")

    for tag in (before, between):
        assert put(me, path, a_piggy_bank(savings, current_amount="5"), tag) == 412


def test_an_attachment_gets_another_content(me):
    path = f"/attachments/{attached(me, b'one')}"
    tag = tag_of(me, path)
    octets = {"Content-Type": "application/octet-stream"}
    assert me.request("POST", f"{path}/upload", content=b"two", headers=octets).status_code == 204

    assert put(me, path, body(me), tag) == 412


def test_a_limit_is_not_its_budget(me):
    path = f"/budgets/{a_label(me, BUDGET)}"
    tag = tag_of(me, path)
    a_limit(me, path.rpartition("/")[2])

    assert put(me, path, BUDGET.body("Drink"), tag) == 200


def test_what_is_gone_with_its_parts_is_404(me, gym):
    me.put(f"{gym}/occurrences/{DAY}", {"skip": True})
    [one] = recorded(me, {**withdrawn(made(me, asset(name="Other"))), "tags": "Food"})
    tag = tag_of(me, "/accounts")
    for path in (gym, f"/transactions/{one}"):
        assert delete(me, path, tag) == 204
        assert delete(me, path, tag) == 404


def test_a_write_that_waited_for_its_turn_sees_what_came_before_it(world, me, dialect):
    split = posted_one(me, withdrawn(made(me, asset())))
    tag = tag_of(me, "/transactions")
    with ThreadPoolExecutor(1) as beside:
        with world.books.writing() as db:
            users.take(db, me.user.id, token_id=None, now=stamp(world.time.now), doing="test")
            db.flush()
            sent = {"ids": [split["id"]], "category_name": "Food"}
            waiting = beside.submit(put, me, "/transactions/bulk", sent, tag)
            if dialect == "postgresql":  # on SQLite it has to wait before it can read anything
                until_somebody_waits(db)
        assert waiting.result() == 412


def until_somebody_waits(db):
    """For a lock: the request has found its caller by then."""
    deadline = time.monotonic() + 60
    while not db.value("SELECT count(*) FROM pg_locks WHERE NOT granted"):
        assert time.monotonic() < deadline, "nobody waits"
        time.sleep(0.01)


@pytest.mark.parametrize("path", ["/tags/{id}", "/users/{user}"])
def test_a_revision_that_does_not_exist_is_no_match(world, path):
    """A made-up tag, or one from before the books were restored from a backup."""
    owner = an_owner(world)
    tag_id = owner.post("/tags", {"tag": "Food"}).json()["data"]["id"]
    address = path.format(id=tag_id, user=owner.user.id)
    sent = {"tag": "Rent", "email": owner.user.email, "blocked": False}
    user, revision, rest = tag_of(owner, address).split(".", 2)

    for later in (1, 1000, 10**17):
        assert put(owner, address, sent, f"{user}.{int(revision) + later}.{rest}") == 412
    assert put(owner, address, sent, tag_of(owner, address)) == 200
