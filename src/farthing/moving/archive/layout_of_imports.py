"""Defines the lines of an archive about imports: the jobs, the outcomes of their rows, and the objects they created."""

from msgspec import structs

from farthing.kernel.limits import NAME_MAX

from ..rows.options import ENABLED_CURRENCIES, MADE_KINDS, ImportCounts
from . import fields

_COUNT_MAX = 2**53
# A running job is archived as failed, because nobody would continue it. Running it again duplicates nothing.
_STATE = "CASE WHEN t.state = 'running' THEN 'failed' ELSE t.state END"
_STATES = ("uploaded", "ready", "done", "failed", "undone")
_COUNTS = tuple(fields.whole(f"rows_{name}", most=_COUNT_MAX) for name in ImportCounts.__struct_fields__)

IMPORT_JOBS = fields.ArchiveKind(
    name="import_jobs",
    is_large=True,
    source="import_jobs t LEFT JOIN accounts a ON a.user_id = t.user_id AND a.id = t.account_id",
    fields=(
        fields.ID,
        structs.replace(fields.choice("state", _STATES), column="state", read=_STATE),
        *fields.texts("format", most=40, optional=True),
        fields.reference("account_id", "accounts", read="a.id", optional=True),
        *(fields.data(name) for name in ("mapping", "options", "file_ids", "detected", "findings")),
        *fields.texts("layout", most=NAME_MAX, optional=True),
        fields.whole("rows_total", most=_COUNT_MAX, optional=True),
        *_COUNTS,
        fields.data("report", optional=True),
        *fields.STAMPS,
        fields.moment("started_at", optional=True),
        fields.moment("finished_at", optional=True),
    ),
)
IMPORT_ROWS = fields.ArchiveKind(
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
        fields.ID,
        # Only archives of the first versions have this field; its value is always 0.
        fields.ArchiveField(name="job", type=fields.FieldType.WHOLE, read="NULL", optional=True),
        fields.reference("import_job_id", "import_jobs", "job_id", read="j.id", optional=True),
        fields.reference("account_id", "accounts", read="a.id", optional=True),
        fields.whole("row", most=2**53, column="row_number"),
        fields.day("date", "on_day"),
        *fields.texts("key", most=64),
        fields.choice("outcome", ("new", "linked", "paired")),
        fields.reference("transaction_id", "transactions", "entry_id", read="e.id", optional=True),
        fields.data("before", optional=True),
    ),
)
IMPORT_OBJECTS = fields.ArchiveKind(
    name="import_objects",
    lines_max=1_000_000,
    source="import_objects t JOIN import_jobs j ON j.user_id = t.user_id AND j.id = t.job_id",
    # A currency has no id in the archive, because lines refer to it by its code.
    where="t.user_id = :user_id AND t.kind <> 'currencies'",
    fields=(
        fields.ID,
        fields.reference("import_job_id", "import_jobs", "job_id"),
        fields.choice("kind", (*MADE_KINDS, ENABLED_CURRENCIES)),
        *fields.texts("source_key", most=4096),
        # The target may have been deleted since.
        fields.whole("target_id", most=2**62),
        *fields.flags("is_made"),
    ),
)
