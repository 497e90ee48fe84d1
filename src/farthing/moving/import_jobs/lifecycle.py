"""Drafts and starts import jobs, from the user's settings and the examination of the files."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from farthing.books.accounts import store as accounts
from farthing.books.accounts.model import CREDIT_CARD_ROLE
from farthing.kernel.errors import Problem
from farthing.ledger.kinds import Kind
from farthing.storage import queue
from farthing.storage.unit import Unit

from ..findings import Finding
from ..rows import own_accounts
from ..rows.options import ImportOptions
from ..rows.own_accounts import OwnAccounts
from ..rows.settle import describe
from ..statements import BankAccount
from . import store
from .earlier_layouts import SIGNS, recall, turn_signs
from .examine import FileExamination
from .formats import OWN_ARCHIVE, PROGRAMS
from .model import ImportJob, ImportJobDraft, ImportState
from .queueing import FETCH, FETCHED_FORMAT, RUN, run_data

_WHOLE = "Only rows of bank files can be decided one by one: the books of another program are imported as a whole."


def make_draft(
    db: Unit,
    user_id: int,
    examined: FileExamination,
    *,
    account_id: int | None,
    mapping: Mapping[str, Any] | None,
    options: ImportOptions,
    file_ids: tuple[int, ...] = (),
    hashes: Sequence[str] = (),
) -> ImportJobDraft:
    """Drafts a job. `mapping` has the settings that the user made; others may be reused from an earlier import.

    `hashes` are those of the files. If no account is chosen, the account of an undone import of the same file is used.
    """
    if account_id is None and hashes and not examined.names_accounts and not examined.accounts:
        account_id = store.find_account_of_file(db, user_id, hashes)
    problems = [*examined.problems, *find_rows_problems(examined.format, options, "options.rows")]
    findings = [Finding(field=problem.field, message=problem.message, rejects=True) for problem in problems]
    own = own_accounts.load(db, user_id)
    if examined.layout:
        whose = _find_only(own, examined.accounts) or account_id
        examined = _choose_layout(db, user_id, examined, own, whose, mapping or {})
    if examined.remark:  # then the columns are those of an earlier import
        others = [finding for finding in findings if not str(finding.field).startswith("mapping.columns")]
        findings = [examined.remark, *others]
    if not any(finding.rejects for finding in findings):
        names_accounts = examined.names_accounts or "account" in examined.mapping.get("columns", {})
        account_id, missing = _choose_account(own, account_id, examined.accounts, names_accounts=names_accounts)
        findings += missing
    return ImportJobDraft(
        state=ImportState.UPLOADED if any(finding.rejects for finding in findings) else ImportState.READY,
        format=examined.format,
        account_id=account_id,
        mapping=examined.mapping,
        options=options,
        file_ids=file_ids,
        layout=examined.layout,
        detected=_note_given(examined, mapping),
        findings=tuple(findings),
    )


def leave_out_shown(job: ImportJob, mapping: Mapping[str, Any]) -> Mapping[str, Any]:
    """Drops a sign setting that a client sends back unchanged, for example together with a changed column. Such a
    setting is a decision of the user only if the user was asked for it or has set it before. Otherwise, it must still
    follow the account, which may change.
    """
    decided = {SIGNS} & (
        (job.given or {}).keys() | {question["field"] for question in job.detected.get("questions", ())}
    )
    is_shown = SIGNS in mapping and mapping[SIGNS] is job.mapping.get(SIGNS)
    return {name: value for name, value in mapping.items() if name != SIGNS} if is_shown and not decided else mapping


def _note_given(examined: FileExamination, mapping: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Returns what was detected, together with the settings that the user made, as far as they were understood."""
    if not examined.detected and not mapping:
        return examined.detected
    understood = mapping and {name: examined.mapping[name] for name in mapping if name in examined.mapping}
    return {**examined.detected, "given": understood}


def _choose_layout(
    db: Unit,
    user_id: int,
    examined: FileExamination,
    own: OwnAccounts,
    account_id: int | None,
    user_mapping: Mapping[str, Any],
) -> FileExamination:
    """Chooses a layout from the user's settings, the file itself, an earlier import, and the kind of account."""
    if account_id is None and "columns" not in user_mapping:
        examined = _recognize_own_accounts(examined, own)
    earlier = store.find_layout(db, user_id, examined.layout or "", account_id)
    recalled = recall(examined, user_mapping, earlier, account_id)
    is_answered = earlier is not None and earlier.account_id == account_id is not None
    if SIGNS in user_mapping or is_answered or not examined.seems_spent or not account_id:
        return recalled
    account = accounts.get(db, user_id, account_id)
    is_card = account is not None and (account.kind == Kind.CREDIT_CARD or account.role == CREDIT_CARD_ROLE)
    return turn_signs(recalled) if is_card else recalled


