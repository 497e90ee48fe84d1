"""Lists the columns that are shown when a change is compared, with their names and formats."""

from enum import StrEnum

from msgspec import Struct

from farthing.ledger.details import EntryDetails


class FieldKind(StrEnum):
    TEXT = "text"
    FLAG = "flag"
    LIST = "list"
    JSON = "json"
    TYPE = "type"
    CURRENCY = "currency"
    AMOUNT = "amount"
    NAME = "name"


class Field(Struct, frozen=True):
    """Describes how to show a column.

    For a reference, `table` is the table that holds the name of the object referred to. For an amount, `currency` is
    the column with its currency.
    """

    column: str
    name: str
    kind: FieldKind = FieldKind.TEXT
    table: str = ""
    currency: str = ""


def _texts(*columns: str) -> tuple[Field, ...]:
    return tuple(Field(column=column, name=column) for column in columns)


def _flags(*columns: str) -> tuple[Field, ...]:
    return tuple(Field(column=column, name=column, kind=FieldKind.FLAG) for column in columns)


def _text(column: str, name: str) -> Field:
    return Field(column=column, name=name)


def _amount(column: str, name: str, currency: str = "currency_id") -> Field:
    return Field(column=column, name=name, kind=FieldKind.AMOUNT, currency=currency)


def _reference(column: str, table: str, name: str = "") -> Field:
    return Field(column=column, name=name or column.removesuffix("_id"), kind=FieldKind.NAME, table=table)


def _currency(column: str, name: str) -> Field:
    return Field(column=column, name=name, kind=FieldKind.CURRENCY)


