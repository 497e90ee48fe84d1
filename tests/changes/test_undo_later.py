"""Undoing when much has happened since: what comes back fits what is there by now, or stays away."""

import pytest

from ..accounts.making import asset, shown
from ..budgets.making import a_limit
from ..piggy_banks.making import changed, inside, moves, saving
from ..recurrences import making as recurrences
from ..transactions.making import a_transaction, balance, findings, listed, made, posted, posted_one, split
from .test_undo import last, refused, undone

DOLLARS = {"foreign_amount": "11", "foreign_currency_code": "USD"}


@pytest.fixture
def checking(me):
    return made(me, asset())


def spent(checking, amount="10", **fields):
    return a_transaction("withdrawal", split(source_id=checking, amount=amount, destination_name="Shop", **fields))


def recoined(client, account_id, code):
    response = client.put(f"/accounts/{account_id}", asset(currency_code=code))
    assert response.status_code == 200, response.text
    return last(client)


def test_the_beginning_of_the_books_is_not_undone(world, me, checking):
    dollars = made(me, asset(name="Dollars", currency_code="USD"))
    exchanged = split(source_id=checking, destination_id=dollars, amount="10", **DOLLARS)
    posted(me, a_transaction("transfer", exchanged))
    beginning = me.get("/changes", limit=1000).json()["data"][-1]

    assert beginning["attributes"]["doing"] == "users.found"
    assert "creation of the user cannot be undone" in refused(me, beginning)
    assert findings(world, me) == []


# An undo of something older than what it would put back


def test_what_a_piggy_bank_holds_is_what_its_moves_say(world, me, checking):
    posted_one(me, a_transaction("deposit", split(destination_id=checking, amount="100", source_name="Work")))
    bicycle = saving(me, checking)
    first, second = (changed(me, bicycle, checking, current_amount=amount) and last(me) for amount in ("10", "25"))
    taken_back = undone(me, second)
    undone(me, first)

    assert "changed since" in refused(me, taken_back)
    assert (inside(me, bicycle), moves(me, bicycle)) == ("0", [])
    assert findings(world, me) == []


def test_a_transaction_is_never_as_it_never_was(me, checking):
    address = f"/transactions/{posted_one(me, spent(checking))['id']}"
    one = spent(checking, "20")
    two = a_transaction(
        "withdrawal", *(split(source_id=checking, amount="30", destination_name="Shop", description=d) for d in "ab")
    )
    done = []
    for body in (one, two):
        assert me.put(address, body).status_code == 200
        done.append(last(me))
    taken_back = undone(me, done[1])
    undone(me, done[0])

    assert "changed since" in refused(me, taken_back)
    assert balance(me, checking) == "-10"


def test_what_is_gone_is_not_renamed(me):
    made_it = me.post("/categories", {"name": "Food"}).json()["data"]
    creation = last(me)
    me.put(f"/categories/{made_it['id']}", {"name": "Meals"})
    taken_back = undone(me, last(me))
    undone(me, creation)

    assert "changed since" in refused(me, taken_back)


def test_a_change_and_its_undo_later_on_are_as_if_they_had_never_been(me):
    category = me.post("/categories", {"name": "Food"}).json()["data"]["id"]
    for name in ("Meals", "Drinks"):
        me.put(f"/categories/{category}", {"name": name})
    undone(me, last(me))
    undone(me, me.get("/changes", limit=3).json()["data"][2])

    assert me.get(f"/categories/{category}").json()["data"]["attributes"]["name"] == "Food"


@pytest.mark.parametrize("takes_back", [False, True])
def test_what_has_fired_stays_fired_when_an_older_change_is_undone(world, me, checking, takes_back):
    daily = [recurrences.a_repetition("daily", "")]
    body = recurrences.a_recurrence(checking, nr_of_repetitions=2, repetitions=daily)
    plan = recurrences.stored(me, body)["id"]
    assert me.put(f"/recurrences/{plan}", body | {"title": "Other"}).status_code == 200
    renaming = last(me)
    assert len(recurrences.fired(me, "2024-06-02", plan)) == 2
    if takes_back:
        undone(me, last(me))

    undone(me, renaming)

    assert me.get(f"/recurrences/{plan}").json()["data"]["attributes"]["title"] == "Gym"
    assert me.post(f"/recurrences/{plan}/trigger?date=2024-06-10").status_code == 204
    assert findings(world, me) == []


