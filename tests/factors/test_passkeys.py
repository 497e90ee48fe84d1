"""Does a passkey let in whoever holds it, and nobody else?"""

import json
import subprocess
import sys
from copy import deepcopy
from datetime import timedelta
from typing import Any

import cbor2
import pyotp
import pytest

from farthing.identity.factors import challenges
from farthing.identity.factors.passkeys import decode, encode
from farthing.kernel.clock import stamp

from ..sessions.browser import PASSWORD, Browser, somebody
from .authenticator import Authenticator, Passkey


class Page(Browser):
    """At an address with a name, without which there are no passkeys."""

    def request(self, method: str, path: str, **options: Any) -> Any:
        headers = {"Host": "localhost"} | options.pop("headers", {})
        return super().request(method, path, headers=headers, **options)


def signs_in(world, person, **more):
    page = Page(world)
    return page, page.post("/session", {"email": person.email, "password": PASSWORD, **more})


def begins(page, **proof):
    answer = page.post("/factors/passkeys/challenge", proof or {"current_password": PASSWORD})
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def adds(page, key, name="Laptop", **proof):
    answer = page.post("/factors/passkeys", {"name": name, "credential": key.create(begins(page, **proof))})
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def proves(page, key):
    """What a passkey signs for a removal and the like."""
    return key.get(page.post("/factors/challenge").json()["data"])


def opens(world, key, page=None, **changed):
    """Signs in with a passkey alone; `changed` is what is sent instead of what the authenticator has signed."""
    page = page or Page(world)
    signed = key.get(page.post("/session/challenge").json()["data"])
    return page, page.post("/session", {"passkey": signed | changed})


def asked(world, person):
    """What is asked for after the password."""
    page, answer = signs_in(world, person)
    assert answer.status_code == 422
    return page, answer.json()["meta"]


def refused(answer, field="passkey"):
    return answer.status_code == 422 and list(answer.json()["errors"]) == [field]


def events(page):
    return [one["attributes"]["event"] for one in page.get("/audit").json()["data"]]


@pytest.fixture
def person(world):
    return somebody(world)


@pytest.fixture
def page(world, person):
    return signs_in(world, person)[0]


@pytest.fixture
def key():
    return Authenticator()


@pytest.fixture
def added(page, key):
    return adds(page, key)


def test_the_first_passkey_brings_recovery_codes_and_is_asked_for_from_then_on(world, person, page, key, added):
    assert len(set(added["attributes"]["recovery_codes"])) == 10
    assert adds(page, Authenticator(), "Phone")["attributes"]["recovery_codes"] == []

    listed = page.get("/factors").json()
    assert [(one["attributes"]["kind"], one["attributes"]["name"]) for one in listed["data"]] == [
        ("passkey", "Laptop"),
        ("passkey", "Phone"),
    ]
    assert listed["meta"] == {"recovery_codes_left": 10}
    assert page.get("/preferences/twoFactorAuthEnabled").json()["data"]["attributes"]["data"] is True
    other, answer = signs_in(world, person)
    assert "set-cookie" not in answer.headers
    assert other.get("/accounts").status_code == 401


def test_a_new_one_is_discoverable_and_an_authenticator_makes_no_second(page, key, added):
    options = begins(page)

    assert options["authenticatorSelection"] == {"residentKey": "preferred", "userVerification": "preferred"}
    assert options["rp"] == {"id": "localhost", "name": "Farthing"}
    assert options["excludeCredentials"] == [
        {"id": key.passkeys[0].id, "type": "public-key", "transports": ["internal", "hybrid"]}
    ]
    assert options["user"]["id"] == key.passkeys[0].handle


def test_it_is_the_second_factor_after_the_password(world, person, key, added):
    page, meta = asked(world, person)

    assert meta["second_factors"] == ["passkey", "recovery_code"]
    assert meta["public_key"]["allowCredentials"][0]["id"] == key.passkeys[0].id
    signed = key.get(meta["public_key"], with_handle=False)
    assert page.post("/session", {"email": person.email, "password": PASSWORD, "passkey": signed}).status_code == 200
    assert page.is_in
    assert page.get("/factors").json()["data"][0]["attributes"]["last_used_at"] is not None


def test_a_wrong_password_says_nothing_of_it_and_no_passkey_makes_up_for_it(world, person, key, added):
    page, meta = asked(world, person)
    signed = key.get(meta["public_key"])

    wrong = page.post("/session", {"email": person.email, "password": "not it", "passkey": signed})

    assert refused(wrong, "password")
    assert "meta" not in wrong.json()
    assert refused(Page(world).post("/session", {"email": person.email, "password": "not it"}), "password")


