"""Makes and changes import jobs, from what the user says and what was found out about the files."""

from collections.abc import Mapping, Sequence
from typing import Any

from farthing.books.accounts import store as accounts
from farthing.books.accounts.model import CREDIT_CARD_ROLE
from farthing.books.attachments import store as attachments
from farthing.books.attachments.model import AttachmentDraft, AttachmentTarget, Model, UploadedFile
from farthing.kernel.errors import Problem
from farthing.ledger.kinds import Kind
from farthing.storage import queue
from farthing.storage.blobs import Content
from farthing.storage.unit import Unit

from ..findings import Finding
from ..rows import own_accounts
from ..rows.options import ImportOptions
from ..rows.own_accounts import OwnAccounts
from ..rows.settle import describe
from ..statements import BankAccount
from . import queueing, store
from .examine import FileExamination
from .model import ImportJob, ImportJobDraft, ImportState
from .reading import OWN_ARCHIVE, PROGRAMS
from .recall import SIGNS, Layout, recall, turn_signs

NAMELESS = "import"
_WHOLE = "Decisions about single rows are for files of banks: the books of another program come in as a whole."
_FILENAME_CHARACTERS_MAX = 255


def make_draft(
    db: Unit,
    user_id: int,
    found_out: FileExamination,
    *,
    account_id: int | None,
    mapping: Mapping[str, Any] | None,
    options: ImportOptions,
    file_ids: tuple[int, ...] = (),
) -> ImportJobDraft:
    """Drafts a job. `mapping` is what the user says; an earlier import of such a file may fill in the rest."""
    problems = [*found_out.problems, *find_rows_problems(found_out.format, options, "options.rows")]
    findings = [Finding(field=problem.field, message=problem.message, rejects=True) for problem in problems]
    own = own_accounts.load(db, user_id)
    whose = _find_only(own, found_out.accounts) or account_id
    layout = Layout(mapping=found_out.mapping, detected=found_out.detected)
    if found_out.layout:
        layout = _choose_layout(db, user_id, found_out, own, whose, mapping or {})
    if layout.remark:  # then the columns are those of an earlier import
        findings = [
            layout.remark,
            *(finding for finding in findings if not str(finding.field).startswith("mapping.columns")),
        ]
    if not any(finding.rejects for finding in findings):
        names_accounts = found_out.names_accounts or "account" in layout.mapping.get("columns", {})
        account_id, missing = _choose_account(own, account_id, found_out.accounts, names_accounts=names_accounts)
        findings += missing
    return ImportJobDraft(
        state=ImportState.UPLOADED if any(finding.rejects for finding in findings) else ImportState.READY,
        format=found_out.format,
        account_id=account_id,
        mapping=layout.mapping,
        options=options,
        file_ids=file_ids,
        layout=found_out.layout,
        detected=_note_given(layout, found_out, mapping),
        findings=tuple(findings),
    )


def leave_out_shown(job: ImportJob, mapping: Mapping[str, Any]) -> Mapping[str, Any]:
    """Drops an unchanged sign setting that a client sends back with a changed column. It is not the user's decision
    unless it was asked for or set before: signs belong to the account, which may change next.
    """
    decided = {SIGNS} & (
        (job.given or {}).keys() | {question["field"] for question in job.detected.get("questions", ())}
    )
    is_shown = SIGNS in mapping and mapping[SIGNS] is job.mapping.get(SIGNS)
    return {name: value for name, value in mapping.items() if name != SIGNS} if is_shown and not decided else mapping