def _find_only(own: OwnAccounts, bank_accounts: Sequence[BankAccount]) -> int | None:
    """Finds the user's account that the file names, if it names exactly one."""
    ids = {account.id if account else None for account in map(own.find, bank_accounts)}
    return ids.pop() if len(ids) == 1 else None


def find_rows_problems(format_: str | None, options: ImportOptions, field: str) -> list[Problem]:
    """Refuses decisions about single transactions of other programs, because the final check of balances would fail."""
    is_of_program = format_ in PROGRAMS or format_ == OWN_ARCHIVE
    return [Problem(field, _WHOLE)] if is_of_program and options.rows else []


def _recognize_own_accounts(examined: FileExamination, own: OwnAccounts) -> FileExamination:
    """Takes a column as the account if all its cells name the user's own accounts, and if it is the only such column
    among the unused ones and those with a generic name such as “Account”.
    """
    from ..formats.csv.words import GENERIC_ACCOUNTS, plain  # loaded late, because few requests need it

    columns, detected = dict(examined.mapping["columns"]), examined.detected
    seeming = columns.get("payee_account")
    possible = [seeming] if seeming is not None and plain(str(seeming)) in GENERIC_ACCOUNTS else []
    possible += detected.get("unused", ())
    naming = [column for column in possible if _names_own(_cells(column, detected), own)]
    if "account" in columns or len(naming) != 1:
        return examined
    others = {role: column for role, column in columns.items() if column != naming[0]}
    return replace(examined, mapping={**examined.mapping, "columns": {**others, "account": naming[0]}})


def _cells(column: str | int, detected: Mapping[str, Any]) -> list[str]:
    header = list(detected.get("header", ()))
    index = header.index(column) if column in header else column
    return [row[index] for row in detected.get("rows", ()) if isinstance(index, int) and index < len(row)]


def _names_own(cells: Sequence[str], own: OwnAccounts) -> bool:
    return bool(cells) and all(own.find_number(cell) or own.find_name(cell) for cell in cells)


def _choose_account(
    own: OwnAccounts, account_id: int | None, bank_accounts: Sequence[BankAccount], *, names_accounts: bool
) -> tuple[int | None, list[Finding]]:
    """Returns the account that the user has chosen, or else the account that the file names, and findings about it."""
    named = [own.find(bank_account) for bank_account in bank_accounts]
    if account_id and account_id in own.by_id:
        others = [account.name for account in named if account and account.id != account_id]
        sentence = (
            f"The file says that it belongs to the account “{others[0]}”, so its rows are booked there."
            if others
            else ""
        )
        return account_id, [Finding(field="account_id", message=sentence)] if sentence else []
    if bank_accounts and all(named):
        ids = {account.id for account in named if account}
        return (ids.pop() if len(ids) == 1 else None), []
    if names_accounts and not bank_accounts:
        return None, []
    pairs = zip(bank_accounts, named, strict=True)
    unknown = [describe(bank_account) for bank_account, account in pairs if not account]
    named_one = f" It names “{unknown[0]}”, which matches none of your accounts." if unknown else ""
    sentence = f"Choose the account that this file belongs to (account_id).{named_one}"
    return None, [Finding(field="account_id", message=sentence, rejects=True)]


def start_fetching(db: Unit, user_id: int, url: str, token: str, options: ImportOptions, now: str) -> int:
    """Creates a job whose books are fetched from a running server. Returns the id of the job."""
    draft = ImportJobDraft(
        state=ImportState.UPLOADED,
        format=FETCHED_FORMAT,
        account_id=None,
        mapping={},
        options=options,
        file_ids=(),
        detected={"url": url},
        findings=(Finding(message="Waiting to fetch.", rejects=True),),
    )
    job_id = store.add(db, user_id, draft, now)
    queue.add(db, user_id, FETCH, job_id, {"url": url, "token": token}, now)
    return job_id


def start(db: Unit, user_id: int, job_id: int, options: ImportOptions, now: str, *, has_full_access: bool) -> None:
    """Starts a run. It may create currencies only if the user has full access to the books."""
    assert db.author is not None, "a write takes its user first"
    store.start(db, user_id, job_id, options, now)
    data = run_data(part_of=db.author.revision, has_full_access=has_full_access)
    queue.add(db, user_id, RUN, job_id, data, now)
