"""Imports files for the command line, as jobs that run in this process. A server may run at the same time."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from time import sleep
from typing import Any

import msgspec
import typer
from msgspec.structs import replace

from farthing.books.accounts import store as accounts
from farthing.books.attachments import contents, mime
from farthing.books.attachments import store as attachments
from farthing.books.attachments.model import Model, UploadedFile
from farthing.books.preferences import store as preferences
from farthing.books.preferences.model import CURRENCY
from farthing.books.transactions.model import OWN
from farthing.identity import users
from farthing.jobs.worker import Worker, with_imports
from farthing.kernel.apart.reader import Reader
from farthing.kernel.clock import stamp
from farthing.kernel.config import Settings, make_clock
from farthing.kernel.errors import FarthingError, NotFound
from farthing.kernel.money import as_text
from farthing.kernel.text import pluralize
from farthing.moving.findings import Finding
from farthing.moving.import_jobs import asking, lifecycle, preview, queueing, store
from farthing.moving.import_jobs.asking import ExamineRequest, PreviewRequest
from farthing.moving.import_jobs.files import ImportFile, attach_file, list_files
from farthing.moving.import_jobs.formats import FORMATS
from farthing.moving.import_jobs.model import RUNNABLE, ImportJob, ImportState, refuse_state
from farthing.moving.import_runs import undo as undoing
from farthing.moving.import_runs.reader_processes import LIMITS
from farthing.moving.rows.options import DeletedRows, ImportOptions, LinkRows
from farthing.storage import blobs, queue
from farthing.storage.blobs import PIECE_BYTES, Content
from farthing.storage.unit import Database, Unit

from ..basics.lookup import find_user
from ..basics.output import show_progress, show_table

_FINDINGS_MAX = 20
_ROWS_MAX = 1000
# The pause between two checks of a job on which the server is working.
_REST_S = 0.2


class Importer:
    """Imports into the books of one user."""

    def __init__(self, settings: Settings, database: Database, email: str | None) -> None:
        # Somebody who may run commands may also fetch books from private network addresses.
        self._settings = settings.model_copy(update={"outgoing_private": True})
        self._database = database
        self._clock = make_clock(settings)
        with database.reading() as db:
            self._user = find_user(db, email)
        # Commands that are suggested to the user need this option to find the same books.
        self._option = f" --user {shlex.quote(email)}" if email else ""

    def upload(self, paths: Sequence[Path], account: str | None, format_: str | None, map_: Path | None) -> int:
        """Creates a job from the files, as an upload does. Returns its id."""
        if format_ and format_ not in FORMATS:
            raise typer.BadParameter(f"'{format_}' is not a format; the formats are {', '.join(FORMATS)}")
        mapping = _read_mapping(map_) if map_ else None
        with self._database.reading() as db:
            account_id = _find_account(db, self._user.id, account) if account else None
        stored = [(path.name, *self._store(path)) for path in paths]
        files = tuple(ImportFile(name, self._user.id, content.sha256) for name, content, _ in stored)
        request = ExamineRequest(settings=self._settings, files=files, format=format_, mapping=mapping)
        with closing(Reader(LIMITS)) as reader:
            examined = asking.examine(request, reader)
        with self._database.writing() as db:
            now = self._take(db, "import_jobs.create")
            draft = lifecycle.make_draft(
                db, self._user.id, examined, account_id=account_id, mapping=mapping, options=ImportOptions()
            )
            job_id = store.add(db, self._user.id, draft, now)
            ids = tuple(self._attach(db, job_id, name, content, kind, now) for name, content, kind in stored)
            store.set_files(db, self._user.id, job_id, ids)
        return job_id

    def fetch(self, url: str, token: str) -> int:
        with self._database.writing() as db:
            now = self._take(db, "import_jobs.create")
            job_id = lifecycle.start_fetching(db, self._user.id, url, token, ImportOptions(), now)
        with self.removing_on_failure(job_id):
            self._work(job_id, "Fetching", lambda job: job.findings[0].message if job.findings else "")
        return job_id

    @contextmanager
    def removing_on_failure(self, job_id: int) -> Iterator[None]:
        """Removes the import if it fails or is interrupted before it is started."""
        try:
            yield
        except BaseException:
            self._remove(job_id)
            raise

    def choose(self, job_id: int, *, partial: bool, again: bool, link: bool) -> ImportOptions:
        """Returns the options of the job with these choices applied. Refuses a job that is not ready to run."""
        job = self._get(job_id)
        if job.state != ImportState.READY:
            missing = (
                " ".join(finding.message for finding in job.findings if finding.rejects)
                or "There is nothing to import."
            )
            raise FarthingError(missing.replace("(account_id)", "with --account NAME"))
        return replace(
            job.options,
            partial=partial,
            deleted=DeletedRows.AGAIN if again else DeletedRows.SKIP,
            link=LinkRows.SURE if link else LinkRows.OFFER,
        )

    def preview(self, job_id: int, options: ImportOptions) -> None:
        """Shows row by row what an import would do, and removes the job."""
        job = self._get(job_id)
        with self._database.reading() as db:
            files = tuple(list_files(db, self._user.id, job))
            currency = str(preferences.values(db, self._user.id, [CURRENCY])[CURRENCY])
        request = PreviewRequest(settings=self._settings, files=files, job=job, currency=currency)
        with closing(Reader(LIMITS)) as reader:
            read = asking.read_first(request, reader)
        with self._database.reading() as db:
            made = preview.make(db, self._user.id, job, options, read, offset=0, limit=_ROWS_MAX)
        show_table(("row", "date", "amount", "what", "outcome", "why"), [_show_row(row) for row in made.rows])
        counts = made.counts
        typer.echo(
            f"{pluralize(counts.read, 'row')}: {counts.new} new, {counts.duplicate} known already,"
            f" {counts.linked} linked, {counts.rejected} rejected. Nothing was stored.",
            err=True,
        )
        self._remove(job_id)

    def start(self, job_id: int, options: ImportOptions) -> None:
        with self._database.writing() as db:
            now = self._take(db, "import_jobs.start")
            refuse_state(self._load(db, job_id), RUNNABLE, "run")
            lifecycle.start(db, self._user.id, job_id, options, now, has_full_access=True)

    def finish(self, job_id: int) -> None:
        try:
            self._work(job_id, "Importing", lambda job: f"{job.progress} %, {pluralize(job.counts.read, 'row')}")
        except KeyboardInterrupt:
            typer.echo(
                f"farthing: stopped. Import {job_id} stays queued: the server will run it, now or after its next start."
                f" To undo it afterwards: {self._undo_command(job_id)}",
                err=True,
            )
            raise
        self._report(self._get(job_id))

    def undo(self, job_id: int, *, force: bool) -> None:
        with self._database.writing() as db:
            now = self._take(db, "import_jobs.undo")
            job = self._load(db, job_id)
            undoing.undo(db, self._user.id, job, now, force=force)
        typer.echo(f"Import {job_id} was undone: {pluralize(job.counts.new, 'transaction')}.")

    def _take(self, db: Unit, doing: str) -> str:
        now = stamp(self._clock.now())
        users.take(db, self._user.id, token_id=None, now=now, doing=doing)
        return now

    def _get(self, job_id: int) -> ImportJob:
        with self._database.reading() as db:
            return self._load(db, job_id)

    def _load(self, db: Unit, job_id: int) -> ImportJob:
        job = store.get(db, self._user.id, job_id)
        if job is None:
            raise NotFound(f"There is no import {job_id} of {self._user.email}")
        return job

    def _store(self, path: Path) -> tuple[Content, str]:
        bytes_max = self._settings.upload_bytes_max
        if not path.is_file() and path.exists():
            raise FarthingError(f"{path} is not a regular file")
        with path.open("rb") as file:
            incoming = blobs.connect(self._settings).receive()
            try:
                while piece := file.read(PIECE_BYTES):
                    if incoming.size + len(piece) > bytes_max:
                        limit = f"{bytes_max} bytes, which FARTHING_UPLOAD_BYTES_MAX allows"
                        raise FarthingError(f"{path} is larger than {limit}")
                    incoming.write(piece)
                if not incoming.size:
                    raise FarthingError(f"{path} is empty")
                kind = incoming.look(mime.of)
                with self._database.writing() as db:
                    contents.reserve(db, self._user.id, incoming.content(), stamp(self._clock.now()))
                incoming.keep(self._user.id)
                return incoming.content(), kind
            finally:
                incoming.discard()

    def _attach(self, db: Unit, job_id: int, name: str, content: Content, kind: str, now: str) -> int:
        upload = UploadedFile(sha256=content.sha256, md5=content.md5, mime=kind, size=content.size)
        return attach_file(db, self._user.id, job_id, upload, name, now)

    def _remove(self, job_id: int) -> None:
        """Removes the job, unless it was started at the moment when the command was interrupted."""
        with self._database.writing() as db:
            self._take(db, "import_jobs.remove")
            job = store.get(db, self._user.id, job_id)
            if job and job.state != ImportState.RUNNING:
                queue.cancel(db, self._user.id, queueing.FETCH, job_id)
                attachments.remove_of(db, self._user.id, Model.IMPORT_JOB, [job_id])
                store.remove(db, self._user.id, job_id)

    def _work(self, job_id: int, title: str, describe: Callable[[ImportJob], str]) -> None:
        """Works on the job until it is done. The server's job process may do the work instead."""
        kinds = with_imports(self._settings)
        imports = {kind: kinds[kind] for kind in (queueing.RUN, queueing.FETCH)}
        worker = Worker(self._database, self._clock, imports)
        try:
            with show_progress(title) as show:
                while self._is_waiting(job_id):
                    if not worker.turn():
                        sleep(_REST_S)
                    show(describe(self._get(job_id)))
        finally:
            worker.stop()  # lets the server continue the job at once

    def _is_waiting(self, job_id: int) -> bool:
        with self._database.reading() as db:
            return any(
                job_id in queue.list_waiting_subjects(db, self._user.id, kind)
                for kind in (queueing.RUN, queueing.FETCH)
            )

    def _report(self, job: ImportJob) -> None:
        counts = job.counts
        show_table(
            ("import", "state", "read", "new", "known already", "linked", "rejected"),
            [(job.id, job.state.value, counts.read, counts.new, counts.duplicate, counts.linked, counts.rejected)],
        )
        _print_findings(job.findings)
        if job.report and "balances_equal" in job.report:  # archives are imported as they are, without a comparison
            equal, compared = job.report["balances_equal"], job.report["balances_compared"]
            typer.echo(f"{equal} of {compared} month-end balances are equal to those of the source.", err=True)
        if job.state == ImportState.FAILED:
            raise FarthingError(
                "nothing was imported: correct the errors, or import only the valid rows with --partial"
            )
        typer.echo(f"To undo the import: {self._undo_command(job.id)}", err=True)

    def _undo_command(self, job_id: int) -> str:
        return f"farthing import undo {job_id}{self._option}"


