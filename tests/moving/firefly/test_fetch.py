"""Fetching from a running Firefly III, played by a server that replays the sample."""

import io
from typing import Any

import pytest

from farthing.kernel.network.outgoing import NotAllowed, Unreachable
from farthing.moving.programs.firefly.fetch import FetchFailed, FetchLimits, fetch
from farthing.moving.programs.firefly.read import looks_like, read

from .books import messages, sample_api
from .server import TOKEN, Replay, served


def fetched(replay: Replay, token: str = TOKEN, path: str = "", **more: Any) -> io.BytesIO:
    archive = io.BytesIO()
    with served(replay) as url:
        fetch(url + path, token, archive, allow_private=True, **{"wait": lambda seconds: None, **more})
    return archive


def test_what_is_fetched_reads_like_the_sample_itself() -> None:
    archive = fetched(Replay())

    ours, theirs = read({"fetched.zip": archive}), read({"sample.zip": sample_api()})

    assert list(ours.transactions) == list(theirs.transactions)
    for name in theirs.__struct_fields__:
        if name not in ("transactions", "findings"):
            assert getattr(ours, name) == getattr(theirs, name), name
    assert looks_like(archive.getvalue()[:65536], "archive.zip")
    # This version has no exchange rates: what was asked for in vain is told.
    assert set(messages(ours).split("\n")) - set(messages(theirs).split("\n")) == {
        "Firefly III did not return GET /api/v1/exchange-rates?limit=250&page=1: answered 404."
    }


def test_the_same_answers_give_the_same_archive() -> None:
    assert fetched(Replay()).getvalue() == fetched(Replay()).getvalue()


@pytest.mark.parametrize("path", ["", "/", "/api/v1", "/api/v1/"])
def test_it_may_live_below_a_path_and_be_named_by_its_api(path: str) -> None:
    replay = Replay(root="/money")

    fetched(replay, path=path)

    assert replay.asked[0] == "/money/api/v1/about"


def test_pages_are_asked_for_until_the_last() -> None:
    replay = Replay(largest=100)
    steps: list[tuple[str, int, int]] = []

    fetched(replay, progress=lambda *step: steps.append(step))

    assert [one for one in replay.asked if "/transactions?" in one] == [
        f"/api/v1/transactions?type=all&limit=250&page={page}" for page in (1, 2, 3, 4)
    ]
    assert [step for step in steps if step[0] == "transactions"] == [
        ("transactions", done, 303) for done in (100, 200, 300, 303)
    ]
    assert steps[-1] == ("attachments' contents", 6, 6)


def test_it_waits_and_tries_again_when_the_server_is_busy_or_fails() -> None:
    waits: list[float] = []
    replay = Replay(troubles={"transactions": [(500, {})], "accounts": [(429, {"Retry-After": "7"}), (503, {})]})

    archive = fetched(replay, wait=waits.append)

    assert waits == [7, 2, 1]
    assert len(list(read({"a.zip": archive}).transactions)) == 304


def test_it_gives_up_after_some_tries() -> None:
    replay = Replay(troubles={"transactions": [(500, {})] * 20})

    with pytest.raises(FetchFailed, match="answered 500 to /api/v1/transactions"):
        fetched(replay)
    assert sum("/transactions?" in one for one in replay.asked) == 5


def test_an_attachment_that_cannot_be_had_is_a_finding() -> None:
    replay = Replay(troubles={"attachments/1/download": [(404, {})]})

    books = read({"a.zip": fetched(replay, limits=FetchLimits(attachment_bytes_max=70))})

    assert {one.key for one in books.attachments} == {"3", "4", "6"}
    assert "attachments/1/download: answered 404" in messages(books)
    assert "attachments/2/download: The answer is larger than 70 bytes" in messages(books)
    assert replay.asked.count("/api/v1/attachments/2/download") == 1  # it would not become smaller


@pytest.mark.parametrize(
    ("replay", "token", "sentence"),
    [
        (Replay(), "wrong", "does not accept the token"),
        (Replay(about={"name": "another program"}), TOKEN, "does not answer as a Firefly III"),
        (Replay(troubles={"about": [(404, {})]}), TOKEN, "does not answer as a Firefly III"),
        (
            Replay(troubles={"about": [(302, {"Location": "https://elsewhere.example"})]}),
            TOKEN,
            "redirects to https://else",
        ),
        (
            Replay(about={"data": {"version": "5.7.18", "api_version": "1.5.6"}}),
            TOKEN,
            "version 5.7.18; Farthing reads",
        ),
        (Replay(), "to\nken", "has characters that are not allowed in headers"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(replay: Replay, token: str, sentence: str) -> None:
    with pytest.raises((FetchFailed, NotAllowed), match=sentence):
        fetched(replay, token)


@pytest.mark.parametrize("version", ["6.4.14", "develop/2026-11-01", "v6.1.0"])
def test_later_versions_are_welcome(version: str) -> None:
    about = {"data": {"version": version, "api_version": version}}

    assert fetched(Replay(about=about)).getvalue()


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        (FetchLimits(total_bytes_max=200_000), "MiB of data"),
        (FetchLimits(files_max=5), "more than 5 pages and attachments"),
        (FetchLimits(page_bytes_max=1000), "larger than 1000 bytes"),
        (FetchLimits(total_s=0), "took longer than 0 seconds"),
    ],
)
def test_fetching_is_bounded(limits: FetchLimits, sentence: str) -> None:
    with pytest.raises((FetchFailed, Unreachable), match=sentence):
        fetched(Replay(), limits=limits)


def test_a_private_address_needs_leave() -> None:
    with served(Replay()) as url, pytest.raises(NotAllowed, match="private or reserved"):
        fetch(url, TOKEN, io.BytesIO(), allow_private=False)


def test_nobody_at_home() -> None:
    with served(Replay()) as url:
        pass

    with pytest.raises(Unreachable, match="cannot be reached"):
        fetch(url, TOKEN, io.BytesIO(), allow_private=True, wait=lambda seconds: None)
