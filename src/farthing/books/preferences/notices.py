"""Defines which notices there are, and what a user has chosen about them."""

from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum

import msgspec
from msgspec import Struct


class NoticeKind(StrEnum):
    """Defines the occasions of notices. The names are stored, so they must not change."""

    BILL_DUE = "bill_due"
    BILL_OVERDUE = "bill_overdue"
    BILL_OUTSIDE_RANGE = "bill_outside_range"
    BUDGET_NEARLY_SPENT = "budget_nearly_spent"
    BUDGET_SPENT = "budget_spent"
    LOW_BALANCE = "low_balance"
    LARGE_WITHDRAWAL = "large_withdrawal"
    RECURRENCE_FAILED = "recurrence_failed"
    IMPORT_FINISHED = "import_finished"
    WEBHOOK_PAUSED = "webhook_paused"
    UNKNOWN_DEVICE = "unknown_device"
    WEEKLY_SUMMARY = "weekly_summary"
    RATES_FAILED = "rates_failed"
    BACKUP_FAILED = "backup_failed"
    BOOKS_DAMAGED = "books_damaged"
    JOB_FAILED = "job_failed"
    TEST = "test"


class Channel(StrEnum):
    APP = "app"
    EMAIL = "email"
    PUSH = "push"
    CHAT = "chat"


# Nobody chooses these.
UNCHOSEN = frozenset((NoticeKind.TEST,))
# Only the owner of the installation gets these.
OF_OWNER = frozenset(
    (NoticeKind.RATES_FAILED, NoticeKind.BACKUP_FAILED, NoticeKind.BOOKS_DAMAGED, NoticeKind.JOB_FAILED)
)
_BY_EMAIL = frozenset(
    (NoticeKind.UNKNOWN_DEVICE, NoticeKind.BACKUP_FAILED, NoticeKind.BOOKS_DAMAGED, NoticeKind.JOB_FAILED)
)
BILL_DAYS_MAX = 31
LINES_MAX = 1000


class NoticeSettings(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Holds what a user has chosen. Kinds that are not in `channels` go where they go by default.

    `large_withdrawal` is in the primary currency. `lines` has, by account id, the balance below which there is a
    notice. No messages are sent from `quiet_from` until `quiet_until`, which are times such as `22:00`. Without
    `amounts`, messages that leave the app contain none.
    """

    channels: dict[NoticeKind, tuple[Channel, ...]] = {}
    bill_days: int = 3
    large_withdrawal: Decimal | None = None
    lines: dict[str, Decimal] = {}
    quiet_from: str | None = None
    quiet_until: str | None = None
    amounts: bool = True

    def find_channels(self, kind: NoticeKind) -> tuple[Channel, ...]:
        if kind in self.channels:
            return self.channels[kind]
        if kind is NoticeKind.WEEKLY_SUMMARY:
            return ()
        return (Channel.APP, Channel.EMAIL) if kind in _BY_EMAIL else (Channel.APP,)

    @property
    def account_lines(self) -> Mapping[int, Decimal]:
        return {int(account_id): line for account_id, line in self.lines.items()}


def read(data: object) -> NoticeSettings:
    """Reads stored settings. Returns the defaults if nothing readable is stored."""
    try:
        return msgspec.convert(data, NoticeSettings, strict=False)
    except msgspec.ValidationError:
        return NoticeSettings()


def is_valid(data: object) -> bool:
    """Checks settings that come from an archive or from a client that sets preferences itself."""
    try:
        settings = msgspec.convert(data, NoticeSettings, strict=False)
    except msgspec.ValidationError:
        return False
    amounts = [*settings.lines.values(), *([] if settings.large_withdrawal is None else [settings.large_withdrawal])]
    return (
        len(settings.lines) <= LINES_MAX
        and all(
            account_id.isascii() and account_id.isdigit() and len(account_id) <= 18 for account_id in settings.lines
        )
        and all(amount.is_finite() and abs(amount) < 10**15 for amount in amounts)
        and 0 <= settings.bill_days <= BILL_DAYS_MAX
        and (settings.quiet_from is None) == (settings.quiet_until is None)
        and all(time is None or is_time(time) for time in (settings.quiet_from, settings.quiet_until))
    )


def is_time(text: str) -> bool:
    hours, _, minutes = text.partition(":")
    digits = hours + minutes
    return (
        len(text) == 5 and digits.isascii() and digits.isdigit() and len(hours) == 2 and hours < "24" and minutes < "60"
    )
