"""What a person chooses about notices, and what they do with them."""

from ..bills.making import a_bill, stored
from ..conftest import Client, World
from ..sharing.people import member_of, with_token
from ..transactions.making import asset, errors, expense, made
from ..v6.making import refused
from .making import chosen, looked, unread


def test_settings_change_field_by_field_and_can_be_undone(me: Client, someone_else: Client):
    checking = made(me, asset())
    usual = me.get("/notices/settings").json()["data"]
    assert (usual["bill_days"], usual["amounts"], usual["channels"]["bill_due"]) == (3, True, ["app"])
    assert "backup_failed" not in someone_else.get("/notices/settings").json()["data"]["channels"]

    chosen(me, channels={"bill_due": ["email", "app"]}, quiet_from="22:00", quiet_until="07:30")
    chosen(me, bill_days=0, large_withdrawal="1500.50", lines=[{"account_id": checking, "amount": "-99.90"}])
    after = chosen(me, amounts=False, channels={"budget_spent": []})

    assert (after["channels"]["bill_due"], after["channels"]["budget_spent"]) == (["app", "email"], [])
    assert (after["quiet_from"], after["quiet_until"], after["amounts"]) == ("22:00", "07:30", False)
    assert (after["large_withdrawal"], after["bill_days"]) == (1500.5, 0)
    assert after["lines"] == [{"account_id": checking, "amount": -99.9}]
    assert chosen(me, large_withdrawal="", lines=[])["large_withdrawal"] is None
    [last, *_] = me.get("/changes").json()["data"]
    assert me.post(f"/changes/{last['id']}/undo").status_code == 200
    assert me.get("/notices/settings").json()["data"] == after


def test_settings_that_make_no_sense_are_refused_field_by_field(me: Client, someone_else: Client):
    theirs, shop = made(someone_else, asset()), made(me, expense())
    mine = made(me, asset())
    lines = [
        {"account_id": theirs, "amount": "1"},
        {"account_id": shop, "amount": "1"},
        {"account_id": mine, "amount": "1.001"},
        {"amount": "1"},
    ]
    body = {"bill_days": 32, "large_withdrawal": "-1", "quiet_from": "25:00", "quiet_until": "07:00", "lines": lines}

    wrong = errors(me.put("/notices/settings", body))

    assert wrong.keys() == {
        "bill_days", "large_withdrawal", "quiet_from", "lines.0.account_id", "lines.1.account_id", "lines.2.amount",
        "lines.3.account_id",
    }  # fmt: skip
    for channels in ("app", {"bill_due": ["pigeon"]}, {"tea": ["app"]}, {"bill_due": 1}):
        assert errors(me.put("/notices/settings", {"channels": channels})).keys() == {"channels"}
    assert errors(me.put("/notices/settings", {"quiet_from": "22:00"})).keys() == {"quiet_until"}


def test_notices_are_read_one_by_one_or_all_together_and_only_by_their_user(new_world: World):
    me, other = new_world.someone(), new_world.someone()
    looked(new_world, me)
    for name in ("Rent", "Power", "Water"):
        stored(me, a_bill(name=name, match=name, date="2024-05-16"))
    looked(new_world, me)
    first = unread(me)[0]

    assert other.put(f"/notices/{first['id']}", {"read": True}).status_code == 404
    assert me.put(f"/notices/{first['id']}", {"read": True}).json()["data"]["attributes"]["read"] is True
    assert me.get("/notices/unread").json() == {"data": {"unread": 2}}
    assert errors(me.put(f"/notices/{first['id']}", {})).keys() == {"read"}
    assert me.put(f"/notices/{first['id']}", {"read": False}).status_code == 200
    assert me.get("/notices/unread").json() == {"data": {"unread": 3}}
    assert me.put("/notices").json() == {"data": {"unread": 0}}
    assert (len(me.get("/notices").json()["data"]), other.get("/notices").json()["data"]) == (3, [])


def test_version_6_shows_the_settings_only_to_their_user(world: World, me: Client):
    settings = me.put("/notices/settings", {"bill_days": 5}).json()["data"]
    stored_data = me.v6.get("/preferences/notices").json()["data"]["attributes"]["data"]
    limited = with_token(world, me, scopes="settings:write notices:read")
    for other in (member_of(world, me, "full"), with_token(world, me, scopes="settings:write")):
        assert other.v6.get("/preferences/notices").status_code == 404
        for path in ("/preferences", "/preferences-list/notices,timezone"):
            names = [one["attributes"]["name"] for one in other.v6.get(path).json()["data"]]
            assert "timezone" in names
            assert "notices" not in names
    for other in (member_of(world, me, "full"), with_token(world, me, scopes="settings:write"), limited):
        assert other.v6.put("/preferences/notices", {"data": stored_data}).status_code == 404
        answer = other.v6.post("/preferences", {"name": "notices", "data": stored_data})
        assert refused(answer).keys() == {"name"}

    assert limited.v6.get("/preferences/notices").status_code == 200
    assert me.v6.put("/preferences/notices", {"data": stored_data}).status_code == 200
    assert me.get("/notices/settings").json()["data"] == settings