def test_an_older_firing_can_be_undone_while_a_later_one_stays(world, me, checking):
    daily = [recurrences.a_repetition("daily", "")]
    plan = recurrences.stored(me, recurrences.a_recurrence(checking, repetitions=daily))["id"]
    me.post(f"/recurrences/{plan}/trigger?date=2024-06-01")
    first = last(me)
    me.post(f"/recurrences/{plan}/trigger?date=2024-06-02")

    undone(me, first)

    assert [one["attributes"]["date"] for one in listed(me)] == ["2024-06-02"]
    assert findings(world, me) == []


# Other currencies


def test_what_was_booked_since_follows_the_currency_back(world, me, checking):
    change = recoined(me, checking, "USD")
    posted_one(me, spent(checking, **DOLLARS))
    assert balance(me, checking) == "-11"

    again = undone(me, change)
    assert (balance(me, checking), findings(world, me)) == ("-10", [])

    undone(me, again)
    assert (balance(me, checking), findings(world, me)) == ("-11", [])


def test_what_comes_back_is_booked_in_the_currency_of_today(world, me, checking):
    me.delete(f"/transactions/{posted_one(me, spent(checking, **DOLLARS))['id']}")
    deletion = last(me)
    recoined(me, checking, "USD")

    again = undone(me, deletion)
    assert (balance(me, checking), findings(world, me)) == ("-11", [])

    undone(me, again)
    assert (balance(me, checking), findings(world, me)) == ("0", [])


def test_a_piggy_bank_keeps_the_currency_it_was_filled_in(me, checking):
    change = recoined(me, checking, "JPY")
    saving(me, checking)

    assert "piggy banks" in refused(me, change)


def test_a_piggy_bank_does_not_come_back_in_another_currency(me, checking):
    bicycle = saving(me, checking)
    me.delete(f"/piggy_banks/{bicycle}")
    deletion = last(me)
    recoining = recoined(me, checking, "JPY")

    assert "the currency of account" in refused(me, deletion)
    undone(me, recoining)
    undone(me, deletion)
    assert inside(me, bicycle) == "0"


def test_a_piggy_bank_does_not_move_back_to_an_account_with_another_currency(me, checking):
    bicycle, other = saving(me, checking), made(me, asset(name="Other"))
    changed(me, bicycle, other)
    move = last(me)
    recoined(me, checking, "JPY")

    assert "the currency of account" in refused(me, move)


@pytest.mark.parametrize("opens_later", [False, True])
def test_an_opening_balance_is_in_the_currency_of_its_account(world, me, opens_later):
    opening = {"opening_balance": "1500.25", "opening_balance_date": "2024-01-01"}
    if opens_later:
        account = made(me, asset())
        change = recoined(me, account, "USD")
        assert me.put(f"/accounts/{account}", asset(currency_code="USD", **opening)).status_code == 200
    else:
        account = made(me, asset(**opening))
        me.delete(f"/transactions/{listed(me, f'/accounts/{account}/transactions', type='all')[0]['id']}")
        change = last(me)
        recoined(me, account, "JPY")

    before = shown(me, account)
    assert refused(me, change)
    assert (shown(me, account), findings(world, me)) == (before, [])


# Days and periods


def test_a_tag_comes_back_on_the_day_that_its_transaction_has_by_now(world, me, checking):
    body = a_transaction("withdrawal", split(source_id=checking, destination_name="Shop"), tags=["late"])
    address = f"/transactions/{posted_one(me, body)['id']}"
    tag = me.get("/tags/late").json()["data"]["id"]
    me.delete("/tags/late")
    deletion = last(me)
    me.put(address, body | {"date": "2024-04-20", "tags": ""})

    undone(me, deletion)

    april = {"start": "2024-04-01", "end": "2024-04-30"}
    assert me.get(f"/tags/{tag}", **april).json()["data"]["attributes"]["transactions_count"] == 1
    assert len(listed(me, f"/tags/{tag}/transactions", **april)) == 1
    assert findings(world, me) == []


def test_limits_do_not_overlap(world, me):
    budget = me.post("/budgets", {"name": "Daily", "active": True}).json()["data"]["id"]
    may = a_limit(me, budget, start_date="2024-05-01", end_date="2024-05-31")
    me.delete(f"/budget_limits/{may}")
    deletion = last(me)
    a_limit(me, budget, start_date="2024-05-20", end_date="2024-06-20")

    assert "overlap" in refused(me, deletion)
    assert findings(world, me) == []