_CURRENCY = _currency("currency_id", "currency")
_ORDER = _text("position", "order")
_GROUP = _reference("object_group_id", "object_groups", "group")
_TYPE = Field(column="type", name="type", kind=FieldKind.TYPE)
_MONEY = (
    _reference("source_id", "accounts"),
    _reference("destination_id", "accounts"),
    _amount("units", "amount"),
    _amount("foreign_units", "foreign_amount", "foreign_currency_id"),
    _text("description", "description"),
    _reference("category_id", "categories"),
    _reference("budget_id", "budgets"),
)
FIELDS: dict[str, tuple[Field, ...]] = {
    "accounts": (
        *_texts("name"), *_flags("active", "include_net_worth"), _CURRENCY, _amount("virtual_units", "virtual_balance"),
        *_texts("role"), _text("card_type", "credit_card_type"), _text("card_payment_on", "monthly_payment_date"),
        *_texts("interest", "interest_period", "account_number", "iban", "bic", "notes"),
        _text("direction", "liability_direction"), *_texts("latitude", "longitude", "zoom_level"),
    ),
    "entries": (
        _TYPE, _text("on_day", "date"), *_texts("description", "notes", "internal_reference"),
        _text("interest_on", "interest_date"), _text("book_on", "book_date"), _text("process_on", "process_date"),
        _text("due_on", "due_date"), _text("payment_on", "payment_date"), _text("invoice_on", "invoice_date"),
        _reference("bill_id", "bills"), _reference("piggy_bank_id", "piggy_banks"),
        _reference("recurrence_id", "recurrences"),
    ),
    "splits": (*_MONEY, *_flags("reconciled", "refund")),
    "entry_tags": (_reference("tag_id", "tags"),),
    "entry_details": _texts(*(name for name in EntryDetails.__struct_fields__ if name != "import_hash")),
    "bills": (
        *_texts("name"), Field(column="words", name="match", kind=FieldKind.LIST),
        _amount("lowest_units", "amount_min"), _amount("highest_units", "amount_max"), _CURRENCY,
        _text("first_on", "date"), *_texts("frequency", "skip"), *_flags("automatch", "active"), *_texts("notes"),
        _text("end_on", "end"), _text("extension_on", "extension_date"), _ORDER, _GROUP,
    ),
    "object_groups": (*_texts("title"), _ORDER),
    "budgets": (
        *_texts("name"), *_flags("active"), *_texts("carry"),
        _amount("auto_units", "auto_budget_amount", "auto_currency_id"), _text("auto_period", "auto_budget_period"),
        _ORDER, *_texts("notes"),
    ),
    "budget_limits": (
        _reference("budget_id", "budgets"), _amount("units", "amount"), _text("start_on", "start"),
        _text("end_on", "end"), *_texts("notes"),
    ),
    "carry_releases": (_amount("units", "released"), _text("month_on", "month")),
    "available_budgets": (_amount("units", "amount"), _text("start_on", "start"), _text("end_on", "end")),
    "exchange_rates": (
        _currency("from_currency_id", "from_currency"), _currency("to_currency_id", "to_currency"),
        _text("on_day", "date"), *_texts("rate"),
    ),
    "categories": (
        *_texts("name"), _reference("parent_id", "categories"), _reference("budget_id", "budgets"),
        *_texts("colour", "icon", "notes"),
    ),
    "tags": (
        *_texts("name"), _text("on_day", "date"), *_texts("description", "latitude", "longitude", "zoom_level"),
    ),
    "piggy_banks": (
        *_texts("name"), _reference("account_id", "accounts"), _amount("target_units", "target_amount", "account_id"),
        _amount("current_units", "current_amount", "account_id"), _text("start_on", "start"),
        _text("target_on", "target_date"), _ORDER, *_flags("active"), *_texts("notes"), _GROUP,
    ),
    "piggy_bank_shares": (_reference("account_id", "accounts"), _amount("units", "current_amount", "account_id")),
    "recurrences": (
        _TYPE, *_texts("title", "description", "notes"), _text("first_on", "date"), _text("until_on", "end"),
        _text("count_max", "repetitions"), *_flags("apply_rules", "active"),
        Field(column="tags", name="tags", kind=FieldKind.LIST), _reference("piggy_bank_id", "piggy_banks"),
    ),
    "recurrence_repetitions": (
        _text("type", "frequency"), *_texts("moment", "skip", "weekend"), *_flags("holidays"),
    ),
    "recurrence_exceptions": (_text("planned_on", "planned_date"), _text("lands_on", "moved_to")),
    "recurrence_splits": _MONEY,
    "rules": (
        *_texts("title", "description"), _reference("rule_group_id", "rule_groups"), _ORDER, *_texts("moment"),
        *_flags("active", "strict", "stop_processing", "manual"),
    ),
    "rule_triggers": (
        _text("name", "trigger"), _text("value", "trigger_value"), *_flags("stop_processing", "prohibited", "active"),
        *_texts("spelling"),
    ),
    "rule_actions": (_text("name", "action"), _text("value", "action_value"), *_flags("stop_processing", "active")),
    "rule_groups": (*_texts("title", "description"), _ORDER, *_flags("active")),
    "webhooks": (
        *_texts("title", "url"), Field(column="triggers", name="triggers", kind=FieldKind.LIST),
        Field(column="responses", name="responses", kind=FieldKind.LIST), *_flags("active"),
        Field(column="budget_percentages", name="budget_percentages", kind=FieldKind.LIST), *_texts("api_version"),
    ),
    "attachments": (
        *_texts("filename", "title", "notes", "mime", "size"), _reference("bill_id", "bills"),
        _reference("entry_id", "entries", "transaction"), _reference("account_id", "accounts"),
        _reference("budget_id", "budgets"), _reference("category_id", "categories"),
        _reference("piggy_bank_id", "piggy_banks"), _reference("tag_id", "tags"), *_texts("md5"),
    ),
    "entry_links": (
        _reference("from_entry_id", "entries", "inward"), _reference("to_entry_id", "entries", "outward"),
        _reference("link_type_id", "link_types"), _reference("built_in", "link_types", "link_type"), *_texts("notes"),
    ),
    "link_types": _texts("name", "inward", "outward"),
    "preferences": (Field(column="data", name="data", kind=FieldKind.JSON),),
}  # fmt: skip


class PartOf(Struct, frozen=True):
    """Describes a table whose rows are parts of objects in another table.

    `table` is the table of the objects, `parent` is the column with the id of the object, and `position` is the column
    by which the parts of an object are sorted.
    """

    table: str
    parent: str
    position: str


PARTS = {
    "splits": PartOf("entries", "entry_id", "position"),
    "entry_tags": PartOf("entries", "entry_id", "tag_id"),
    "entry_details": PartOf("entries", "entry_id", "entry_id"),
    "carry_releases": PartOf("budgets", "budget_id", "month_on"),
    "piggy_bank_shares": PartOf("piggy_banks", "piggy_bank_id", "account_id"),
    "recurrence_repetitions": PartOf("recurrences", "recurrence_id", "place"),
    "recurrence_splits": PartOf("recurrences", "recurrence_id", "place"),
    "recurrence_exceptions": PartOf("recurrences", "recurrence_id", "planned_on"),
    "rule_triggers": PartOf("rules", "rule_id", "position"),
    "rule_actions": PartOf("rules", "rule_id", "position"),
}
