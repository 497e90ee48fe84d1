"""Defines the lines of an archive about imports: the jobs, the outcomes of their rows, and the objects they created."""

from farthing.kernel.limits import NAME_MAX

from ..rows.options import MADE_KINDS
from .fields import (
    ID,
    STAMPS,
    ArchiveField,
    ArchiveKind,
    FieldType,
    choice,
    data,
    day,
    flags,
    moment,
    reference,
    texts,
    whole,
)

_COUNT_MAX = 2**53
# A running job is archived as failed, because nobody would continue it. Running it again duplicates nothing.
_STATE = "CASE WHEN t.state = 'running' THEN 'failed' ELSE t.state END"
_COUNTS = tuple(whole(f"rows_{name}", most=_COUNT_MAX) for name in ("read", "new", "duplicate", "linked", "rejected"))

IMPORT_JOBS = ArchiveKind(
    name="import_jobs",
    is_large=True,
    source="import_jobs t LEFT JOIN accounts a ON a.user_id = t.user_id AND a.id = t.account_id",
    fields=(
        ID,
        ArchiveField(
            name="state",
            type=FieldType.CHOICE,
            column="state",
            read=_STATE,
            words={word: word for word in ("uploaded", "ready", "done", "failed", "undone")},
        ),
        *texts("format", most=40, optional=True),
        reference("account_id", "accounts", read="a.id", optional=True),
        *(data(name) for name in ("mapping", "options", "file_ids", "detected", "findings")),
        *texts("layout", most=NAME_MAX, optional=True),
        whole("rows_total", most=_COUNT_MAX, optional=True),
        *_COUNTS,
        data("report", optional=True),
        *STAMPS,
        moment("started_at", optional=True),
        moment("finished_at", optional=True),
    ),
)
IMPORT_ROWS = ArchiveKind(
    name="import_rows",
    lines_max=5_000_000,
    # Rows are archived so that they are recognized if they are imported again, even if their job was deleted. Rows from
    # other programs have no account.
    source="""
        import_rows t LEFT JOIN entries e ON e.user_id = t.user_id AND e.id = t.entry_id
        LEFT JOIN accounts a ON a.user_id = t.user_id AND a.id = t.account_id
        LEFT JOIN import_jobs j ON j.user_id = t.user_id AND j.id = t.job_id
    """,
    where="t.user_id = :user_id AND (t.account_id = 0 OR a.id IS NOT NULL)",
    fields=(
        ID,
        # Only archives of the first versions have this field; its value is always 0.
        ArchiveField(name="job", type=FieldType.WHOLE, read="NULL", optional=True),
        reference("import_job_id", "import_jobs", "job_id", read="j.id", optional=True),
        reference("account_id", "accounts", read="a.id", optional=True),
        whole("row", most=2**53, column="row_number"),
        day("date", "on_day"),
        *texts("key", most=64),
        choice("outcome", ("new", "linked", "paired")),
        reference("transaction_id", "transactions", "entry_id", read="e.id", optional=True),
        data("before", optional=True),
    ),
)
IMPORT_OBJECTS = ArchiveKind(
    name="import_objects",
    lines_max=1_000_000,
    source="import_objects t JOIN import_jobs j ON j.user_id = t.user_id AND j.id = t.job_id",
    # A currency has no id in the archive, because lines refer to it by its code.
    where="t.user_id = :user_id AND t.kind <> 'currencies'",
    fields=(
        ID,
        reference("import_job_id", "import_jobs", "job_id"),
        choice("kind", MADE_KINDS),
        *texts("source_key", most=4096),
        # The target may have been deleted since.
        whole("target_id", most=2**62),
        *flags("is_made"),
    ),
)
