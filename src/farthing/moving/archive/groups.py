"""Fields that several kinds of lines share, or that belong together."""

from farthing.kernel.limits import NAME_MAX, NOTES_MAX

from .fields import ArchiveField, FieldType, amount, currency, day, flags, reference, texts

ID = ArchiveField(name="id", type=FieldType.ID)
STAMPS = tuple(ArchiveField(name=name, type=FieldType.MOMENT) for name in ("created_at", "updated_at"))
SPLIT = (
    amount("amount", "units"),
    currency(),
    amount("foreign_amount", "foreign_units", optional=True, currency="foreign_currency"),
    currency("foreign_currency", "foreign_currency_id", optional=True),
    reference("source_id", "accounts"),
    reference("destination_id", "accounts"),
    reference("category_id", "categories", optional=True),
    reference("budget_id", "budgets", optional=True),
)
# Archives of the first versions have no refunds.
MARKS = (*flags("reconciled"), ArchiveField(name="refund", type=FieldType.FLAG, optional=True, usual=0))
RULE_PART = (*texts("name", most=NAME_MAX), *texts("value", most=NOTES_MAX, optional=True), *flags("stop_processing"))
OTHER_DATES = tuple(
    day(f"{name}_date", f"{name}_on", optional=True)
    for name in ("interest", "book", "process", "due", "payment", "invoice")
)
