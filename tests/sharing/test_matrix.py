"""What may each caller do at each route? Generated from the routes: a new one is in it, or a test here fails.

Each test makes one object of every kind in somebody's books, then lets one caller knock at every door.
"""

from dataclasses import replace

import pyotp
import pytest

from farthing.http.route import Gate
from farthing.identity import scopes, tokens, users
from farthing.identity.user import ApiVersion
from farthing.kernel.clock import stamp
from farthing.storage.schema import TABLES

from ..http import doors
from ..http.doors import KNOWN
from ..moving.import_jobs.making import a_csv, imported
from ..moving.import_jobs.making import an_account as asset_account
from ..sessions.browser import PASSWORD, Browser, signed_in, somebody
from .people import in_books, member_of, with_token

SHARED = [door for door in KNOWN if door.route.is_shared]
# Not of the books: each caller has their own, whatever books the request names.
OWN = [door for door in KNOWN if not door.route.is_shared]
# Each closed door is knocked at with the scopes of every fifth group: with all of them it takes a minute.
GROUPS_APART = 5
# They need nothing but a caller.
WITHOUT_SCOPE = {"about.show", "about.user"}


@pytest.fixture
def one_of_each(me):
    return doors.one_of_each(me)


def rows(world, user_id):
    """Everything of the user but what is noted beside the books."""
    left_out = {"revisions", "tokens", "answers", "sessions", "audit"}
    with world.books.reading() as db:
        return {
            table: sorted(db.all(f"SELECT * FROM {table} WHERE user_id = :id", id=user_id), key=repr)
            for table, columns in TABLES.items()
            if "user_id" in columns and table not in left_out
        }


def knock(client, door, ids):
    return client.request(door.method, door.address(ids), json={})


def writes(door):
    return door.route.is_unsafe and not door.route.only_reads


def test_a_viewer_sees_everything_and_changes_nothing(world, me, one_of_each):
    viewer, before = member_of(world, me, "viewer"), rows(world, me.user.id)

    wrong = {}
    for door in SHARED:
        answer = knock(viewer, door, one_of_each)
        if not writes(door) and door.route.gate is Gate.BOOKS:
            expected = knock(me, door, one_of_each).status_code
        else:
            # Rules that are only tried out read; what they would need is missing here.
            expected = 422 if callable(door.route.mode) and answer.status_code == 422 else 403
        if answer.status_code != expected:
            wrong[str(door)] = (answer.status_code, expected)

    assert wrong == {}
    assert rows(world, me.user.id) == before


@pytest.mark.any_database
def test_a_bookkeeper_may_not_do_what_needs_full_access(world, me, one_of_each):
    bookkeeper = member_of(world, me, "bookkeeper")

    closed = [door for door in SHARED if door.route.gate is Gate.WHOLE]
    refused = [door for door in closed if _is_forbidden(bookkeeper, door, one_of_each)]
    # Empty bodies and dry runs, so that nothing goes that the next route would need.
    others = [
        str(door)
        for door in SHARED
        if door.route.gate is Gate.BOOKS and door.method != "DELETE" and _is_forbidden(bookkeeper, door, one_of_each)
    ]

    assert refused == closed
    assert [door for door in SHARED if "/webhooks" in door.path and door not in closed] == [], "they show secrets"
    assert {door.route.name for door in closed if door.version is ApiVersion.V1} == {
        "accounts.merge", "accounts.remove", "exports.export", "preferences.change", "currencies.prefer",
        "members.change", "members.remove", "members.index_invitations", "members.invite", "members.take_back",
        "webhooks.index", "webhooks.create", "webhooks.show", "webhooks.change", "webhooks.remove",
        "webhooks.renew_secret", "webhooks.resume", "webhooks.test", "webhooks.list_deliveries",
        "webhooks.show_delivery", "webhooks.send_again",
    }  # fmt: skip
    # A secret, or what a message contains, is not for everybody who works in the books.
    of_v6 = {door.route.name for door in SHARED if door.version is ApiVersion.V6 and "/webhooks" in door.path}
    assert {name for name in of_v6 if name.startswith("webhooks.")} == of_v6
    assert of_v6 & {door.route.name for door in closed if door.version is ApiVersion.V6} == {
        "webhooks.index", "webhooks.create", "webhooks.show", "webhooks.change", "webhooks.remove", "webhooks.submit",
        "webhooks.trigger_transaction", "webhooks.messages", "webhooks.show_message", "webhooks.remove_message",
        "webhooks.attempts", "webhooks.show_attempt", "webhooks.remove_attempt",
    } == of_v6  # fmt: skip
    assert others == []


