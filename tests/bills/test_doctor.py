"""Doctor examines bills: what they are found by, what their links lead to, what withdrawals amount to."""

from typing import Any

import pytest

from farthing.care.doctor import examine
from farthing.storage.unit import Clash

from ..conftest import Client, World
from ..transactions.making import deposit, findings, posted_one
from .making import a_bill, asset, made, paid, stored


@pytest.fixture
def checking(me: Client) -> str:
    return made(me, asset())


def tampered(world: World, sql: str, **values: Any) -> None:
    with world.books.writing() as db:
        assert db.run_and_count(sql, **values) == 1


def test_correct_bills_have_no_findings(new_world: World) -> None:
    me = new_world.someone()
    checking = made(me, asset())
    bill = stored(me, a_bill(match="Straße, İstanbul,rent"))
    paid(me, checking)
    paid(me, checking, bill_id=bill["id"])

    steps: list[str] = []
    assert list(examine(new_world.books, steps.append)) == []
    assert f"bills of {me.user.email}" in steps


@pytest.mark.parametrize("changed", ["words_key = 'gas'", "longest_word = 'gas'", "words = '[\"gas\"]'"])
def test_a_bill_with_wrong_search_words_is_reported(me: Client, world: World, changed: str) -> None:
    bill = stored(me)
    tampered(world, f"UPDATE bills SET {changed} WHERE id = :id", id=int(bill["id"]))

    [sentence] = findings(world, me)

    words = "'gas'" if changed.startswith("words =") else "'rent', 'landlord'"
    assert sentence == f"{me.user.email}: bill {bill['id']} 'Rent' is not indexed by its words {words}."


def test_a_link_of_anything_but_a_withdrawal_is_reported(me: Client, checking: str, world: World) -> None:
    bill = stored(me)
    found = posted_one(me, deposit(checking, "800", date="2024-05-02"))
    entry_id = found["journal_id"]
    tampered(world, "UPDATE entries SET bill_id = :bill WHERE id = :id", bill=int(bill["id"]), id=entry_id)

    assert findings(world, me) == [
        f"{me.user.email}: the deposit {entry_id} of 2024-05-02 pays bill {bill['id']}, but only withdrawals pay bills."
    ]


def test_a_link_to_another_users_bill_cannot_be_stored(
    me: Client, someone_else: Client, checking: str, world: World
) -> None:
    theirs = stored(someone_else)
    found = paid(me, checking)

    with pytest.raises(Clash):
        tampered(
            world, "UPDATE entries SET bill_id = :bill WHERE id = :id", bill=int(theirs["id"]), id=found["journal_id"]
        )


def test_a_withdrawal_with_a_wrong_amount_index_is_reported(me: Client, checking: str, world: World) -> None:
    found = paid(me, checking)
    tampered(world, "UPDATE payments SET units = 1 WHERE entry_id = :id", id=found["journal_id"])

    [sentence] = findings(world, me)

    assert "is indexed as a withdrawal of 0.01 EUR, but amounts to 800.00 EUR" in sentence
