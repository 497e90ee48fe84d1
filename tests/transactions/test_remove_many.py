"""How are many transactions deleted at once? All or nothing, and one undo brings them back."""

import pytest

from .making import a_transaction, asset, balance, deposit, errors, findings, listed, made, posted, split, withdrawal

PATH = "/transactions/bulk"


def ids_of(*transactions):
    return ",".join(lines[0]["id"] for lines in transactions)


def test_several_go_with_all_their_splits_and_come_back_together(me, world):
    account_id = made(me, asset(opening_balance="100", opening_balance_date="2024-01-01"))
    sides = {"source_id": account_id, "destination_name": "Grocer"}
    market = a_transaction("withdrawal", split(description="Bread", **sides), split(description="Eggs", **sides))
    both = posted(me, market)
    one = posted(me, withdrawal(account_id))
    kept = posted(me, deposit(account_id))
    assert balance(me, account_id) == "75"

    response = me.delete(f"{PATH}?ids={both[1]['id']},{one[0]['id']},{both[0]['id']}")

    assert response.status_code == 204, response.text
    assert [line["id"] for line in listed(me)] == [kept[0]["id"]]
    assert balance(me, account_id) == "112.5"
    [change] = me.get("/changes", revision=response.headers["Farthing-Revision"]).json()["data"]
    assert me.post(f"/changes/{change['id']}/undo").status_code == 200
    assert {line["id"] for line in listed(me)} == {line["id"] for line in [*both, *one, *kept]}
    assert balance(me, account_id) == "75"
    assert not findings(world, me)


@pytest.mark.any_database
@pytest.mark.parametrize("query", ["", "?ids=", "?ids=x", "?ids=1,,2", "?ids=-1", f"?ids={'9' * 30}", "?ids=\u0663"])
def test_ids_are_needed(me, query):
    assert list(errors(me.delete(f"{PATH}{query}"))) == ["ids"]


def test_more_than_a_thousand_are_refused(me):
    assert list(errors(me.delete(f"{PATH}?ids={','.join(map(str, range(1, 1002)))}"))) == ["ids"]


def test_one_that_is_not_there_keeps_all(me, someone_else):
    mine = posted(me, withdrawal(made(me, asset())))
    theirs = posted(someone_else, withdrawal(made(someone_else, asset())))

    assert list(errors(me.delete(f"{PATH}?ids={ids_of(mine, theirs)}"))) == ["ids"]

    assert len(listed(me)) == len(listed(someone_else)) == 1


def test_a_tag_that_no_longer_holds_keeps_all(me):
    mine = posted(me, withdrawal(made(me, asset())))
    tag = me.get(f"/transactions/{mine[0]['id']}").headers["ETag"]
    posted(me, withdrawal(made(me, asset(name="Another"))))

    response = me.request("DELETE", f"{PATH}?ids={ids_of(mine)}", headers={"If-Match": tag})

    assert response.status_code == 412, response.text
    assert len(listed(me)) == 2
