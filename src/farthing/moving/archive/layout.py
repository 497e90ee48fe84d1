"""Defines an archive: a file of JSON lines for each kind of object, and the fields of each line.

The tables are those of the database schema. The archive omits what can be computed from other data (sums, folded names,
flags of bookings). Currencies are written as codes, and amounts as decimal text.
"""

from farthing.books.accounts.model import CARD_TYPES, INTEREST_PERIODS, ROLES, Direction
from farthing.books.budgets.model import AutoPeriod, Carry
from farthing.books.categories.model import COLOURS, ICONS
from farthing.books.rules.model import PARTS_MAX, RuleEvent
from farthing.kernel.limits import DESCRIPTION_MAX, NAME_MAX, NOTES_MAX, ZOOM_MAX
from farthing.ledger.details import SEPA
from farthing.ledger.kinds import Kind, Type
from farthing.schedule.frequency import Frequency
from farthing.schedule.repetition import RepetitionType

from .fields import (
    ANY,
    DESCRIPTION,
    GROUP,
    ID,
    MARKS,
    NAME,
    NOTES,
    OTHER_DATES,
    PERIOD,
    POSITION,
    RULE_MANUAL,
    RULE_PARTS,
    SPLIT,
    STAMPS,
    TITLE,
    ArchiveField,
    ArchiveKind,
    ArchivePart,
    FieldType,
    amount,
    choice,
    currency,
    day,
    flags,
    moment,
    number,
    reference,
    stamped,
    texts,
    whole,
)
from .layout_of_imports import IMPORT_JOBS, IMPORT_OBJECTS, IMPORT_ROWS
from .layout_of_piggy_banks import PIGGY_BANK_EVENTS, PIGGY_BANKS

FORMAT = 1
CONTENTS = "attachments"

_TYPES = {type_.label: int(type_) for type_ in Type}

_PLACE = (
    number("latitude", optional=True),
    number("longitude", optional=True),
    whole("zoom_level", most=ZOOM_MAX, optional=True),
)
_CARRY_RELEASES = ArchivePart(
    name="carry_releases",
    table="carry_releases",
    parent="budget_id",
    order="id",
    most=10_000,
    fields=(currency(), day("month", "month_on"), amount("amount", "units"), *STAMPS),
)
_LABELS = tuple(
    stamped(name, *NAME, *more, unique=("name",), parts=(_CARRY_RELEASES,) if name == "budgets" else ())
    for name, more in {
        "budgets": (
            *flags("active"),
            choice("carry", list(Carry), optional=True),
            amount("auto_amount", "auto_units", optional=True, currency="auto_currency"),
            currency("auto_currency", "auto_currency_id", optional=True),
            choice("auto_period", list(AutoPeriod), optional=True),
            day("auto_next_on", optional=True),
            *NOTES,
            POSITION,
        ),
        "categories": (
            reference("budget_id", "budgets", optional=True),
            choice("colour", COLOURS, optional=True),
            choice("icon", ICONS, optional=True),
            *NOTES,
        ),
        "tags": (
            day("date", "on_day", optional=True),
            *DESCRIPTION,
            *_PLACE,
        ),
    }.items()
)

# A currency that another user's import created is archived only if this user has amounts in it.
_IS_USED = " OR ".join(
    f"EXISTS (SELECT 1 FROM {table} u WHERE u.user_id = :user_id AND u.{column} = t.id)"
    for table, column in (
        ("accounts", "currency_id"), ("bills", "currency_id"), ("budget_limits", "currency_id"),
        ("carry_releases", "currency_id"),
        ("available_budgets", "currency_id"), ("budgets", "auto_currency_id"), ("exchange_rates", "from_currency_id"),
        ("exchange_rates", "to_currency_id"), ("recurrence_splits", "currency_id"),
        ("recurrence_splits", "foreign_currency_id"), ("splits", "currency_id"), ("splits", "foreign_currency_id"),
    )
)  # fmt: skip

