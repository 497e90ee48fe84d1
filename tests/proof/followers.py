"""Those who follow books from outside while their server is killed: by the feed, by pushed events, and by webhook."""

import http.client
import json
import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ..webhooks.receiver import Receiver
from .clients import ask
from .requests import Request

_KINDS = "transactions"
# How a receiver treats a message, if not well.
MANNERS = ("hang", None, 302, 500)


@dataclass
class Picture:
    """What somebody knows of the transactions by following them, and what was wrong with what they heard."""

    ids: set[int] = field(default_factory=set)
    revision: int = 0
    wrong: list[str] = field(default_factory=list)

    def take(self, items: Iterable[dict[str, Any]]) -> None:
        for item in items:
            transaction_id, action, revision = int(item["id"]), item["action"], int(item["revision"])
            if revision < self.revision:
                self.wrong.append(f"out of order: {item} after revision {self.revision}")
            self.revision = revision
            if action == "made" and transaction_id in self.ids:
                self.wrong.append(f"made twice: {item}")
            if action == "deleted":
                self.ids.discard(transaction_id)
            else:
                self.ids.add(transaction_id)


class FeedReader:
    """Reads page after page, and keeps its cursor from one server to the next."""

    def __init__(self, token: str) -> None:
        self.picture, self._token, self._after = Picture(), token, ""

    def catch_up(self, port: int) -> None:
        while self._read(port):
            pass

    def _read(self, port: int) -> bool:
        query = {"kinds": _KINDS, "limit": "5", "after": self._after}
        status, answer = ask(port, self._token, Request("follow", "GET", "/changes/feed", query))
        assert status == 200, answer
        self.picture.take(answer["data"])
        self._after = answer["meta"]["cursor"]
        return bool(answer["meta"]["more"])


class Listener:
    """Listens to pushed events until the server dies, and goes on with the last event when there is a new one."""

    def __init__(self, token: str) -> None:
        self.picture, self._token, self._last = Picture(), token, ""
        self._thread: threading.Thread | None = None

    def listen(self, port: int) -> None:
        self._thread = threading.Thread(target=self._listen, args=(port,), daemon=True)
        self._thread.start()

    def stop(self, patience_s: float) -> None:
        """Call it when the server is dead."""
        assert self._thread is not None
        self._thread.join(patience_s)
        assert not self._thread.is_alive(), "it still listens"

    def _listen(self, port: int) -> None:
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "text/event-stream"}
        if self._last:
            headers["Last-Event-ID"] = self._last
        with suppress(OSError, http.client.HTTPException):
            connection = http.client.HTTPConnection("127.0.0.1", port)
            connection.request("GET", f"/api/v1/events?kinds={_KINDS}", headers=headers)
            answer = connection.getresponse()
            if answer.status != 200:
                self.picture.wrong.append(f"{answer.status}: {answer.read()[:300]!r}")
                return
            self._follow(answer)

    def _follow(self, answer: http.client.HTTPResponse) -> None:
        """An event that was cut off has no blank line after it, so it does not happen."""
        told: dict[bytes, bytes] = {}
        while line := answer.readline():
            name, _, value = line.rstrip(b"\n").partition(b": ")
            if not line.endswith(b"\n"):
                return
            if line != b"\n":
                told[name] = value
            elif b"data" in told:
                self.picture.take(json.loads(told[b"data"])["changes"])
                self._last = told[b"id"].decode()
                told = {}


class RudeReceiver(Receiver):
    """Receives messages of a webhook, and finds what is lost, doubled or out of order."""

    def find_wrong(self, existing: set[int]) -> list[str]:
        ids: dict[tuple[str, int], list[str]] = {}
        for _, headers, text in list(self.received):
            body = json.loads(text)
            ids.setdefault((body["type"], int(body["data"]["id"])), []).append(headers["webhook-id"])
        made = [transaction_id for (kind, transaction_id) in ids if kind == "transaction.created"]
        deleted = {transaction_id for (kind, transaction_id) in ids if kind == "transaction.deleted"}
        known = set(made) - deleted
        return [
            *(f"{of} has several ids" for of, messages in ids.items() if len(set(messages)) > 1),
            *(f"{transaction_id} is lost" for transaction_id in existing - known),
            *(f"the end of {transaction_id} is lost" for transaction_id in known - existing),
            *(["out of order"] if made != sorted(made) else []),
        ]
