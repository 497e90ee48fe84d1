"""Who writes until the server dies? A scribe notes what was acknowledged, and afterwards holds the books against it."""

import hashlib
import http.client
import json
import random
import threading
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from . import effects
from .clients import PATIENCE_SECONDS
from .deed import Deed
from .deeds import Deeds
from .effects import of_kind
from .seen import LISTS, LISTS_OF_THE_OWNER, PROMISED, Seen, differences, seen_in

_UNDONE = 0.06
_SAME_HEADERS = ("content-type", "content-length", "etag")


class PutOff(OSError):
    """Nobody can say now what is there."""


Broken = (OSError, http.client.HTTPException)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_done(self) -> bool:
        return 200 <= self.status < 300

    @property
    def is_replay(self) -> bool:
        return self.headers.get("idempotent-replay") == "true"

    @property
    def document(self) -> Any:
        return json.loads(self.body, parse_float=Decimal) if self.body else None


def assert_put_off(answer: Answer) -> None:
    """Says in the house's shape what is wrong, and when to come back."""
    assert answer.status == 503, answer
    assert int(answer.headers["retry-after"]) > 0
    assert answer.document.keys() == {"message", "exception"}
    assert answer.document["exception"] == "ServiceUnavailableHttpException"


def _refuse_put_off(answer: Answer) -> None:
    if answer.status == 503:
        assert_put_off(answer)
        raise PutOff


