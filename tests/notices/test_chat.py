"""Notices in chats and push services, sent by the library to a service of our own."""

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import certifi
import pytest

from farthing.jobs.chatting import Chatter
from farthing.jobs.noticing import Noticer
from farthing.kernel.network import chat
from farthing.kernel.network.chat import ChatMessage
from farthing.kernel.network.chat_process import Guard
from farthing.overviews.notices.search import find_available

from ..bills.making import a_bill, stored
from ..conftest import Check, Client, World, running
from ..transactions.making import errors
from ..webhooks.receiver import Receiver
from .making import chosen


@pytest.fixture
def chat_world(new_database_url: str, tmp_path: Path, check_answer: Check) -> Iterator[World]:
    allowed = {"outgoing_private": True, "base_url": "http://farthing.example"}
    yield from running(new_database_url, tmp_path, check_answer, **allowed)


def add(client: Client, url: str, **fields: str) -> str:
    response = client.post("/notices/addresses", {"url": url, **fields})
    assert response.status_code == 200, response.text
    id_: str = response.json()["data"]["id"]
    return id_


def works(world: World) -> None:
    Noticer(world.books, world.time.clock(), find_available(world.settings)).turn()
    chatter = Chatter(world.settings, world.books, world.time.clock())
    chatter.turn()
    chatter.finish()


def test_each_address_gets_a_notice_once_and_a_failed_one_is_tried_again(
    chat_world: World, receiver: Receiver, caplog: pytest.LogCaptureFixture
):
    me = chat_world.someone()
    works(chat_world)
    url = receiver.url.replace("http://", "json://user:s3cret@")
    ids = [add(me, f"{url}/{name}", title=name) for name in ("one", "two")]
    chosen(me, channels={"bill_due": ["chat"]}, amounts=False)
    bill = stored(me, a_bill(date="2024-05-16", name="Rent"))
    receiver.answers = [200, 500]

    works(chat_world)

    shown = [one["attributes"] for one in me.get("/notices/addresses").json()["data"]]
    assert [(one["title"], one["url"]) for one in shown] == [("one", "json://…"), ("two", "json://…")]
    assert shown[0]["sent_at"]
    assert (shown[0]["failure"], shown[1]["failure"]) == (None, "The service did not accept the message.")
    body = receiver.bodies[0]
    assert (body["title"], "795" in body["message"]) == ("Rent is due on May 16, 2024", False)
    assert f"http://farthing.example/#/bills/{bill['id']}" in body["message"]
    receiver.received.clear()
    works(chat_world)
    assert receiver.received == []

    chat_world.time.now += timedelta(minutes=1)
    works(chat_world)

    assert [path for path, _, _ in receiver.received] == ["/two"]
    shown = [one["attributes"] for one in me.get("/notices/addresses").json()["data"]]
    assert [bool(one["sent_at"]) and one["failure"] is None for one in shown] == [True, True]
    assert me.delete(f"/notices/addresses/{ids[0]}").status_code == 204
    assert chat_world.someone().delete(f"/notices/addresses/{ids[1]}").status_code == 404
    assert "s3cret" not in caplog.text + me.get("/notices/addresses").text


def test_a_test_message_ignores_quiet_hours_and_a_notice_does_not(chat_world: World, receiver: Receiver):
    me = chat_world.someone()
    works(chat_world)
    assert me.post("/notices/addresses/test").status_code == 409
    add(me, receiver.url.replace("http", "json"))
    chosen(me, channels={"bill_due": ["chat"]}, quiet_from="00:00", quiet_until="23:59")
    stored(me, a_bill(date="2024-05-16"))
    assert me.post("/notices/addresses/test").status_code == 204

    works(chat_world)

    assert [body["title"] for body in receiver.bodies] == ["Messages from Farthing work"]


@pytest.mark.any_database
def test_only_services_with_https_outside_of_the_own_network_are_reached(world: World, me: Client, receiver: Receiver):
    local = receiver.url.removeprefix("http://")
    wrong = [
        errors(me.post("/notices/addresses", {"url": url}))["url"]
        for url in (f"json://{local}", "jsons://example.org?verify=no", "syslog://", "nothing://at.all")
    ]
    sent = chat.send([ChatMessage(f"jsons://{local}", "Hello", "there")], allow_private=False)

    assert ["must begin with jsons://" in wrong[0][0], "verify" in wrong[1][0]] == [True, True]
    assert wrong[2:] == [
        ["This service does not use HTTPS."],
        ["This is not an address of a service that Farthing knows, or something in it is missing."],
    ]
    assert sent == ["It leads to a private or reserved address, to which Farthing does not connect."]
    assert receiver.received == []


@pytest.mark.any_database
def test_a_child_process_opens_no_file_and_no_address_that_it_should_not(tmp_path: Path):
    guard = Guard(allow_private=False)
    for event, *arguments in (
        ("socket.connect", None, ("10.0.0.1", 443)),
        ("socket.connect", None, "/run/docker.sock"),
        ("socket.sendto", None, ("169.254.169.254", 80)),
        ("open", "/etc/passwd", "r", os.O_RDONLY),
        ("open", certifi.where(), "w", os.O_WRONLY),
        ("subprocess.Popen", "sh", [], None, None),
    ):
        with pytest.raises(PermissionError):
            guard.watch(event, tuple(arguments))
    guard.watch("socket.connect", (None, ("93.184.215.14", 443)))
    guard.watch("open", (certifi.where(), "r", os.O_RDONLY))


@pytest.mark.any_database
def test_without_the_extra_the_choice_is_not_offered(world: World, me: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(chat, "is_installed", lambda: False)

    answer = me.post("/notices/addresses", {"url": "ntfys://example.org/topic"})

    assert (answer.status_code, "farthing[notify]" in answer.json()["message"]) == (409, True)
    assert "chat" not in me.get("/notices/settings").json()["data"]["available"]
    wrong = errors(me.put("/notices/settings", {"channels": {"bill_due": ["chat"]}}))
    assert "farthing[notify]" in wrong["channels"][0]
