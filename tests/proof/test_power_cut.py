"""Durable means: on the disk. The power may go at the moment of an answer, or in the middle of a write."""

import copy
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from starlette.testclient import TestClient
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from farthing.app import build
from farthing.care.doctor import examine
from farthing.kernel.config import DATABASE_FILE

from ..accounts.making import exact
from ..conftest import MovingClock, migrated, settings_for
from ..length import LONG
from .diary import SHOPS, Diary, by_word
from .disk import Disk, disk_beneath_sqlite, real_disk
from .test_at_once import a_person

WRITES = 300 if LONG else 20
# A write puts this many pieces on the disk, or more.
PIECES = 12


def test_what_was_acknowledged_survives_every_power_cut_and_nothing_is_half_there(tmp_path):
    chance = random.Random(1)
    with disk_beneath_sqlite() as disk:
        books = CutBooks(tmp_path, disk, chance)
        with books.client(tmp_path / "data", at_answer=nothing) as client:
            books.begin(client)  # as it ends it notes that the token was used: later nobody writes but the diary
        with books.client(tmp_path / "data", at_answer=books.cut) as client:
            for _ in range(WRITES):
                books.write(client)

    assert books.cuts >= 2 * WRITES


def nothing() -> None:
    pass


class CutBooks:
    """Books on a disk whose power may go at any moment; every time it could have gone is looked into."""

    def __init__(self, folder: Path, disk: Disk, chance: random.Random) -> None:
        self.folder, self.disk, self.chance = folder, disk, chance
        with migrated(f"sqlite:///{folder / 'data' / DATABASE_FILE}", folder / "data") as database:
            self.token = a_person(database, "ann@farthing.example").tokens[0]
        self.diary = Diary("w", 0)
        self.found: list[tuple[Path, Diary]] = []
        self.cuts = 0

    @contextmanager
    def client(self, data: Path, *, at_answer: Callable[[], None]) -> Iterator[TestClient]:
        app = build(settings_for(f"sqlite:///{data / DATABASE_FILE}", data), MovingClock().clock())
        with TestClient(Told(app, at_answer), headers={"Authorization": f"Bearer {self.token}"}) as client:
            yield client

    def begin(self, client: TestClient) -> None:
        common = {"currency_code": "EUR", "active": 1, "include_net_worth": 1}
        own = {"name": "Purse", "type": "asset", "account_role": "defaultAsset", **common}
        self.diary.account_id = int(client.post("/api/v1/accounts", json=own).json()["data"]["id"])
        for shop in SHOPS:
            client.post("/api/v1/accounts", json={"name": shop, "type": "expense", **common})

    def cut(self) -> None:
        """Notes what would be found, and what would have to be."""
        self.cuts += 1
        found = self.folder / f"cut {self.cuts}"
        self.disk.after_power_cut(found, self.chance if self.cuts % 2 else None)
        self.found.append((found, copy.deepcopy(self.diary)))

    def write(self, client: TestClient) -> None:
        word, request, version = self.diary.request(self.chance)
        self.diary.sent(word, version)
        self.disk.on_write = after(self.chance.randint(1, PIECES), self.cut)
        answer = client.request(request.method, request.address, json=request.body)
        assert answer.status_code == (204 if version is None else 200), answer.text
        # At the moment of the answer nobody had noted it yet.
        self.found[-1][1].is_acknowledged(word, version)
        self.diary.is_acknowledged(word, version)
        with real_disk(self.disk):
            for found, diary in self.found:
                self.look_into(found, diary)
        self.diary.ids.update(self.found[-1][1].ids)
        self.found.clear()

    def look_into(self, folder: Path, diary: Diary) -> None:
        with self.client(folder, at_answer=nothing) as client:
            listed = [
                exact(client.get(f"/api/v1{path}", params={"type": word, "limit": 1000}))["data"]
                for path, word in (("/transactions", "default"), ("/accounts", "expense"))
            ]
        found = by_word(listed[0])
        assert set(found) <= set(diary.possible)
        diary.compare(found, {thing["attributes"]["name"] for thing in listed[1]})
        with migrated(f"sqlite:///{folder / DATABASE_FILE}", folder) as database:
            assert list(examine(database)) == []
        shutil.rmtree(folder)


class Told:
    """An app around the app that is told when an answer begins."""

    def __init__(self, app: ASGIApp, at_answer: Callable[[], None]) -> None:
        self._app, self._at_answer = app, at_answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def telling(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._at_answer()
            await send(message)

        await self._app(scope, receive, telling)


def after(count: int, do: Callable[[], None]) -> Callable[[], None]:
    """Does it once, at that call."""
    left = count

    def counted() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            do()

    return counted