def _print_findings(findings: Sequence[Finding]) -> None:
    for finding in findings[:_FINDINGS_MAX]:
        where = f"row {finding.row}: " if finding.row else ""
        typer.echo(f"{where}{finding.message}", err=True)
    if len(findings) > _FINDINGS_MAX:
        typer.echo(f"… and {len(findings) - _FINDINGS_MAX} more findings", err=True)


def _show_row(row: preview.PreviewRow) -> tuple[object, ...]:
    verdict = (row.verdict.outcome, row.verdict.why)
    if row.books:
        source = row.books.transaction
        return row.number, source.on, f"{row.books.amount:f}", source.description[:60], *verdict
    settled = row.settled
    if settled is None:
        return row.number, "", "", "", *verdict
    units = -settled.money.units if settled.outgoing else settled.money.units
    amount = f"{as_text(units, settled.money.currency.places)} {settled.money.currency.code}"
    text = " ".join(part for part in (settled.row.payee, settled.row.description) if part)
    return row.number, settled.row.on, amount, text[:60], *verdict


def _find_account(db: Unit, user_id: int, name: str) -> int:
    for kind in sorted(OWN):
        account_id = accounts.find_of_kind(db, user_id, kind, name)
        if account_id:
            return account_id
    raise NotFound(f"There is no asset account or liability “{name}”")


def _read_mapping(path: Path) -> dict[str, Any]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise FarthingError(f"{path} is not a JSON object: {error}") from error