def test_a_recovery_code_works_in_its_place(world, person, added):
    code = added["attributes"]["recovery_codes"][0]

    assert signs_in(world, person, otp=code)[1].status_code == 200
    assert refused(signs_in(world, person, otp=code)[1], "otp")


def test_a_passkey_with_a_pin_replaces_the_password(world, person, key, added):
    page, answer = opens(world, key)

    assert answer.status_code == 200
    assert answer.json()["data"]["attributes"]["email"] == person.email
    assert page.is_in
    assert events(page)[0] == "signed_in"


def test_without_a_pin_it_is_only_the_second_factor(world, person, page):
    plain = Authenticator(verifies=False)
    adds(page, plain)

    page, answer = opens(world, plain)
    assert refused(answer)
    assert "PIN" in answer.json()["errors"]["passkey"][0]
    assert not page.is_in
    page, meta = asked(world, person)
    signed = plain.get(meta["public_key"])
    assert page.post("/session", {"email": person.email, "password": PASSWORD, "passkey": signed}).status_code == 200


def test_a_link_wants_it_too(world, person, key, added):
    from farthing.identity import links

    with world.books.writing() as db:
        code = links.make(db, person.id, stamp(world.time.now))
    page = Page(world)
    answer = page.post("/session", {"code": code})

    assert refused(answer, "otp")
    signed = key.get(answer.json()["meta"]["public_key"])
    assert page.post("/session", {"code": code, "passkey": signed}).status_code == 200


def test_an_authenticator_that_does_not_count_works_again_and_again(world, page):
    key = Authenticator(counts=False)
    adds(page, key)

    assert [opens(world, key)[1].status_code for _ in range(3)] == [200, 200, 200]


def test_a_copy_is_refused_and_noted(world, person, page, key, added):
    assert opens(world, key)[1].status_code == 200
    copy = deepcopy(key)
    assert opens(world, key)[1].status_code == 200

    behind, answer = opens(world, copy)

    assert refused(answer)
    assert "copy" in answer.json()["errors"]["passkey"][0]
    assert not behind.is_in
    assert events(page)[:2] == ["sign_in_refused", "passkey_copied"]
    copy.passkeys[0].counter = 0
    other, meta = asked(world, person)
    signed = copy.get(meta["public_key"])
    assert refused(other.post("/session", {"email": person.email, "password": PASSWORD, "passkey": signed}))
    copy.passkeys[0].counter = 0
    assert refused(page.request("DELETE", f"/factors/{added['id']}", json={"passkey": proves(page, copy)}))
    assert events(page)[0] == "passkey_copied"


def test_nobody_reports_a_copy_without_the_key(world, page, key, added):
    assert opens(world, key)[1].status_code == 200
    forger = deepcopy(key)
    forger.passkeys[0].key = Passkey("", "", "").key
    forger.passkeys[0].counter = -1

    assert refused(opens(world, forger)[1])
    assert "passkey_copied" not in events(page)


@pytest.mark.any_database
@pytest.mark.parametrize(
    "wrong",
    ["origin", "site", "key", "handle", "unknown", "challenge", "signature", "kind", "nonsense"],
)
def test_what_is_not_right_lets_nobody_in(wrong, world, person, key, added):
    page, mine = Page(world), key.passkeys[0]
    if wrong == "origin":
        key.origin = "https://elsewhere.example"
    if wrong == "site":
        mine.rp_id = "elsewhere.example"
    if wrong == "key":
        mine.key = Passkey("", "", "").key
    if wrong == "handle":
        mine.handle = encode(b"somebody else")
    if wrong == "unknown":
        mine.id = encode(b"never seen here")
    options = page.post("/session/challenge").json()["data"]
    if wrong == "challenge":
        options["challenge"] = encode(b"made up")
    signed = key.get(options)
    if wrong == "signature":
        signed["response"]["signature"] = encode(b"signed")
    if wrong == "kind":
        said = json.loads(decode(signed["response"]["clientDataJSON"])) | {"type": "webauthn.create"}
        signed["response"]["clientDataJSON"] = encode(json.dumps(said).encode())
    if wrong == "nonsense":
        signed["response"]["authenticatorData"] = encode(b"\xff" * 300)

    assert refused(page.post("/session", {"passkey": signed}))
    assert not page.is_in
    with world.books.reading() as db:
        noted = db.value("SELECT event FROM audit WHERE user_id = :id ORDER BY id DESC LIMIT 1", id=person.id)
    assert (noted == "sign_in_refused") is (wrong != "unknown")


