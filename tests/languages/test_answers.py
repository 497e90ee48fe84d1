"""The API answers in the language of its reader, and in English as it always did."""

import re

import pytest

from ..accounts.making import asset, made
from ..conftest import Client, World
from ..http.doors import KNOWN, Door
from ..recurrences.making import a_recurrence, a_repetition

GERMAN_BROWSER = {"Accept-Language": "de-DE,de;q=0.9"}
# Words that are in nearly every English sentence of ours, and in no German one.
_ENGLISH = re.compile(r"\b(the|must|may|is|are|not|cannot|there|only|has|this|it|of|with|and|be|you)\b", re.IGNORECASE)
_QUOTED = re.compile(r"„[^“]*“|`[^`]*`|'[^']*'|\"[^\"]*\"|\([^)]*\)|\b[a-z]+_[a-z_]+\b|: [\w, /.:_-]+")


def speak(client: Client, language: str) -> None:
    named = {thing["attributes"]["name"]: thing["id"] for thing in client.get("/preferences").json()["data"]}
    assert client.put(f"/preferences/{named['language']}", {"data": language}).status_code == 200


@pytest.fixture
def german(world: World) -> Client:
    client = world.someone()
    speak(client, "de_AT")
    return client


def test_problems_are_said_in_the_readers_language_whatever_the_browser_accepts(me: Client, german: Client) -> None:
    body = {"name": "x" * 300, "type": "asset", "currency_code": "???"}

    in_english = me.post("/accounts", body, headers=GERMAN_BROWSER).json()
    in_german = german.post("/accounts", body, headers={"Accept-Language": "en"}).json()

    assert in_english == me.post("/accounts", body).json()
    assert in_english["errors"]["name"] == ["The name may not be greater than 255 characters."]
    assert in_german["errors"]["name"] == ["„Name“ darf höchstens 255 Zeichen lang sein."]
    assert in_german["message"] == "Die Angaben sind nicht gültig."


def test_before_sign_in_the_browser_decides_and_caches_know_it(world: World) -> None:
    address, body = "/api/v1/session", {"email": "nobody@example.org", "password": "not this one"}

    in_german = world.http.request("POST", address, json=body, headers=GERMAN_BROWSER)
    in_english = world.http.request("POST", address, json=body)

    assert in_german.json()["errors"]["password"] == ["E-Mail-Adresse oder Passwort ist falsch."]
    assert in_english.json()["errors"]["password"] == ["Wrong email address or password."]
    assert "Accept-Language" in in_german.headers.get_list("vary")


def test_a_program_whose_token_is_unknown_is_answered_in_english(world: World) -> None:
    headers = {"Authorization": "Bearer nonsense", **GERMAN_BROWSER}

    assert world.http.request("GET", "/api/v1/about/user", headers=headers).json()["message"] == "Unauthenticated"


def test_the_description_of_a_repetition_follows_the_language_and_so_does_its_tag(german: Client) -> None:
    recurrence = a_recurrence(made(german, asset()), repetitions=[a_repetition(moment="3")])
    made_id = german.post("/recurrences", recurrence).json()["data"]["id"]
    address = f"/recurrences/{made_id}"

    first = german.get(address)
    speak(german, "nl_NL")
    second = german.get(address)

    said = [one.json()["data"]["attributes"]["recurrence_repetitions"][0]["description"] for one in (first, second)]
    assert said == ["Monatlich am 3. Tag", "Elke maand op dag 3"]
    assert first.headers["etag"] != second.headers["etag"]


@pytest.mark.parametrize("door", [door for door in KNOWN if door.method in ("POST", "PUT")], ids=str)
def test_no_refusal_that_a_german_reads_is_english(door: Door, german: Client) -> None:
    for body in ({}, {"name": "", "amount": "x", "date": "yesterday", "title": "", "type": "what", "email": "x"}):
        response = german.request(door.method, door.address({}), json=body)
        if response.status_code in range(400, 500):
            said = response.json()
            for sentence in [said["message"], *(text for texts in said.get("errors", {}).values() for text in texts)]:
                assert not _ENGLISH.search(_QUOTED.sub("", sentence)), sentence
