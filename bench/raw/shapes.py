"""The same answers as Farthing's, as plain as possible and made for the purpose."""

from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType, field

encode = msgspec.json.Encoder().encode


class Uri(Struct):
    rel: str
    uri: str


class Links(Struct):
    self_: str = field(name="self")
    zero: Uri | UnsetType = field(name="0", default=UNSET)


class Thing(Struct):
    type: str
    id: str
    attributes: Any
    links: Links


class One(Struct):
    data: Any


class Pagination(Struct):
    total: int
    count: int
    per_page: int
    current_page: int
    total_pages: int


class PageLinks(Struct):
    self_: str = field(name="self")
    first: str
    last: str
    prev: str | UnsetType = UNSET
    next: str | UnsetType = UNSET


class Page(Struct):
    data: list[Thing]
    meta: dict[str, Pagination]
    links: PageLinks


Account: Any = msgspec.defstruct(
    "Account",
    [
        "updated_at",
        "created_at",
        "name",
        "active",
        "type",
        "currency_id",
        "currency_code",
        "currency_symbol",
        "currency_dp",
        "current_balance",
        "current_balance_date",
        "notes",
        "monthly_payment_date",
        "credit_card_type",
        "account_number",
        "iban",
        "bic",
        "virtual_balance",
        "opening_balance",
        "opening_balance_date",
        "role",
        "account_role",
        "include_net_worth",
        "interest",
        "interest_period",
        "liability_type",
        "liability_amount",
        "liability_start_date",
        "liability_direction",
        "latitude",
        "longitude",
        "zoom_level",
    ],
)
Transaction: Any = msgspec.defstruct(
    "Transaction",
    [
        "updated_at",
        "created_at",
        "description",
        "transaction_description",
        "journal_description",
        "date",
        "type",
        "identifier",
        "journal_id",
        "reconciled",
        "refund",
        "amount",
        "currency_id",
        "currency_code",
        "currency_symbol",
        "currency_dp",
        "foreign_amount",
        "foreign_currency_id",
        "foreign_currency_code",
        "foreign_currency_symbol",
        "foreign_currency_dp",
        "bill_id",
        "bill_name",
        "category_id",
        "category_name",
        "category_colour",
        "category_icon",
        "budget_id",
        "budget_name",
        "tags",
        "notes",
        "internal_reference",
        "recurrence_id",
        "interest_date",
        "book_date",
        "process_date",
        "due_date",
        "payment_date",
        "invoice_date",
        "source_id",
        "source_name",
        "source_iban",
        "source_type",
        "destination_id",
        "destination_name",
        "destination_iban",
        "destination_type",
        "external_id",
        "external_url",
    ],
)
Preference: Any = msgspec.defstruct("Preference", ["updated_at", "created_at", "name", "data"])


def number(units: int | None, places: int) -> Raw | None:
    if units is None:
        return None
    if not places:
        return Raw(b"%d" % units)
    digits = b"%0*d" % (places + 1, abs(units))
    text = b"%s%s.%s" % (b"-" if units < 0 else b"", digits[:-places], digits[-places:])
    return Raw(text.rstrip(b"0").rstrip(b"."))


def page(things: list[Thing], total: int, number: int, prefix: str, per_page: int = 50) -> bytes:
    pages = max(1, -(-total // per_page))
    links = PageLinks(
        f"{prefix}{number}",
        f"{prefix}1",
        f"{prefix}{pages}",
        f"{prefix}{number - 1}" if number > 1 else UNSET,
        f"{prefix}{number + 1}" if number < pages else UNSET,
    )
    return encode(Page(things, {"pagination": Pagination(total, len(things), per_page, number, pages)}, links))
