"""Who is there when something fails? One user with an account, who records, uploads and looks, over HTTP."""

import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from farthing.care.watch import presence

from ..cli.conftest import Server, Terminal
from ..conftest import migrated
from .clients import PATIENCE_SECONDS
from .scribe import Answer, assert_put_off
from .test_at_once import a_person, the_clock
from .test_killed import until

_OCTETS = "application/octet-stream"


@dataclass
class Household:
    """`recorded` are the words of what was acknowledged."""

    folder: Path
    url: str
    token: str = ""
    account_id: int = 0
    recorded: list[str] = field(default_factory=list)
    server: Server | None = None
    _numbers: Any = field(default_factory=count)

    def found(self) -> "Household":
        with migrated(self.url, self.folder / "data") as database:
            self.token = a_person(database, "ann@farthing.example").tokens[0]
        return self

    @property
    def attachments(self) -> Path:
        return self.folder / "data" / "attachments"

    @property
    def terminal(self) -> Terminal:
        return Terminal(self.folder, self.url)

    def serving(self, *words: str, **more: str) -> Any:
        settings = {**the_clock(self.folder), "FARTHING_LOG_FORMAT": "text", **more}
        return self.terminal.serving(*words, **settings)

    def move_in(self, server: Server) -> None:
        self.server = server
        body = {"type": "asset", "account_role": "defaultAsset", "name": "Purse", "currency_code": "EUR"}
        answer = self.post("/accounts", {**body, "active": True, "include_net_worth": True})
        self.account_id = int(answer.document["data"]["id"])
        # The job process starts a second after the server.
        data = self.folder / "data"
        until(lambda: any(one.has_jobs for one in presence.list_servers(data)), "there is no job process")

    def set_clock(self, now: str) -> None:
        """At once and whole, whoever reads it meanwhile."""
        new = self.folder / "clock.new"
        new.write_text(now)
        new.replace(self.folder / "clock")

    # Over HTTP

    def exchange(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        assert self.server is not None
        line = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE_SECONDS)
        ours = {"Authorization": f"Bearer {self.token}", "Connection": "close", **(headers or {})}
        address = path if path in ("/health", "/metrics", "/readyz") else f"/api/v1{path}"
        try:
            line.request(method, address, body, ours)
            response = line.getresponse()
            named = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, named, response.read())
        finally:
            line.close()

    def get(self, path: str) -> Answer:
        return self.exchange("GET", path)

    def post(self, path: str, body: Any = None, key: str | None = None) -> Answer:
        headers = {"Content-Type": "application/json"} | ({"Idempotency-Key": key} if key else {})
        return self.exchange("POST", path, b"" if body is None else json.dumps(body).encode(), headers)

    def upload(self, attachment_id: str, content: bytes, key: str | None = None) -> Answer:
        headers = {"Content-Type": _OCTETS} | ({"Idempotency-Key": key} if key else {})
        return self.exchange("POST", f"/attachments/{attachment_id}/upload", content, headers)

    # Imports

    def start_import(self, content: bytes) -> str:
        """The address of the job, which runs."""
        made = self.post("/import_jobs", {"account_id": self.account_id})
        path = f"/import_jobs/{made.document['data']['id']}"
        uploaded = self.exchange("POST", f"{path}/upload?filename=may.csv", content, {"Content-Type": _OCTETS})
        assert uploaded.document["data"]["attributes"]["state"] == "ready", uploaded.body
        assert self.post(f"{path}/run").status == 200
        return path

    def job(self, path: str) -> dict[str, Any]:
        return dict(self.get(path).document["data"]["attributes"])

    def import_says(self, path: str) -> str:
        return " ".join(finding["message"] for finding in self.job(path)["findings"])

    # What people do

    def withdrawal(self, word: str, notes: str = "") -> dict[str, Any]:
        split = {"amount": "1.50", "currency_code": "EUR", "source_id": self.account_id, "destination_name": "Baker"}
        return {
            "type": "withdrawal", "date": "2024-05-10", "description": word, "notes": notes, "transactions": [split],
        }  # fmt: skip

    def record(self, word: str | None = None, notes: str = "", key: str | None = None) -> Answer:
        word = word or f"word{next(self._numbers)}"
        answer = self.post("/transactions", self.withdrawal(word, notes), key)
        if answer.status == 200 and not answer.is_replay:
            self.recorded.append(word)
        return answer

    def promise(self) -> str:
        """An attachment that has no content yet, of a transaction of its own."""
        journal_id = self.record().document["data"][0]["attributes"]["journal_id"]
        body = {"filename": "scan.bin", "model": "TransactionJournal", "model_id": journal_id}
        answer = self.post("/attachments", body)
        assert answer.status == 200, answer
        return str(answer.document["data"]["id"])

    def recur(self, first_date: str) -> str:
        split = {"description": "Milk", "amount": "1", "currency_code": "EUR", "source_id": self.account_id}
        body = {
            "type": "withdrawal", "title": "Milk", "first_date": first_date, "apply_rules": False, "active": True,
            "repetitions": [{"type": "daily", "moment": "", "skip": 0, "weekend": 1}],
            "transactions": [{**split, "destination_name": "Dairy"}],
        }  # fmt: skip
        answer = self.post("/recurrences", body)
        assert answer.status == 200, answer
        return str(answer.document["data"]["id"])

    def fired(self, recurrence_id: str) -> list[str]:
        """The days, in order."""
        answer = self.get(f"/recurrences/{recurrence_id}/transactions?limit=1000")
        assert answer.status == 200, answer
        return sorted(one["attributes"]["date"] for one in answer.document["data"])

    # What must hold

    def assert_reads_go_on(self) -> None:
        for path in ("/accounts", "/transactions", f"/accounts/{self.account_id}", "/changes", "/health"):
            answer = self.get(path)
            assert answer.status == 200, (path, answer)

    def assert_all_is_there(self, besides: int = 0) -> None:
        """Everything that was acknowledged, once, and nothing else."""
        answer = self.get("/transactions?limit=1000")
        words = [one["attributes"]["description"] for one in answer.document["data"]]
        assert sorted(word for word in words if word != "Milk") == sorted(self.recorded)
        assert words.count("Milk") == besides

    def assert_put_off(self, answer: Answer, words: str, retry_after: int) -> None:
        assert_put_off(answer)
        assert words in answer.document["message"], answer
        assert answer.headers["retry-after"] == str(retry_after)

    def told(self, words: str) -> int:
        """How often the log says so. It has no tracebacks, and nothing that it says every time."""
        assert self.server is not None
        log = self.server.log.read_text()
        assert "Traceback" not in log, log
        assert len(log.splitlines()) < 40, log
        return log.count(words)