def _note_given(layout: Layout, found_out: FileExamination, mapping: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Adds what the user said, as far as it was understood."""
    if not layout.detected and not mapping:
        return layout.detected
    user_mapping = (
        None if mapping is None else {name: found_out.mapping[name] for name in mapping if name in found_out.mapping}
    )
    return {**layout.detected, "given": user_mapping}


def _choose_layout(
    db: Unit,
    user_id: int,
    found_out: FileExamination,
    own: OwnAccounts,
    account_id: int | None,
    user_mapping: Mapping[str, Any],
) -> Layout:
    """Combines what the user says, what the file shows, what an earlier import used, and the kind of account."""
    detected = found_out.mapping
    if account_id is None and "columns" not in user_mapping:
        detected = _recognize_own_accounts(detected, found_out.detected, own)
    earlier = store.find_layout(db, user_id, found_out.layout or "", account_id)
    layout = recall(found_out, detected, user_mapping, earlier, account_id)
    return layout if SIGNS in user_mapping else _choose_signs(db, user_id, found_out, layout, earlier, account_id)


def _choose_signs(
    db: Unit,
    user_id: int,
    found_out: FileExamination,
    layout: Layout,
    earlier: ImportJob | None,
    account_id: int | None,
) -> Layout:
    is_answered = earlier is not None and earlier.account_id == account_id is not None
    if found_out.seems_spent and account_id and not is_answered and _is_card(db, user_id, account_id):
        return turn_signs(layout)
    return layout


def _is_card(db: Unit, user_id: int, account_id: int) -> bool:
    account = accounts.get(db, user_id, account_id)
    return account is not None and (account.kind == Kind.CREDIT_CARD or account.role == CREDIT_CARD_ROLE)


def _find_only(own: OwnAccounts, bank_accounts: Sequence[BankAccount]) -> int | None:
    """Finds the user's account if the file names exactly one."""
    ids = {account.id if account else None for account in map(own.find, bank_accounts)}
    return ids.pop() if len(ids) == 1 else None


def find_rows_problems(format_: str | None, options: ImportOptions, field: str) -> list[Problem]:
    """Refuses decisions about single transactions of other programs, because the proof of balances would fail."""
    is_of_program = format_ in PROGRAMS or format_ == OWN_ARCHIVE
    return [Problem(field, _WHOLE)] if is_of_program and options.rows else []


def _recognize_own_accounts(
    mapping: Mapping[str, Any], detected: Mapping[str, Any], own: OwnAccounts
) -> Mapping[str, Any]:
    """Finds the column that names an account of the user in every row: one without a role so far, or one that is called
    only “Account” or the like and seemed to name the other side.
    """
    from ..formats.csv.words import GENERIC_ACCOUNTS, plain  # loaded late, because few requests need it

    columns, header = dict(mapping["columns"]), list(detected.get("header", ()))
    seeming = columns.get("payee_account")
    possible = [seeming] if seeming is not None and plain(str(seeming)) in GENERIC_ACCOUNTS else []
    possible += detected.get("unused", ())
    naming = [column for column in possible if _names_own(_cells(column, header, detected), own)]
    if "account" in columns or len(naming) != 1:
        return mapping
    others = {role: column for role, column in columns.items() if column != naming[0]}
    return {**mapping, "columns": {**others, "account": naming[0]}}


def _cells(column: str | int, header: Sequence[str], detected: Mapping[str, Any]) -> list[str]:
    index = header.index(column) if column in header else column
    return [row[index] for row in detected.get("rows", ()) if isinstance(index, int) and index < len(row)]


def _names_own(cells: Sequence[str], own: OwnAccounts) -> bool:
    return bool(cells) and all(own.find_number(cell) or own.find_name(cell) for cell in cells)


def _choose_account(
    own: OwnAccounts, account_id: int | None, bank_accounts: Sequence[BankAccount], *, names_accounts: bool
) -> tuple[int | None, list[Finding]]:
    """Chooses the account that the file names, if the user has not chosen one."""
    named = [own.find(bank_account) for bank_account in bank_accounts]
    if account_id and account_id in own.by_id:
        others = [account.name for account in named if account and account.id != account_id]
        sentence = f"The file says that it is of “{others[0]}”: its rows are booked there." if others else ""
        return account_id, [Finding(field="account_id", message=sentence)] if sentence else []
    if bank_accounts and all(named):
        ids = {account.id for account in named if account}
        return (ids.pop() if len(ids) == 1 else None), []
    if names_accounts and not bank_accounts:
        return None, []
    unknown = [
        describe(bank_account) for bank_account, account in zip(bank_accounts, named, strict=True) if not account
    ]
    named_one = f" It names “{unknown[0]}”, which none of your accounts has." if unknown else ""
    sentence = f"Choose the account that this file is of (account_id).{named_one}"
    return None, [Finding(field="account_id", message=sentence, rejects=True)]


def add_fetching(db: Unit, user_id: int, url: str, token: str, options: ImportOptions, now: str) -> int:
    """Adds a job that fetches books from a running program. Returns its id."""
    draft = ImportJobDraft(
        state=ImportState.UPLOADED,
        format=queueing.FETCHED_FORMAT,
        account_id=None,
        mapping={},
        options=options,
        file_ids=(),
        detected={"url": url},
        findings=(Finding(message="Waiting to fetch.", rejects=True),),
    )
    job_id = store.add(db, user_id, draft, now)
    queue.add(db, user_id, queueing.FETCH, job_id, queueing.fetch_data(url, token), now)
    return job_id


def attach_file(
    db: Unit, user_id: int, job_id: int, content: Content, mime: str, filename: str | None, now: str
) -> int:
    """Attaches a content that is already stored. Returns the id of the attachment."""
    draft = AttachmentDraft(
        filename=(filename or NAMELESS)[:_FILENAME_CHARACTERS_MAX],
        title=None,
        notes=None,
        target=AttachmentTarget(model=Model.IMPORT_JOB, id=job_id),
    )
    file_id = attachments.add(db, user_id, draft, now)
    upload = UploadedFile(sha256=content.sha256, md5=content.md5, mime=mime, size=content.size)
    attachments.record_upload(db, user_id, file_id, upload, now)
    return file_id
