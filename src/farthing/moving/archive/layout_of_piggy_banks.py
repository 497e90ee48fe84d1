"""Defines how archives describe piggy banks and what was moved into and out of them."""

from farthing.books.piggy_banks.model import ACCOUNTS_MAX

from .fields import (
    ANY,
    GROUP,
    ID,
    NAME,
    NOTES,
    ArchiveField,
    ArchiveKind,
    ArchivePart,
    FieldType,
    amount,
    day,
    flags,
    moment,
    reference,
    stamped,
    whole,
)

_CURRENCY_OF_ACCOUNT = ArchiveField(name="currency", type=FieldType.CURRENCY, read="a.currency_id")
PIGGY_BANKS = stamped(
    "piggy_banks",
    *NAME,
    reference("account_id", "accounts"),
    _CURRENCY_OF_ACCOUNT,
    amount("target_amount", "target_units"),
    day("start_on", optional=True),
    day("target_on", optional=True),
    whole("position", most=2**31),
    *flags("active"),
    *NOTES,
    GROUP,
    unique=("name",),
    source="piggy_banks t JOIN accounts a ON a.user_id = t.user_id AND a.id = t.account_id",
    # The accounts besides the first one.
    parts=(
        ArchivePart(
            name="accounts",
            table="piggy_bank_shares",
            parent="piggy_bank_id",
            order="id",
            most=ACCOUNTS_MAX,
            fields=(reference("account_id", "accounts"),),
        ),
    ),
)
PIGGY_BANK_EVENTS = ArchiveKind(
    name="piggy_bank_events",
    lines_max=5_000_000,
    source="""
        piggy_bank_events t JOIN piggy_banks p ON p.user_id = t.user_id AND p.id = t.piggy_bank_id
        JOIN accounts a ON a.user_id = p.user_id AND a.id = p.account_id
    """,
    fields=(
        ID,
        reference("piggy_bank_id", "piggy_banks"),
        reference("transaction_id", "transactions", "entry_id", optional=True),
        _CURRENCY_OF_ACCOUNT,
        amount("amount", "units", least=ANY),
        day("date", "on_day"),
        moment("created_at"),
        reference("account_id", "accounts", optional=True),
    ),
)