@pytest.mark.any_database
@pytest.mark.parametrize(
    "sent",
    [
        "text", 7, [], {}, {"id": "abc"}, {"id": "abc", "response": {}}, {"id": 7, "response": {"signature": "x"}},
        {"id": "ä", "response": {"clientDataJSON": "!", "authenticatorData": "", "signature": ""}},
        {"id": "abcd", "response": {"clientDataJSON": "W10", "authenticatorData": "AA", "signature": "AA"}},
        {"id": "abcd", "response": {"clientDataJSON": "A" * 30_000, "authenticatorData": "AA", "signature": "AA"}},
    ],
)  # fmt: skip
def test_what_is_no_credential_is_refused_by_name(sent, world, page):
    assert refused(Page(world).post("/session", {"passkey": sent}))
    assert refused(page.post("/factors/passkeys", {"name": "Laptop", "credential": sent}), "credential")


@pytest.mark.any_database
@pytest.mark.parametrize(
    "trap",
    [
        b"\x81" * 15_000, b"\xa1\x00" * 7_500, b"\xc0" * 15_000, b"\x9f" * 15_000, b"\x9b\x7f" + b"\xff" * 7,
        b"\x5b\x7f" + b"\xff" * 7, b"\xc4\x82\x1b\x7f" + b"\xff" * 7 + b"\x01", b"\xd8\x1c\x81\xd8\x1d\x00",
        cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": bytes(32) + b"\xc1" + bytes(22) + b"\x81" * 9_000}),
    ],
    ids=["lists", "maps", "tags", "endless", "long list", "long text", "number", "circle", "key"],
)  # fmt: skip
def test_a_trap_for_the_parser_is_refused_at_once(trap, page, key):
    made = key.create(begins(page))
    made["response"]["attestationObject"] = encode(trap)

    assert refused(page.post("/factors/passkeys", {"name": "Trap", "credential": made}), "credential")


def test_what_was_signed_once_does_not_work_twice(world, key, added):
    page = Page(world)
    signed = key.get(page.post("/session/challenge").json()["data"])

    assert page.post("/session", {"passkey": signed}).status_code == 200
    assert refused(Page(world).post("/session", {"passkey": signed}))


def test_a_challenge_expires(world, page, key, added):
    stranger = Page(world)
    signed, made = key.get(stranger.post("/session/challenge").json()["data"]), Authenticator().create(begins(page))
    world.time.now += challenges.LASTS

    assert refused(stranger.post("/session", {"passkey": signed}))
    assert refused(page.post("/factors/passkeys", {"name": "Late", "credential": made}), "credential")


def test_a_challenge_is_for_one_purpose(world, person, page, key, added):
    for_proof = page.post("/factors/challenge").json()["data"]
    second, meta = asked(world, person)
    stranger = Page(world)
    for_sign_in = stranger.post("/session/challenge").json()["data"]
    words = {"email": person.email, "password": PASSWORD}

    for options in (for_proof, meta["public_key"]):
        assert refused(stranger.post("/session", {"passkey": key.get(options)}))
    for options in (for_proof, for_sign_in):
        assert refused(second.post("/session", {**words, "passkey": key.get(options)}))
    for options in (meta["public_key"], for_sign_in):
        body = {"passkey": key.get(options)}
        assert refused(page.request("DELETE", f"/factors/{added['id']}", json=body))
    creation = begins(page)
    for options in (for_proof, meta["public_key"], for_sign_in):
        made = Authenticator().create(creation | {"challenge": options["challenge"]})
        assert refused(page.post("/factors/passkeys", {"name": "Phone", "credential": made}), "credential")


def test_another_persons_passkey_is_no_second_factor(world, person, page, key, added):
    other, others_key = somebody(world), Authenticator()
    adds(signs_in(world, other)[0], others_key)
    signed_page, meta = asked(world, person)
    options = meta["public_key"] | {"allowCredentials": []}

    body = {"email": person.email, "password": PASSWORD, "passkey": others_key.get(options)}
    assert refused(signed_page.post("/session", body))
    proof = others_key.get(page.post("/factors/challenge").json()["data"] | {"allowCredentials": []})
    assert refused(page.request("DELETE", f"/factors/{added['id']}", json={"passkey": proof}))


def test_a_challenge_of_one_person_does_not_make_a_passkey_of_another(world, page, key):
    other = signs_in(world, somebody(world))[0]

    made = key.create(begins(page))

    assert refused(other.post("/factors/passkeys", {"name": "Mine", "credential": made}), "credential")
    assert page.post("/factors/passkeys", {"name": "Mine", "credential": made}).status_code == 200