def test_whatever_a_bookkeeper_does_what_takes_full_access_stays(world, me, one_of_each):
    """The effect counts, not the route: undoing what others did, at every door, deletes no account of theirs."""
    account = asset_account(me, "Checking")
    done = [imported(world, me, a_csv(f"2024-05-0{day},Bakery {day},Bread,-2.50"), account_id=account) for day in "12"]
    assert [job["state"] for job in done] == ["done", "done"]
    jobs = [one["id"] for one in me.get("/import_jobs").json()["data"]]
    bookkeeper, before = member_of(world, me, "bookkeeper"), _beyond_bookkeepers(world, me)

    undone = [bookkeeper.post(f"/import_jobs/{job}/undo", {"force": "1"}).status_code for job in jobs]
    for change in me.get("/changes", limit=1000).json()["data"]:
        bookkeeper.request("POST", f"/changes/{change['id']}/undo", params={"others": "1"})
    for door in sorted(SHARED, key=lambda door: door.method == "DELETE"):
        if door.route.is_unsafe:
            knock(bookkeeper, door, one_of_each)

    assert undone == [403, 403, 409]
    assert _beyond_bookkeepers(world, me) == before


def test_a_bookkeeper_takes_back_an_import_of_their_own_and_only_what_they_made(world, me):
    account = asset_account(me, "Checking")
    bookkeeper = member_of(world, me, "bookkeeper")
    own = imported(world, bookkeeper, a_csv("2024-05-01,Bakery,Bread,-2.50"), account_id=account)
    before = _beyond_bookkeepers(world, me)
    [job] = bookkeeper.get("/import_jobs").json()["data"]
    assert own["counts"]["new"] == 1

    assert bookkeeper.post(f"/import_jobs/{job['id']}/undo").status_code == 200
    assert len(_beyond_bookkeepers(world, me)["accounts"]) == len(before["accounts"]) - 1
    # Once the owner has brought it back, it is no longer the bookkeeper's alone.
    [change] = me.get("/changes", limit=1).json()["data"]
    back = me.request("POST", f"/changes/{change['id']}/undo", params={"others": "1"})
    assert back.status_code == 200
    assert _beyond_bookkeepers(world, me) == before
    assert bookkeeper.post(f"/import_jobs/{job['id']}/undo").status_code == 403
    assert me.post(f"/import_jobs/{job['id']}/undo").status_code == 200


def _beyond_bookkeepers(world, me):
    """What only somebody with full access may delete or change; accounts may be edited."""
    kept = rows(world, me.user.id)
    own = TABLES["accounts"].index("id")
    tables = ("preferences", "members", "invitations")
    return {"accounts": sorted(row[own] for row in kept["accounts"]), **{table: kept[table] for table in tables}}


@pytest.mark.any_database
def test_a_full_member_may_do_everything(world, me, one_of_each):
    full = member_of(world, me, "full")

    assert [
        door.route.name for door in SHARED if door.method != "DELETE" and _is_forbidden(full, door, one_of_each)
    ] == []
    assert full.request("DELETE", f"/accounts/{one_of_each['accounts']}").status_code == 204


