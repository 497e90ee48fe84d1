"""Working in the books of another: who did what, whose settings count, and how sharing begins and ends."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from farthing.identity import users
from farthing.kernel.clock import stamp

from ..accounts.making import asset, made
from ..client import AppClient
from ..http.makers import a_tag, a_transaction
from ..sessions.browser import Browser, signed_in, somebody
from .people import in_books, member_of, with_token


def email_of(client):
    return client.user.email


def test_what_a_member_records_is_in_the_books_of_their_owner(world, me):
    bookkeeper = member_of(world, me, "bookkeeper")

    account = made(bookkeeper, asset(name="Joint account"))

    assert me.get(f"/accounts/{account}").json()["data"]["attributes"]["name"] == "Joint account"
    own = replace(bookkeeper, headers={})
    assert own.get(f"/accounts/{account}").status_code == 404
    shown = bookkeeper.get(f"/accounts/{account}", include="user").json()
    assert [one["attributes"]["email"] for one in shown["included"]] == [email_of(me)]


def test_zone_and_currency_are_those_of_the_books_and_the_page_size_that_of_the_caller(world, me):
    member = member_of(world, me, "viewer")
    own = replace(member, headers={})
    own.put("/preferences/listPageSize", {"data": 3})
    me.put("/preferences/currencyPreference", {"data": "JPY"})

    assert member.get("/accounts").json()["meta"]["pagination"]["per_page"] == 3
    default = [one for one in member.get("/currencies", limit=1000).json()["data"] if one["attributes"].get("default")]
    assert [one["attributes"]["code"] for one in default] == ["JPY"]


def test_a_token_can_be_for_the_books_of_another(world, me):
    member = member_of(world, me, "viewer")
    limited = with_token(world, replace(member, headers={}), books_id=me.user.id)
    account = made(me, asset())

    assert limited.get(f"/accounts/{account}").status_code == 200
    assert limited.post("/accounts", asset()).status_code == 403
    assert in_books(limited, limited).get(f"/accounts/{account}").status_code == 404, "the header counts more"

    with world.books.writing() as db:
        db.run("DELETE FROM members WHERE member_id = :id", id=member.user.id)
    assert limited.get("/accounts").status_code == 404, "never the caller's own instead"


@pytest.mark.parametrize("named", ["", "abc", "0", "-1", "999999999", "1,2", "9" * 40])
def test_books_that_do_not_exist_are_not_there(named, me):
    assert me.request("GET", "/accounts", headers={"Farthing-Books": named}).status_code == 404


def test_one_names_ones_own_books(me):
    assert in_books(me, me).get("/accounts").json() == me.get("/accounts").json()


def test_a_tag_of_one_person_is_not_that_of_another_in_the_same_books(world, me):
    viewer, address = member_of(world, me, "viewer"), "/revision"
    tags = [one.get(address).headers["ETag"] for one in (me, viewer)]

    assert me.request("GET", address, headers={"If-None-Match": tags[0]}).status_code == 304
    assert me.request("GET", address, headers={"If-None-Match": tags[1]}).json()["data"]["role"] == "owner"


def test_a_new_page_size_counts_at_once_also_in_shared_books(world, me):
    viewer = member_of(world, me, "viewer")
    tag = viewer.get("/accounts").headers["ETag"]
    assert viewer.request("GET", "/accounts", headers={"If-None-Match": tag}).status_code == 304

    replace(viewer, headers={}).put("/preferences/listPageSize", {"data": 1})

    assert viewer.request("GET", "/accounts", headers={"If-None-Match": tag}).status_code == 200


def test_the_same_key_of_two_people_is_two_requests(world, me):
    bookkeeper, key = member_of(world, me, "bookkeeper"), {"Idempotency-Key": "one"}

    first = me.request("POST", "/tags", json={"tag": "mine"}, headers=key)
    second = bookkeeper.request("POST", "/tags", json={"tag": "theirs"}, headers=key)
    again = bookkeeper.request("POST", "/tags", json={"tag": "theirs"}, headers=key)

    assert [one.status_code for one in (first, second, again)] == [200, 200, 200]
    assert second.json() == again.json()
    assert "idempotent-replay" in again.headers


def test_changes_say_who_did_it(world, me):
    bookkeeper = member_of(world, me, "bookkeeper")
    a_tag(me)
    a_tag(bookkeeper)

    theirs, mine = me.get("/changes", limit=2).json()["data"]

    assert (theirs["attributes"]["by"], theirs["attributes"]["by_id"]) == (
        email_of(bookkeeper),
        str(bookkeeper.user.id),
    )
    assert (mine["attributes"]["by"], mine["attributes"]["by_id"]) == (email_of(me), str(me.user.id))


def test_to_undo_what_another_did_asks_first(world, me):
    bookkeeper = member_of(world, me, "bookkeeper")
    a_tag(bookkeeper)
    change = me.get("/changes", limit=1).json()["data"][0]["id"]

    asked = me.post(f"/changes/{change}/undo")

    assert asked.status_code == 409
    assert email_of(bookkeeper) in asked.json()["message"]
    assert me.request("POST", f"/changes/{change}/undo", params={"others": "1"}).status_code == 200


def test_one_undoes_ones_own_without_being_asked(world, me):
    bookkeeper = member_of(world, me, "bookkeeper")
    a_tag(bookkeeper)
    change = me.get("/changes", limit=1).json()["data"][0]["id"]

    assert bookkeeper.post(f"/changes/{change}/undo").status_code == 200


def test_undoing_is_no_way_around_a_role(world, me):
    bookkeeper = member_of(world, me, "bookkeeper")
    account = made(me, asset(name="Mine"))
    deleted = made(me, asset(name="No longer needed"))
    me.delete(f"/accounts/{deleted}")
    me.put("/preferences/currencyPreference", {"data": "JPY"})
    preference, deletion, _, creation = [one["id"] for one in me.get("/changes", limit=4).json()["data"]]

    for change in (preference, deletion, creation):
        refused = bookkeeper.request("POST", f"/changes/{change}/undo", params={"others": "1"})
        assert refused.status_code == 403
        assert "full access" in refused.json()["message"]
    assert me.get(f"/accounts/{account}").status_code == 200
    full = member_of(world, me, "full")
    assert full.request("POST", f"/changes/{preference}/undo", params={"others": "1"}).status_code == 200


def test_a_bookkeeper_undoes_the_making_of_an_account_of_their_own_and_redoes_it(world, me):
    bookkeeper = member_of(world, me, "bookkeeper")
    account = made(bookkeeper, asset())

    for expected in (404, 200):
        change = me.get("/changes", limit=1).json()["data"][0]["id"]
        assert bookkeeper.post(f"/changes/{change}/undo").status_code == 200
        assert me.get(f"/accounts/{account}").status_code == expected


def test_a_scope_counts_also_for_what_is_included(world, me):
    account = made(me, asset())
    limited = with_token(world, me, scopes="accounts:read")

    refused = limited.get(f"/accounts/{account}", include="transactions")

    assert refused.status_code == 403
    assert "transactions:read" in refused.json()["message"]
    assert limited.get(f"/accounts/{account}", include="piggy_banks,user").status_code == 200
    assert (
        with_token(world, me, scopes="accounts:read transactions:read")
        .get(f"/accounts/{account}", include="transactions")
        .status_code
        == 200
    )


@pytest.mark.parametrize(
    ("method", "path", "scope", "missing"),
    [
        ("GET", "/rules/1/test", "rules:read", "transactions:read"),
        ("GET", "/rule_groups/1/dry_run", "rules:read", "transactions:read"),
        ("POST", "/recurrences/trigger", "bills:write", "transactions:write"),
        ("GET", "/bills/1/matches", "bills:read", "transactions:read"),
        ("POST", "/accounts/1/reconcile", "accounts:write", "transactions:write"),
    ],
)
def test_what_shows_or_changes_transactions_needs_their_scope_as_well(method, path, scope, missing, world, me):
    refused = with_token(world, me, scopes=scope).request(method, path, json={} if method == "POST" else None)

    assert refused.status_code == 403
    assert missing in refused.json()["message"]
    allowed = with_token(world, me, scopes=f"{scope} {missing}").request(method, path)
    assert "scope" not in allowed.text


@pytest.mark.parametrize(
    ("include", "missing"),
    [
        ("transactions.attachments", "attachments:read"),
        ("user, transactions.tags", "labels:read"),
        ("transactions.attachments.user,transactions.tags", "attachments:read, labels:read"),
    ],
)
def test_a_scope_counts_also_for_relatives_of_what_is_included(include, missing, world, me):
    account = made(me, asset())
    limited = with_token(world, me, scopes="accounts:read transactions:read")

    refused = limited.get(f"/accounts/{account}", include=include)

    assert refused.status_code == 403
    assert sorted(refused.json()["message"].removesuffix(".").partition(": ")[2].split(", ")) == missing.split(", ")
    assert limited.get(f"/accounts/{account}", include="transactions.piggy_bank_events").status_code == 200


def test_a_token_with_scopes_is_made_and_shown(world, me):
    browser = signed_in(world, me.user)
    body = {"name": "Phone", "access": "full", "scopes": ["transactions:write", "transactions:read", "accounts:read"]}

    new = browser.post("/tokens", body).json()["data"]["attributes"]

    assert new["scopes"] == ["accounts:read", "transactions:write"]
    phone = replace(me, token=new["token"])
    split = {"amount": "3", "currency_code": "EUR", "source_id": made(me, asset()), "destination_name": "Baker"}
    body = {"type": "withdrawal", "date": "2024-05-01", "description": "Bread", "transactions": [split]}
    assert phone.post("/transactions", body).status_code == 200
    assert phone.get("/budgets").status_code == 403


def test_a_token_counts_in_its_networks_only(world, me):
    browser = signed_in(world, me.user)
    networks = ["203.0.113.0/24", "2001:db8::/32"]
    body = {"name": "Office", "access": "full", "networks": networks}
    new = browser.post("/tokens", body).json()["data"]["attributes"]
    assert new["networks"] == networks

    def status(address):
        caller = AppClient(world.http.app, client=(address, 50000))
        return caller.get("/api/v1/accounts", headers={"Authorization": f"Bearer {new['token']}"}).status_code

    assert [status(one) for one in ("203.0.113.9", "2001:db8::7", "::ffff:203.0.113.9")] == [200, 200, 200]
    assert [status(one) for one in ("203.0.114.9", "2001:db9::7", "a unix socket")] == [401, 401, 401]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"scopes": ["everything"]}, "scopes"),
        ({"scopes": []}, "scopes"),
        ({"scopes": [" "]}, "scopes"),
        ({"networks": []}, "networks"),
        ({"scopes": ["accounts:write"], "access": "read"}, "scopes"),
        ({"networks": ["here"]}, "networks"),
        ({"networks": ["10.0.0.1/8"]}, "networks"),
        ({"books_id": 999999999}, "books_id"),
    ],
)
def test_limits_of_a_token_that_cannot_be(body, field, world, me):
    refused = signed_in(world, me.user).post("/tokens", {"name": "Phone", "access": "full"} | body)

    assert refused.status_code == 422
    assert list(refused.json()["errors"]) == [field]


# Inviting, joining, leaving


def invited(me, role="bookkeeper"):
    response = me.post("/invitations", {"role": role, "name": "Sam"})
    assert response.status_code == 200, response.text
    return response.json()["data"]["attributes"]["code"]


def test_an_invitation_works_once(world, me, someone_else):
    code = invited(me)

    joined = someone_else.post("/books", {"code": code}).json()["data"]

    assert (joined["id"], joined["attributes"]) == (str(me.user.id), {"email": email_of(me), "role": "bookkeeper"})
    assert [one["attributes"]["email"] for one in me.get("/members").json()["data"]] == [email_of(someone_else)]
    assert [one["id"] for one in someone_else.get("/books").json()["data"]] == [
        str(someone_else.user.id), str(me.user.id)
    ]  # fmt: skip
    assert me.get("/invitations").json()["data"] == []
    assert world.someone().post("/books", {"code": code}).status_code == 422
    assert someone_else.post("/books", {"code": invited(me)}).status_code == 422, "they are in already"
    assert me.post("/books", {"code": invited(me)}).status_code == 422, "these are their own"


def test_an_invitation_can_be_taken_back_and_expires(world, me, someone_else):
    taken_back, old = invited(me), invited(me)
    first, _ = me.get("/invitations").json()["data"]
    assert me.delete(f"/invitations/{first['id']}").status_code == 204
    world.time.now = world.time.now.replace(day=23)

    assert [someone_else.post("/books", {"code": code}).status_code for code in (taken_back, old)] == [422, 422]


def test_a_role_can_be_changed_and_sharing_ended_by_either_side(world, me, someone_else):
    someone_else.post("/books", {"code": invited(me, "viewer")})
    [member] = me.get("/members").json()["data"]
    there = in_books(someone_else, me)
    assert there.post("/tags", {"tag": "too early"}).status_code == 403

    assert (
        me.put(f"/members/{member['id']}", {"role": "bookkeeper"}).json()["data"]["attributes"]["role"] == "bookkeeper"
    )
    assert there.post("/tags", {"tag": "now"}).status_code == 200
    assert me.delete(f"/members/{member['id']}").status_code == 204
    assert there.get("/tags").status_code == 404

    someone_else.post("/books", {"code": invited(me, "viewer")})
    assert there.get("/tags").status_code == 200
    assert someone_else.delete(f"/books/{me.user.id}").status_code == 204
    assert there.get("/tags").status_code == 404


@pytest.mark.parametrize("how", ["removed", "lowered", "left"])
def test_invitations_end_with_the_role_of_whoever_made_them(how, world, me):
    full = member_of(world, me, "full")
    code, own = invited(full, "full"), replace(full, headers={})
    [member] = me.get("/members").json()["data"]

    if how == "removed":
        assert me.delete(f"/members/{member['id']}").status_code == 204
    elif how == "lowered":
        assert me.put(f"/members/{member['id']}", {"role": "viewer"}).status_code == 200
    else:
        assert own.delete(f"/books/{me.user.id}").status_code == 204

    assert me.get("/invitations").json()["data"] == []
    assert own.post("/books", {"code": code}).status_code == 422
    assert world.someone().post("/books", {"code": code}).status_code == 422


@pytest.mark.parametrize("end", [users.remove, lambda db, user_id: users.set_blocked(db, user_id, True, "2024-05-15")])
def test_nobody_joins_by_the_invitation_of_somebody_who_is_deleted_or_blocked(end, world, me):
    full = member_of(world, me, "full")
    code = invited(full, "full")
    with world.books.writing() as db:
        end(db, full.user.id)

    assert world.someone().post("/books", {"code": code}).status_code == 422
    assert Browser(world).get("/invitation", code=code).status_code == 404


def test_a_new_person_joins_by_the_invitation_of_the_installations_owner(new_world):
    owner = new_world.someone()
    code, browser = invited(owner), Browser(new_world)
    offered = browser.get("/invitation", code=code).json()["data"]

    assert offered == {"email": email_of(owner), "role": "bookkeeper", "may_register": True}
    body = {"code": code, "email": "sam@farthing.example", "password": "correct horse battery"}
    assert browser.post("/invitation", body).status_code == 200
    assert [one["attributes"]["role"] for one in browser.get("/books").json()["data"]] == ["owner", "bookkeeper"]
    assert Browser(new_world).post("/invitation", body).status_code == 422


def test_the_invitation_of_anybody_else_makes_no_user(new_world):
    new_world.someone()
    code = invited(new_world.someone())
    body = {"code": code, "email": "sam@farthing.example", "password": "correct horse battery"}

    assert Browser(new_world).get("/invitation", code=code).json()["data"]["may_register"] is False
    assert Browser(new_world).post("/invitation", body).status_code == 422


# Handing over


def test_books_are_handed_over(world):
    before, after = somebody(world), somebody(world)
    giving, taking = signed_in(world, before), signed_in(world, after)
    account = made(giving, asset(name="Household"))
    code = invited(giving, "owner")

    assert taking.post("/books", {"code": code}).status_code == 200

    assert taking.get("/about/user").json()["data"]["attributes"]["email"] == after.email
    assert taking.get(f"/accounts/{account}").status_code == 200, "the books are theirs now"
    assert giving.get("/about/user").json()["data"]["attributes"]["email"] == before.email
    assert giving.get(f"/accounts/{account}").status_code == 404
    there = {"Farthing-Books": taking.get("/about/user").json()["data"]["id"]}
    assert giving.request("GET", f"/accounts/{account}", headers=there).status_code == 200, "they stay as a member"
    assert (
        Browser(world).post("/session", {"email": after.email, "password": "correct horse battery"}).status_code == 200
    )


def test_books_that_were_handed_over_cannot_be_taken_back_with_an_older_invitation(world):
    giving, taking = signed_in(world, somebody(world)), signed_in(world, somebody(world))
    first, second, other = invited(giving, "owner"), invited(giving, "owner"), invited(giving, "full")

    assert taking.post("/books", {"code": first}).status_code == 200

    assert [giving.post("/books", {"code": code}).status_code for code in (second, other)] == [422, 422]
    assert taking.get("/invitations").json()["data"] == []


def test_of_two_who_take_over_the_same_books_at_the_same_moment_one_does(world):
    giving, one, two = (signed_in(world, somebody(world)) for _ in range(3))
    codes = [invited(giving, "owner") for _ in range(2)]

    with ThreadPoolExecutor(2) as threads:
        statuses = threads.map(lambda who, code: who.post("/books", {"code": code}).status_code, (one, two), codes)

    assert sorted(statuses) == [200, 422]


def test_whoever_hands_over_keeps_their_roles_in_other_books_also_in_those_of_the_blocked(world):
    third, giver = world.someone(), somebody(world)
    giving, taking = signed_in(world, giver), signed_in(world, somebody(world))
    giving.post("/books", {"code": invited(third, "full")})
    with world.books.writing() as db:
        users.set_blocked(db, third.user.id, True, stamp(world.time.now))

    assert taking.post("/books", {"code": invited(giving, "owner")}).status_code == 200

    with world.books.writing() as db:
        users.set_blocked(db, third.user.id, False, stamp(world.time.now))
    assert [one["attributes"]["email"] for one in third.get("/members").json()["data"]] == [giver.email]


def test_after_handing_over_changes_and_audit_still_say_who_did_it(world):
    third, giver, taker = world.someone(), somebody(world), somebody(world)
    giving, taking = signed_in(world, giver), signed_in(world, taker)
    giving.post("/books", {"code": invited(third, "full")})
    giving.request("POST", "/tags", json={"tag": "elsewhere"}, headers={"Farthing-Books": str(third.user.id)})
    a_tag(giving)

    assert taking.post("/books", {"code": invited(giving, "owner")}).status_code == 200

    made_by = [books.get("/changes", limit=1).json()["data"][0]["attributes"]["by"] for books in (taking, third)]
    assert made_by == [giver.email, giver.email]
    [joined] = third.get("/audit", event="joined").json()["data"]
    assert joined["attributes"]["by"] == giver.email
    handed_over = [one.get("/audit", event="handed_over").json()["data"][0]["attributes"] for one in (taking, giving)]
    assert [one["by"] for one in handed_over] == [None, taker.email]


def test_nobody_takes_over_books_who_has_their_own(world):
    giving, taking = signed_in(world, somebody(world)), signed_in(world, somebody(world))
    a_transaction(taking)

    refused = taking.post("/books", {"code": invited(giving, "owner")})

    assert refused.status_code == 409
    assert "not empty" in refused.json()["message"]


def test_only_the_owner_hands_books_over_and_not_by_a_token(world, me):
    full = member_of(world, me, "full")
    body = {"role": "owner", "name": "Sam"}

    assert full.post("/invitations", body).status_code == 403
    assert me.post("/invitations", body).status_code == 403
    code = invited(signed_in(world, me.user), "owner")
    assert world.someone().post("/books", {"code": code}).status_code == 403