def test_a_passkey_is_registered_once(world, page, key, added):
    other = signs_in(world, somebody(world))[0]

    for who in (page, other):
        made = Authenticator().create(begins(who), key.passkeys[0].id)
        assert refused(who.post("/factors/passkeys", {"name": "Again", "credential": made}), "credential")


@pytest.mark.any_database
@pytest.mark.parametrize("wrong", ["origin", "site", "challenge"])
def test_a_passkey_made_elsewhere_is_not_added(wrong, page, key):
    options = begins(page)
    if wrong == "origin":
        key.origin = "https://elsewhere.example"
    if wrong == "site":
        options["rp"]["id"] = "elsewhere.example"
    if wrong == "challenge":
        options["challenge"] = encode(b"made up")

    assert refused(page.post("/factors/passkeys", {"name": "Laptop", "credential": key.create(options)}), "credential")
    assert page.get("/factors").json()["data"] == []


def test_adding_takes_the_password_or_a_passkey_with_a_pin_and_never_a_token(world, page, key, me):
    assert refused(page.post("/factors/passkeys/challenge", {}), "current_password")
    assert refused(page.post("/factors/passkeys/challenge", {"current_password": "not it"}), "current_password")
    assert me.post("/factors/passkeys/challenge", {"current_password": PASSWORD}).status_code == 403
    assert me.post("/factors/challenge").status_code == 403
    adds(page, key)

    signed_in = opens(world, key)[0]
    adds(signed_in, Authenticator(), "Phone", passkey=proves(signed_in, key))
    app = signed_in.post("/factors", {"name": "App", "passkey": proves(signed_in, key)})
    assert app.status_code == 200
    key.verifies = False
    assert refused(signed_in.post("/factors/passkeys/challenge", {"passkey": proves(signed_in, key)}))


def test_somebody_without_a_password_adds_one_right_after_signing_in(world, person, page, key):
    """As those have none whom a provider lets in."""
    with world.books.writing() as db:
        db.run("UPDATE users SET password_hash = '' WHERE id = :id", id=person.id)

    assert page.post("/factors/passkeys/challenge", {}).status_code == 200
    assert page.post("/factors", {"name": "App"}).status_code == 200
    world.time.now += timedelta(minutes=11)
    for path, body in (("/factors/passkeys/challenge", {}), ("/factors", {"name": "App"})):
        assert page.post(path, body).status_code == 403
        assert page.post(path, {**body, "current_password": "guessed"}).status_code == 403


def test_removal_takes_a_fresh_proof(world, person, page, key, added):
    path = f"/factors/{added['id']}"
    assert refused(page.request("DELETE", path, json={}), "otp")
    assert refused(page.request("DELETE", path, json={"otp": "123456"}), "otp")
    signed = proves(page, key)
    assert page.post("/factors/recovery_codes", {"passkey": signed}).status_code == 200
    assert refused(page.request("DELETE", path, json={"passkey": signed}))

    assert page.request("DELETE", path, json={"passkey": proves(page, key)}).status_code == 204
    assert page.get("/factors").json() == {"data": [], "meta": {"recovery_codes_left": 0}}
    assert signs_in(world, person)[1].status_code == 200
    assert refused(opens(world, key)[1])
    assert page.post("/factors/challenge").status_code == 409


def test_a_recovery_code_removes_a_lost_one(page, added):
    code = added["attributes"]["recovery_codes"][3]

    assert page.request("DELETE", f"/factors/{added['id']}", json={"otp": code}).status_code == 204


def test_it_can_be_renamed(page, added):
    answer = page.put(f"/factors/{added['id']}", {"name": "Work laptop"})

    assert answer.json()["data"]["attributes"]["name"] == "Work laptop"
    assert refused(page.put(f"/factors/{added['id']}", {"name": ""}), "name")


def test_beside_an_app_either_works(world, person, page, key, added):
    app = page.post("/factors", {"name": "App", "current_password": PASSWORD}).json()["data"]
    code = pyotp.TOTP(app["attributes"]["secret"]).at(world.time.now)
    confirmed = page.post(f"/factors/{app['id']}/confirm", {"otp": code})
    assert confirmed.json()["data"]["recovery_codes"] == []

    second, meta = asked(world, person)

    assert meta["second_factors"] == ["totp", "passkey", "recovery_code"]
    body = {"email": person.email, "password": PASSWORD}
    assert second.post("/session", {**body, "passkey": key.get(meta["public_key"])}).status_code == 200
    later = pyotp.TOTP(app["attributes"]["secret"]).at(world.time.now + timedelta(seconds=30))
    assert Page(world).post("/session", {**body, "otp": later}).status_code == 200