def test_whatever_somebody_with_full_access_does_what_is_the_owners_stays(world, me, one_of_each):
    """Their address, password and sessions, the settings of their notices, and who is told of their sign-ins."""
    hook = {"title": "Mine", "url": "https://mine.example.org", "events": ["sign_in.new_device"]}
    for bill_days, url in ((5, hook["url"]), (6, "https://new.example.org")):
        assert me.put("/notices/settings", {"bill_days": bill_days}).status_code == 200
        [mine] = [one["id"] for one in me.get("/webhooks").json()["data"] if one["attributes"]["title"] == "Mine"] or [
            0
        ]
        made = me.put(f"/webhooks/{mine}", hook | {"url": url}) if mine else me.post("/webhooks", hook)
        assert made.status_code == 200
    full, before = member_of(world, me, "full"), _owners(world, me)

    for change in me.get("/changes", limit=1000).json()["data"]:
        for sent in ({"others": "1"}, {"others": "1", "with_later": "1"}):
            full.request("POST", f"/changes/{change['id']}/undo", params=sent)
    for door in SHARED:
        if door.route.is_unsafe and door.route.name != "webhooks.remove":
            knock(full, door, one_of_each)

    assert _owners(world, me) == before


def _owners(world, me):
    sql = {
        "users": "SELECT email, password_hash, role, blocked FROM users WHERE id = :id",
        "notices": "SELECT data FROM preferences WHERE user_id = :id AND name = 'notices'",
        "webhooks": "SELECT url FROM webhooks WHERE user_id = :id AND triggers LIKE '%sign_in%'",
        **{table: f"SELECT * FROM {table} WHERE user_id = :id" for table in ("sessions", "factors", "identities")},
    }
    with world.books.reading() as db:
        return {name: db.all(statement, id=me.user.id) for name, statement in sql.items()}


@pytest.mark.parametrize("kind", ["other", "removed", "owner blocked"])
def test_books_that_are_not_shared_are_not_there(kind, world, me, one_of_each):
    stranger = in_books(world.someone(), me) if kind == "other" else member_of(world, me, "full")
    with world.books.writing() as db:
        if kind == "removed":
            db.run("DELETE FROM members WHERE member_id = :id", id=stranger.user.id)
        if kind == "owner blocked":
            users.set_blocked(db, me.user.id, True, stamp(world.time.now))
    before = rows(world, me.user.id)

    answers = {str(door): knock(stranger, door, one_of_each).status_code for door in SHARED}

    assert {name: status for name, status in answers.items() if status != 404} == {}
    assert rows(world, me.user.id) == before


@pytest.mark.any_database
def test_what_is_the_callers_own_ignores_the_books_that_are_named(world, me, someone_else):
    """Also those that do not exist: 404 would tell of other users."""
    for door in OWN:
        if door.method == "GET" and "{" not in door.path:
            plain = someone_else.request("GET", door.path)
            named = in_books(someone_else, me).request("GET", door.path)
            assert (named.status_code, named.json()) == (plain.status_code, plain.json()), door


@pytest.mark.any_database
def test_every_route_has_a_scope_or_needs_a_token_without(world, me, one_of_each):
    without = [door.route for door in KNOWN if not door.route.groups]

    assert {route.name for route in without if route.gate is Gate.SELF} == WITHOUT_SCOPE
    assert {route.name.partition(".")[0] for route in without} <= {
        "about", "sessions", "tokens", "members", "audit", "factors", "apps", "identities", "data", "user_groups"
    }  # fmt: skip