KINDS: tuple[ArchiveKind, ...] = (
    ArchiveKind(
        name="currencies",
        unique=("code",),
        where=f"t.custom = 1 AND (t.brought_by IS NULL OR t.brought_by = :user_id OR {_IS_USED})",
        fields=(
            *texts("code", most=3),
            *NAME,
            *texts("symbol", most=5),
            whole("decimal_places", most=12, column="places"),
            *STAMPS,
        ),
    ),
    stamped(
        "accounts",
        choice("kind", list(Kind)),
        *NAME,
        *flags("active", "include_net_worth"),
        currency(),
        amount("virtual_balance", "virtual_units", least=ANY),
        choice("role", ROLES, optional=True),
        choice("card_type", CARD_TYPES, optional=True),
        day("card_payment_on", optional=True),
        number("interest", optional=True),
        choice("interest_period", INTEREST_PERIODS, optional=True),
        *texts("account_number", "iban", "bic", most=NAME_MAX, optional=True),
        *NOTES,
        reference("helps_id", "accounts", optional=True),
        choice("direction", list(Direction), optional=True),
        *_PLACE,
        unique=("iban", "account_number"),
    ),
    *_LABELS,
    ArchiveKind(
        name="sub_categories",
        stored_in="categories",
        where="t.user_id = :user_id AND t.parent_id IS NOT NULL",
        fields=(
            ArchiveField(name="category_id", type=FieldType.REFERENCE, to="categories", read="t.id"),
            reference("parent_id", "categories"),
        ),
    ),
    stamped("budget_limits", reference("budget_id", "budgets"), currency(), amount("amount", "units"), *PERIOD, *NOTES),
    stamped("available_budgets", currency(), amount("amount", "units"), *PERIOD),
    stamped(
        "exchange_rates",
        currency("from_currency", "from_currency_id"),
        currency("to_currency", "to_currency_id"),
        day("date", "on_day"),
        number("rate"),
        lines_max=1_000_000,
    ),
    stamped("object_groups", *TITLE, POSITION, unique=("title",)),
    stamped(
        "bills",
        *NAME,
        ArchiveField(name="words", type=FieldType.WORDS, most=NAME_MAX),
        amount("amount_min", "lowest_units"),
        amount("amount_max", "highest_units"),
        currency(),
        day("first_on"),
        choice("frequency", list(Frequency)),
        whole("skip", most=31),
        *flags("automatch", "active"),
        *NOTES,
        day("end_on", optional=True),
        day("extension_on", optional=True),
        POSITION,
        GROUP,
        unique=("name",),
    ),
    PIGGY_BANKS,
    stamped(
        "recurrences",
        choice("type", {label: value for label, value in _TYPES.items() if value <= Type.TRANSFER}),
        *TITLE,
        ArchiveField(name="description", type=FieldType.TEXT, most=NOTES_MAX),
        day("first_on"),
        day("until_on", optional=True),
        whole("count_max", least=1, most=2**31, optional=True),
        *flags("apply_rules", "active"),
        ArchiveField(name="tags", type=FieldType.WORDS, most=NOTES_MAX),
        reference("piggy_bank_id", "piggy_banks", optional=True),
        day("settled_until"),
        *texts("failure", most=NOTES_MAX, optional=True),
        *NOTES,
        parts=(
            ArchivePart(
                name="repetitions",
                table="recurrence_repetitions",
                parent="recurrence_id",
                order="place",
                least=1,
                most=100,
                fields=(
                    choice("type", list(RepetitionType)),
                    ArchiveField(name="moment", type=FieldType.TEXT, most=10),
                    whole("skip", most=999),
                    whole("weekend", least=1, most=4),
                    *flags("holidays"),
                    *STAMPS,
                ),
            ),
            ArchivePart(
                name="splits",
                table="recurrence_splits",
                parent="recurrence_id",
                order="place",
                least=1,
                most=500,
                fields=(*texts("description", most=DESCRIPTION_MAX), *SPLIT),
            ),
            ArchivePart(
                name="exceptions",
                table="recurrence_exceptions",
                parent="recurrence_id",
                order="planned_on",
                most=20_000,
                fields=(day("planned_on"), day("lands_on", optional=True), *STAMPS),
            ),
        ),
    ),
    stamped(
        "transactions",
        choice("type", _TYPES),
        day("date", "on_day"),
        *texts("description", most=DESCRIPTION_MAX),
        *NOTES,
        *texts("internal_reference", most=NAME_MAX, optional=True),
        *OTHER_DATES,
        reference("opening_account_id", "accounts", optional=True),
        reference("bill_id", "bills", optional=True),
        *flags("bill_by_hand"),
        reference("recurrence_id", "recurrences", optional=True),
        reference("piggy_bank_id", "piggy_banks", optional=True),
        lines_max=5_000_000,
        stored_in="entries",
        parts=(
            ArchivePart(
                name="splits",
                table="splits",
                parent="entry_id",
                order="position",
                least=1,
                most=500,
                fields=(*texts("description", most=DESCRIPTION_MAX, optional=True), *MARKS, *SPLIT),
            ),
            ArchivePart(
                name="tags",
                table="entry_tags",
                parent="entry_id",
                order="id",
                most=1000,
                fields=(reference("tag_id", "tags"),),
            ),
            ArchivePart(
                name="details",
                table="entry_details",
                parent="entry_id",
                order="id",
                most=1,
                fields=(
                    *texts("external_id", "external_url", "original_source", most=NOTES_MAX, optional=True),
                    *texts("import_hash", *(f"sepa_{name}" for name in SEPA), most=NOTES_MAX, optional=True),
                    *_PLACE,
                ),
            ),
        ),
    ),
    ArchiveKind(
        name="firings",
        lines_max=5_000_000,
        source="firings t LEFT JOIN entries e ON e.user_id = t.user_id AND e.id = t.entry_id",
        fields=(
            ID,
            reference("recurrence_id", "recurrences"),
            whole("place", most=1000),
            day("planned_on"),
            day("landed_on"),
            reference("transaction_id", "transactions", "entry_id", read="e.id", optional=True),
        ),
    ),
    PIGGY_BANK_EVENTS,
    IMPORT_JOBS,
    stamped(
        "attachments",
        reference("bill_id", "bills", optional=True),
        reference("transaction_id", "transactions", "entry_id", optional=True),
        reference("import_job_id", "import_jobs", optional=True),
        reference("account_id", "accounts", optional=True),
        reference("budget_id", "budgets", optional=True),
        reference("category_id", "categories", optional=True),
        reference("piggy_bank_id", "piggy_banks", optional=True),
        reference("tag_id", "tags", optional=True),
        # The position of the split for which the file was sent.
        ArchiveField(
            name="split",
            type=FieldType.WHOLE,
            column="split_id",
            read="(SELECT s.position FROM splits s WHERE s.user_id = t.user_id AND s.id = t.split_id)",
            most=500,
            optional=True,
        ),
        *texts("filename", most=NAME_MAX),
        *texts("title", most=NAME_MAX, optional=True),
        *NOTES,
        ArchiveField(name="sha256", type=FieldType.HASH, most=64, optional=True),
        ArchiveField(name="md5", type=FieldType.HASH, most=32, optional=True),
        *texts("mime", most=NAME_MAX, optional=True),
        whole("size", least=1, most=2**50, optional=True),
        moment("uploaded_at", optional=True),
    ),
    IMPORT_ROWS,
    ArchiveKind(
        name="link_types",
        unique=("name",),
        fields=(ID, *NAME, *texts("inward", "outward", most=NAME_MAX), *STAMPS),
    ),
    stamped(
        "transaction_links",
        choice("built_in", {"related": 1, "refund": 2, "paid": 3, "reimbursement": 4}, optional=True),
        reference("link_type_id", "link_types", optional=True),
        reference("inward_id", "transactions", "from_entry_id"),
        reference("outward_id", "transactions", "to_entry_id"),
        *(
            ArchiveField(
                name=f"{name}_split",
                type=FieldType.WHOLE,
                most=499,
                optional=True,
                column=f"{side}_split_id",
                read=f"(SELECT s.position FROM splits s WHERE s.user_id = t.user_id AND s.id = t.{side}_split_id"
                f" AND s.entry_id = t.{side}_entry_id)",
            )
            for name, side in (("inward", "from"), ("outward", "to"))
        ),
        *NOTES,
        stored_in="entry_links",
    ),
    stamped("rule_groups", *TITLE, *DESCRIPTION, whole("position", most=2**31), *flags("active"), unique=("title",)),
    stamped(
        "rules",
        reference("rule_group_id", "rule_groups"),
        *TITLE,
        *DESCRIPTION,
        choice("moment", list(RuleEvent)),
        whole("position", most=2**31),
        *flags("active", "strict", "stop_processing"),
        RULE_MANUAL,
        unique=("title",),
        parts=tuple(
            ArchivePart(
                name=name,
                table=table,
                parent="rule_id",
                order="position",
                first=1,
                least=1,
                most=PARTS_MAX + 1,
                fields=fields,
            )
            for name, table, fields in RULE_PARTS
        ),
    ),
    stamped("preferences", *NAME, ArchiveField(name="data", type=FieldType.VALUE), unique=("name",)),
    IMPORT_OBJECTS,
)
BY_NAME = {kind.name: kind for kind in KINDS}