class Scribe:
    """A user of their own, so that what they see is what they have written, and nothing else."""

    def __init__(self, name: str, token: str, seed: int, *, is_owner: bool) -> None:
        self.name, self._token, self._is_owner = name, token, is_owner
        self.chance = random.Random(f"{seed} {name}")
        self._deeds = Deeds(name, self.chance, is_owner=is_owner)
        self._seen: Seen = {}
        self._before: Seen | None = None  # the last write, and so what undoing it leads back to
        self._pending: Deed | None = None
        self._kept: list[tuple[Deed, Answer]] = []
        self._sha256: dict[str, str] = {}  # by MD5, which is shown
        self._unread: set[str] = set()
        self.counts: Counter[str] = Counter()
        self.did: set[tuple[str, str]] = set()  # method and path
        self._last: deque[tuple[str, str, str, int, bytes]] = deque(maxlen=8)

    def begin(self, port: int) -> None:
        self._seen = self._picture(port)

    # Writing

    def write_until(self, port: int, stopped: threading.Event) -> None:
        """Or until the line breaks, or the database is away: then nobody knows whether the last write was done."""
        try:
            while not stopped.is_set() and not self._pending:
                self._write(port)
        except Broken:
            if self._pending:
                self.counts["cut off"] += 1

    def _write(self, port: int) -> None:
        deed = self._undoing(port) if self._before is not None and self.chance.random() < _UNDONE else None
        deed = deed or self._deeds.next(self._seen)
        self._pending = deed
        answer = self._sent(port, deed)
        if answer.status == 503:
            assert_put_off(answer)
            self.counts["put off"] += 1
        else:
            self._note(deed, answer)

    def _undoing(self, port: int) -> Deed | None:
        """The newest write, if it was ours: a job may have done something since."""
        answer = self.asked(port, "/changes", {"limit": "1"})
        if answer.status == 503 or self._before is None:
            return None
        newest = answer.document["data"][0]
        if newest["attributes"]["token_id"] is None:
            return None
        path, effect = f"/changes/{newest['id']}/undo", effects.back_to(self._before)
        return Deed("undo", "POST", path, effect, key=self._deeds.word())

    def _note(self, deed: Deed, answer: Answer) -> None:
        """From now on it must be there, or must not."""
        assert answer.status < 500, (deed, answer)
        self._pending = None
        self._last.append((deed.what, deed.method, deed.path, answer.status, answer.body[:500]))
        if deed.sha256 and deed.md5:
            self._sha256[deed.md5] = deed.sha256
        if not answer.is_done:
            self.counts["refused"] += 1
            self._forget_promise(deed)
            return
        self._before, self._seen = self._seen, deed.effect(self._seen, answer.document)
        self.counts["acknowledged"] += 1
        self.did.add((deed.method, deed.path.partition("?")[0]))
        if deed.key:
            self._kept.append((deed, answer))
        if deed.what in ("upload", "attach"):
            self._unread.add(deed.md5 or "")

    def _forget_promise(self, deed: Deed) -> None:
        if deed.what == "upload":
            one = deed.path.split("/")[2]
            self._seen = {key: value for key, value in self._seen.items() if key != (PROMISED, one)}

    # Looking

    def settle(self, port: int) -> None:
        """What is there is what was acknowledged; what was cut off is wholly there or not at all, and then once."""
        found = self._picture(port)
        deed = self._pending
        if deed:
            self._settle_cut_off(port, deed, found)
            found = self._picture(port)
        wrong = differences(self._seen, found)
        assert not wrong, f"{self.name}, {deed} cut off: {wrong[:5]}; before that {self._lately()}"
        # What was made along with something else is known by its name alone; from now on in full.
        self._seen = {key: found.get(key, value) for key, value in self._seen.items()}
        self.counts["pictures"] += 1

    def _settle_cut_off(self, port: int, deed: Deed, found: Seen) -> None:
        """Sent again: done now, or answered as it would have been then."""
        before, answer = self._seen, self._sent(port, deed)
        _refuse_put_off(answer)
        if deed.method == "DELETE" and not answer.is_done and not differences(deed.effect(before, None), found):
            answer = Answer(204, {}, b"")  # it is not there, because it was removed
        self._note(deed, answer)
        self._before = None  # what had no key may have been done twice: undoing the second time leads nowhere
        not_done, done = differences(before, found), differences(self._seen, found)
        assert not not_done or not done, (
            f"{self.name}: {deed} was half done: {not_done[:5]}; {done[:5]}; before that {self._lately()}"
        )
        if not_done:
            assert deed.key is None or answer.is_replay, f"{self.name}: {deed} was done, but its key is not known"
        self.counts["cut off, found done" if not_done else "cut off, found not done"] += 1

    def _lately(self) -> str:
        """The last answers, for whoever has to find out what went wrong."""
        return "\n".join(map(str, self._last))

    def _picture(self, port: int) -> Seen:
        lists = [*LISTS, *(LISTS_OF_THE_OWNER if self._is_owner else ())]
        return seen_in(thing for kind, query in lists for thing in self._all(port, kind, query))

    def _all(self, port: int, kind: str, query: Mapping[str, str]) -> Iterator[Any]:
        for page in range(1, 100):
            answer = self.asked(port, f"/{kind}", {**query, "limit": "1000", "page": str(page)})
            _refuse_put_off(answer)
            assert answer.status == 200, answer
            document = answer.document
            yield from document["data"]
            if "meta" not in document or page >= document["meta"]["pagination"]["total_pages"]:
                return

    # What was promised besides

    def replay(self, port: int, most: int | None = None) -> None:
        """Keys that were acknowledged, some or all of them, are answered byte for byte as they were."""
        chosen = self._kept if most is None else self.chance.sample(self._kept, min(most, len(self._kept)))
        for deed, before in chosen:
            again = self._sent(port, deed)
            assert again.is_replay, (deed, again)
            assert (again.status, again.body) == (before.status, before.body), (deed, before, again)
            for name in _SAME_HEADERS:
                assert again.headers.get(name) == before.headers.get(name), (deed, name, before, again)
            self.counts["replays"] += 1

    def read_files(self, port: int, *, every: bool = False) -> None:
        """The contents that were uploaded since, or all of them, byte for byte."""
        for one, value in of_kind(self._seen, "attachments").items():
            if every or value["md5"] in self._unread:
                answer = self.asked(port, f"/attachments/{one}/download", {})
                assert answer.status == 200, answer
                assert len(answer.body) == value["size"]
                assert hashlib.sha256(answer.body).hexdigest() == self._sha256[value["md5"]], f"attachment {one}"
                self.counts["files"] += 1
                self.counts["bytes of files"] += len(answer.body)
        self._unread.clear()

    # HTTP

    def asked(self, port: int, path: str, query: Mapping[str, str] | None = None) -> Answer:
        return self._exchanged(port, "GET", f"{path}?{urlencode(query or {})}", None, {})

    def _sent(self, port: int, deed: Deed) -> Answer:
        headers = {"Idempotency-Key": deed.key} if deed.key else {}
        body = deed.body() if deed.body else None
        return self._exchanged(port, deed.method, deed.path, body, {**headers, "Content-Type": deed.media_type})

    def _exchanged(self, port: int, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
        """A connection for each, so that any worker may get it. An answer that breaks off is none."""
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
        ours = {"Authorization": f"Bearer {self._token}", "Connection": "close"}
        try:
            line.request(method, f"/api/v1{path}", body, {**ours, **headers})
            response = line.getresponse()
            whole = response.read()
        finally:
            line.close()
        named = {name.lower(): value for name, value in response.getheaders()}
        if response.status != 204 and len(whole) != int(named.get("content-length", -1)):
            raise http.client.IncompleteRead(whole)
        return Answer(response.status, named, whole)