def test_a_blocked_user_is_not_let_in_by_a_passkey(world, person, key, added):
    from farthing.identity import users

    with world.books.writing() as db:
        users.set_blocked(db, person.id, True, stamp(world.time.now))

    assert refused(opens(world, key)[1])


def test_resetting_removes_passkeys_too(world, person, key, added):
    from farthing.identity.factors import store

    with world.books.writing() as db:
        assert store.remove_all(db, person.id) == 1

    assert refused(opens(world, key)[1])
    assert signs_in(world, person)[1].status_code == 200


def test_a_passkey_goes_with_its_person_when_books_are_handed_over(world, person, page, key, added):
    from farthing.identity.sharing import handover

    other = somebody(world)
    begun = page.post("/factors/challenge").json()["data"]
    with world.books.writing() as db:
        db.author = None
        handover.hand_over(db, person.id, other.id, stamp(world.time.now))

    assert opens(world, key)[1].json()["data"]["attributes"]["email"] == person.email
    assert signs_in(world, other)[1].status_code == 200
    assert page.post("/factors/recovery_codes", {"passkey": key.get(begun)}).status_code == 200


def test_wrong_passkeys_are_counted_and_so_are_challenges(world, person, page, key, added):
    known = Page(world, device=page.device)
    key.passkeys[0].key = Passkey("", "", "").key

    statuses = [opens(world, key)[1].status_code for _ in range(31)]
    assert (statuses[0], statuses[-1]) == (422, 429)
    begun = [Page(world).post("/session/challenge").status_code for _ in range(100)]
    assert (begun[0], begun[-1]) == (200, 429)
    assert known.post("/session/challenge").status_code == 200
    world.time.now += timedelta(minutes=16)
    assert Page(world).post("/session/challenge").status_code == 200


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("host", "hint"),
    [
        ("127.0.0.1:8000", "open http://localhost:8000 instead"),
        ("[::1]:8000", "open http://localhost:8000 instead"),
        ("192.168.1.5", "FARTHING_BASE_URL"),
        ("money.example.org", "https"),
    ],
)
def test_where_browsers_offer_no_passkeys_it_says_what_to_do(host, hint, world, person, page, key, added):
    at = {"headers": {"Host": host}}
    for path, body in (("/factors/passkeys/challenge", {"current_password": PASSWORD}), ("/factors/challenge", {})):
        answer = page.request("POST", path, json=body, **at)
        assert answer.status_code == 409, answer.text
        assert hint in answer.json()["message"]
    answer = Page(world).request("POST", "/session/challenge", json={}, **at)
    assert (answer.status_code, hint in answer.json()["message"]) == (409, True)

    words = {"email": person.email, "password": PASSWORD}
    meta = Page(world).request("POST", "/session", json=words, **at).json()["meta"]
    assert (meta["second_factors"], meta["public_key"]) == (["passkey", "recovery_code"], None)


def test_a_port_that_does_not_exist_is_no_reason_to_fail(world):
    answer = Page(world).request("POST", "/session/challenge", json={}, headers={"Host": "localhost:99999"})

    assert answer.status_code == 200


@pytest.mark.any_database
def test_starting_does_not_wait_for_the_library_of_passkeys():
    looked = (
        "import sys, farthing.app; print(sorted({'webauthn', 'cryptography', 'OpenSSL', 'cbor2'} & {*sys.modules}))"
    )

    done = subprocess.run([sys.executable, "-c", looked], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_there_are_twenty_passkeys_at_most(page, world, person):
    from farthing.identity.factors import store
    from farthing.identity.factors.store import PasskeyDraft

    with world.books.writing() as db:
        for number in range(store.PASSKEYS_MAX):
            draft = PasskeyDraft(
                name="Key", credential=f"{person.id}-{number}", public_key="", counter=0, handle="", transports=""
            )
            store.add_passkey(db, person.id, draft, stamp(world.time.now))

    answer = page.post("/factors/passkeys/challenge", {"current_password": PASSWORD})
    assert (answer.status_code, "20" in answer.json()["message"]) == (409, True)


def test_what_has_expired_is_swept(world, page):
    with world.books.writing() as db:
        db.run("DELETE FROM passkey_challenges")
    begins(page)

    with world.books.writing() as db:
        assert challenges.forget_old(db, stamp(world.time.now)) == 0
        assert challenges.forget_old(db, stamp(world.time.now + challenges.LASTS)) == 1