@pytest.mark.any_database
@pytest.mark.parametrize("may", ["read", "write"])
def test_a_scope_opens_its_own_doors_and_no_others(may, world, me, one_of_each):
    for number, group in enumerate(scopes.GROUPS):
        limited = with_token(world, me, scopes=f"{group}:{may}")
        wrong = {}
        for place, door in enumerate(KNOWN):
            if group in door.route.groups:
                if door.method == "DELETE":
                    continue  # it would be gone for the next
            elif place % GROUPS_APART != number % GROUPS_APART:
                continue  # other groups knock there
            answer = knock(limited, door, one_of_each)
            allowed = door.route.name in WITHOUT_SCOPE or (
                set(door.route.groups) == {group} and not (writes(door) and may == "read")
            )
            if group == "webhooks" and "scope: transactions:read" in answer.text:
                continue  # what the messages of this webhook contain needs another scope, too
            refused = answer.status_code == 403 and "scope" in answer.json()["message"]
            if refused == allowed and not (callable(door.route.mode) and answer.status_code == 422):
                wrong[str(door)] = (answer.status_code, answer.text[:100])
        assert wrong == {}, group


@pytest.mark.any_database
def test_a_token_that_may_only_read_changes_nothing(world, me, one_of_each):
    reader, before = with_token(world, me, access="read"), rows(world, me.user.id)

    wrong = {}
    for door in KNOWN:
        answer = knock(reader, door, one_of_each)
        if writes(door):
            # Rules that are only tried out read; what they would need is missing here.
            expected = 422 if callable(door.route.mode) and answer.status_code == 422 else 403
        else:
            expected = knock(me, door, one_of_each).status_code
        if answer.status_code != expected:
            wrong[str(door)] = (answer.status_code, expected)

    assert wrong == {}
    assert rows(world, me.user.id) == before


@pytest.mark.any_database
def test_before_the_second_factor_nobody_is_in(world):
    """The password was right, and that is all that the browser has."""
    person = somebody(world)
    browser = signed_in(world, person)
    ids = {"factors": _second_factor(world, browser)}
    waiting = Browser(world)

    asked = waiting.sign_in(person.email)

    assert (asked.status_code, list(asked.json()["errors"])) == (422, ["otp"])
    assert asked.headers.get_list("set-cookie") == []
    assert (waiting.cookie, waiting.csrf, waiting.device) == (None, None, None)
    answers = {str(door): knock(waiting, door, ids).status_code for door in KNOWN}
    assert {name: status for name, status in answers.items() if status != 401} == {}


def _second_factor(world, browser):
    made = browser.post("/factors", {"name": "Phone", "current_password": PASSWORD}).json()["data"]
    code = pyotp.parse_uri(made["attributes"]["address"]).at(world.time.now)
    assert browser.post(f"/factors/{made['id']}/confirm", {"otp": code}).status_code == 200
    return made["id"]


@pytest.mark.any_database
@pytest.mark.parametrize("kind", ["nobody", "expired", "revoked", "blocked", "another network"])
def test_who_is_not_known_gets_in_nowhere(kind, world, me, one_of_each):
    stranger = _unknown(kind, world, me)

    answers = {str(door): knock(stranger, door, one_of_each).status_code for door in KNOWN}

    assert {name: status for name, status in answers.items() if status != 401} == {}


@pytest.mark.any_database
def test_a_session_without_proof_changes_nothing(world, me, one_of_each):
    browser = signed_in(world, me.user)
    browser.csrf = None
    before = rows(world, me.user.id)

    answers = {str(door): knock(browser, door, one_of_each).status_code for door in KNOWN if door.route.is_unsafe}

    assert {name: status for name, status in answers.items() if status != 403} == {}
    assert rows(world, me.user.id) == before


def _is_forbidden(client, door, ids):
    return knock(client, door, ids).status_code == 403


def _unknown(kind, world, me):
    if kind == "nobody":
        return replace(me, token="made up")
    if kind == "expired":
        return with_token(world, me, expires_at="2024-05-15T11:59:59+00:00")
    if kind == "another network":
        return with_token(world, me, networks="203.0.113.0/24 2001:db8::/32")
    if kind == "blocked":
        with world.books.writing() as db:
            users.set_blocked(db, me.user.id, True, stamp(world.time.now))
        return me
    stranger = with_token(world, me)
    with world.books.writing() as db:
        tokens.revoke_all(db, me.user.id)
    return stranger
