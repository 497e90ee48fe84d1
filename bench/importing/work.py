"""Imports a file in this process, as the job process does it, and stops now and then so that others get their turn."""

from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import msgspec

from farthing.books.attachments import contents
from farthing.books.bills import store as bills
from farthing.books.bills.model import BillDraft
from farthing.books.currencies import store as currencies
from farthing.books.rule_groups import store as groups
from farthing.books.rule_groups.model import RuleGroupDraft
from farthing.books.rules import store as rules
from farthing.books.rules.model import RuleDraft, RuleEvent, RulePart
from farthing.identity import users
from farthing.jobs.worker import JobKind, Worker
from farthing.kernel.clock import Clock
from farthing.moving.import_jobs import lifecycle, queueing, store
from farthing.moving.import_jobs.files import attach_file
from farthing.moving.import_jobs.formats import CSV, detect_csv
from farthing.moving.import_jobs.model import ImportJobDraft, ImportState
from farthing.moving.import_runs.run import ImportRunner
from farthing.moving.rows.options import ImportOptions
from farthing.schedule.frequency import Frequency
from farthing.storage.blobs import Blobs, DiskBlobs
from farthing.storage.unit import Database, Unit

from ..books import FIRST_DAY, Facts

RULES, BILLS = 50, 20
_AT = datetime(2025, 1, 2, 12, tzinfo=UTC)
NOW = _AT.isoformat(timespec="seconds")


class ImportWork:
    """One import, part by part."""

    def __init__(self, database: Database, folder: Path, facts: Facts, content: bytes) -> None:
        self._database = database
        self._facts = facts
        blobs = DiskBlobs(folder)
        runner = ImportRunner(blobs)
        kind = JobKind(look=runner.look, write=runner.write, give_up=runner.give_up, close=runner.close)
        self._worker = Worker(database, Clock(lambda: _AT), {queueing.RUN: kind})
        self._job_id = self._start(blobs, content)

    def _start(self, blobs: Blobs, content: bytes) -> int:
        upload = contents.store(blobs, self._facts.user_id, [content])
        assert upload is not None, "it is not empty"
        layout = msgspec.to_builtins(detect_csv(BytesIO(content), None).layout)
        with self._database.writing() as db:
            user_id = take(db, self._facts)
            draft = ImportJobDraft(
                state=ImportState.READY,
                format=CSV,
                account_id=self._facts.asset_ids[0],
                mapping=layout,
                options=ImportOptions(),
                file_ids=(),
            )
            job_id = store.add(db, user_id, draft, NOW)
            file_id = attach_file(db, user_id, job_id, upload, "statement.csv", NOW)
            store.set_files(db, user_id, job_id, (file_id,))
            lifecycle.start(db, user_id, job_id, ImportOptions(), NOW, has_full_access=True)
        return job_id

    def parts(self) -> Iterator[None]:
        while self._worker.turn():
            yield

    def refuse_losses(self, rows: int) -> None:
        """Every row must have become a transaction, or the figures would mean nothing."""
        with self._database.reading() as db:
            job = store.get(db, self._facts.user_id, self._job_id)
        assert job
        assert (job.state, job.counts.new) == (ImportState.DONE, rows), (job.state, job.counts, job.findings[:3])


def take(db: Unit, facts: Facts) -> int:
    users.take(db, facts.user_id, token_id=None, now=NOW, doing="bench")
    return facts.user_id


def add_rules_and_bills(database: Database, facts: Facts) -> None:
    """A rule matches two rows in five, and sets a category and a tag; a bill is paid by one row in twenty."""
    with database.writing() as db:
        user_id = take(db, facts)
        group_id = groups.add(db, user_id, RuleGroupDraft("Bench", None, True, None), NOW)
        for number in range(RULES):
            rules.add(db, user_id, _rule(group_id, number), NOW)
        for number in range(BILLS):
            bills.add(db, user_id, _bill(db, number), NOW)


def _rule(group_id: int, number: int) -> RuleDraft:
    triggers = (RulePart("to_account_is", f"Shop {number:03}"), RulePart("description_contains", "card payment"))
    actions = (RulePart("set_category", f"Category {number % 10}"), RulePart("add_tag", f"tag-{number % 5}"))
    return RuleDraft(group_id, f"Rule {number}", None, RuleEvent.STORE, True, False, True, None, triggers, actions)


def _bill(db: Unit, number: int) -> BillDraft:
    euro = currencies.by_code(db, "EUR")
    assert euro
    return BillDraft(
        name=f"Standing order {number:02}",
        words=(f"shop {number + 60:03}", "card"),
        lowest_units=50_00,
        highest_units=120_00,
        currency=euro,
        first_on=FIRST_DAY,
        frequency=Frequency.MONTHLY,
        skip=0,
        automatch=True,
        active=True,
        notes=None,
    )
