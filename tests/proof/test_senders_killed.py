"""Job processes are killed while they send: no message of a webhook and no notice is lost, or comes as two."""

import os
import random
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from standardwebhooks import Webhook

from farthing.jobs.hooks import HELD
from farthing.overviews.notices import deliveries

from ..conftest import World
from ..length import LONG, databases
from ..notices.conftest import mail_world, office  # noqa: F401 -- fixtures
from ..notices.making import chosen, works
from ..transactions.making import asset, made, posted_one, withdrawal
from ..webhooks.receiver import Receiver
from .clients import PATIENCE_SECONDS
from .test_killed import until

KILLS = 100 if LONG else 3
AT_ONCE = 4


class Sending:
    """One job process after the other. `clock` is the file with the time that they see."""

    def __init__(self, world: World, clock: Path) -> None:
        self.world, self.clock = world, clock
        self.let_pass(timedelta())
        settings = world.settings
        chosen = {"DATABASE_URL": settings.database_url, "DATA": settings.data, "TEST_CLOCK": clock, "TESTING": 1}
        chosen |= {"MAIL_URL": settings.mail_url, "MAIL_FROM": settings.mail_from, "BASE_URL": settings.base_url}
        ours = {name: text for name, text in os.environ.items() if not name.startswith("FARTHING_")}
        private = {"FARTHING_OUTGOING_PRIVATE": "1"}
        self.environment = ours | private | {f"FARTHING_{name}": str(value) for name, value in chosen.items()}
        self.process: subprocess.Popen[bytes] | None = None

    def let_pass(self, while_: timedelta) -> None:
        self.world.time.now += while_
        new = self.clock.with_suffix(".new")
        new.write_text(self.world.time.now.isoformat())
        new.replace(self.clock)

    def start(self) -> None:
        self.process = subprocess.Popen([sys.executable, "-m", "farthing.jobs"], env=self.environment)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait(PATIENCE_SECONDS)

    def is_done(self) -> bool:
        sql = """
            SELECT 1 FROM webhook_messages WHERE sent = 0
            UNION ALL SELECT 1 FROM notice_deliveries WHERE sent_at IS NULL
            UNION ALL SELECT 1 FROM users u JOIN webhook_progress p ON p.user_id = u.id
            JOIN notice_states s ON s.user_id = u.id WHERE p.seen_revision < u.revision OR s.revision < u.revision
        """
        with self.world.books.reading() as db:
            return db.value(sql) is None


@pytest.mark.long
@pytest.mark.parametrize("dialect", databases("sqlite"), indirect=True)
def test_killed_while_sending_nothing_is_lost_and_nothing_has_two_ids(mail_world, office, tmp_path):  # noqa: F811
    chance, receiver = random.Random(1), Receiver()
    me = mail_world.someone("ann@example.org")
    works(mail_world)
    chosen(me, channels={"large_withdrawal": ["app", "email"]}, large_withdrawal="10")
    hook = {"title": "Hook", "url": receiver.url, "events": ["transaction.created"]}
    secret = me.post("/webhooks", hook).json()["data"]["attributes"]["secret"]
    account_id, sending, names = made(me, asset()), Sending(mail_world, tmp_path / "now"), []

    for number in range(KILLS):
        for one in range(AT_ONCE):
            names.append(f"Bicycle {number:03}.{one}")
            posted_one(me, withdrawal(account_id, "20", description=names[-1], date=str(mail_world.time.now.date())))
        letters, more = len(office.messages) + 1, chance.randint(1, AT_ONCE)
        received = len(receiver.received) + more
        # The last message has arrived, but has no answer when the process is killed.
        receiver.answers = [] if number % 2 else [200] * (more - 1) + ["hang"]
        sending.start()
        if number % 2:
            until(lambda letters=letters: len(office.messages) >= letters, "no letter came")
        else:
            until(lambda received=received: len(receiver.received) >= received, "no message came")
        sending.kill()
        sending.let_pass(max(HELD, deliveries.HELD) + timedelta(seconds=1))
    sending.start()
    until(sending.is_done, "some messages were not sent")
    sending.kill()
    receiver.close()

    ids: dict[str, set[str]] = {}
    for (_, headers, text), body in zip(receiver.received, receiver.bodies, strict=True):
        at = datetime.fromtimestamp(int(headers["webhook-timestamp"]), UTC)
        assert Webhook(secret).sign(headers["webhook-id"], at, text) == headers["webhook-signature"]
        ids.setdefault(body["data"]["name"], set()).add(headers["webhook-id"])
    assert list(ids) == names, "each of them, in order"
    assert {len(of_one) for of_one in ids.values()} == {1}
    assert len(receiver.received) > len(names), "some had to be repeated"
    notices = [one["attributes"]["name"] for one in me.get("/notices", limit=1000).json()["data"]]
    assert sorted(notices) == sorted(names)
    letters_of = {name: {one["Message-ID"] for one in office.messages if name in one["Subject"]} for name in names}
    assert {len(of_one) for of_one in letters_of.values()} == {1}
