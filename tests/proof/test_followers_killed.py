"""Whoever follows the books misses nothing, hears nothing twice and in the wrong order, however often all is killed."""

import random
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ..builders import AT
from ..cli.conftest import Server, Terminal
from ..length import LONG, databases
from .clients import PATIENCE_SECONDS
from .diary import Diary
from .followers import MANNERS, FeedReader, Listener, RudeReceiver
from .requests import Request
from .test_at_once import the_clock
from .test_killed import HOW, Killable, until

KILLS = 200 if LONG else 3
# Longer than any pause of a sender between two tries, so that each life sends what the last one could not.
_NEXT_TRY = timedelta(hours=3, seconds=1)


class Followed(Killable):
    """Books that a feed reader, a listener and a rude receiver of a webhook follow."""

    def __init__(self, folder: Path, url: str) -> None:
        super().__init__(folder, url)
        self.now, token = datetime.fromisoformat(AT), self.person.tokens[0]
        self.reader, self.listener, self.receiver = FeedReader(token), Listener(token), RudeReceiver()

    def wait_for_webhook(self, server: Server) -> Request:
        events = ["transaction.created", "transaction.deleted"]
        hook = {"title": "Hook", "url": self.receiver.url, "events": events}
        made = self.person.ask(server.port, 0, Request("hook", "POST", "/webhooks", body=hook))
        assert made.status == 200, made
        return Request("deliveries", "GET", f"/webhooks/{made.answer['data']['id']}/deliveries", {"limit": "1000"})

    def living(self) -> Any:
        """Each life begins so much later that everything is tried again that could not be sent."""
        settings = the_clock(self.folder) | {"FARTHING_OUTGOING_PRIVATE": "1"}
        self.now += _NEXT_TRY
        (self.folder / "clock").write_text(self.now.isoformat())
        return Terminal(self.folder, self.url).serving(**settings)

    def list_ids(self, server: Server) -> tuple[set[int], set[int]]:
        """The ids of all splits, which the feed names, and of all transactions, which webhooks name."""
        splits = {int(thing["id"]): thing["attributes"] for thing in self._all(server, "/transactions", "default")}
        return set(splits), {int(split["journal_id"]) for split in splits.values()}


@pytest.mark.long
@pytest.mark.parametrize("dialect", databases("sqlite"), indirect=True)
def test_who_follows_misses_nothing_and_hears_nothing_twice(tmp_path, new_database_url):
    chance, followed = random.Random(1), Followed(tmp_path, new_database_url)
    receiver, listener = followed.receiver, followed.listener
    diaries: list[Diary] = []
    deliveries: Request | None = None
    for number in range(KILLS):
        with followed.living() as server:
            followed.reader.catch_up(server.port)
            listener.listen(server.port)
            if deliveries is None:
                diaries, deliveries = followed.begin(server), followed.wait_for_webhook(server)
            receiver.answers = [200] * chance.randint(0, 3) + [chance.choice(MANNERS)]
            followed.write_until_killed(server, diaries, chance, HOW[number % len(HOW)])
        listener.stop(PATIENCE_SECONDS)

    receiver.answers = []
    with followed.living() as server:
        listener.listen(server.port)

        existing, transactions = followed.list_ids(server)
        until(lambda: not receiver.find_wrong(transactions), "the webhook did not say everything, and once")
        followed.reader.catch_up(server.port)
        until(lambda: listener.picture.ids == existing, "the listener did not hear everything")
    receiver.close()

    assert existing
    assert followed.reader.picture.ids == existing
    assert [*followed.reader.picture.wrong, *listener.picture.wrong] == []
    assert sum(diary.acknowledged for diary in diaries) >= KILLS
