"""Shows notices and the settings for them, and reads changes to these settings."""

from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Annotated

from msgspec import Raw, Struct, structs

from farthing.books.preferences.notices import (
    BILL_DAYS_MAX,
    LINES_MAX,
    OF_OWNER,
    UNCHOSEN,
    Channel,
    NoticeKind,
    NoticeSettings,
    is_time,
)
from farthing.kernel.fields import (
    Amount,
    FieldParser,
    Flag,
    Id,
    PositiveAmount,
    Refused,
    RequestBody,
    described,
    parse,
    whole,
)
from farthing.kernel.languages import say
from farthing.kernel.parsed import Parsed
from farthing.kernel.shown import Instant, Number, ShownDay, number, rate
from farthing.overviews.notices.model import Facts, Figure, Notice


class FigureShown(Struct, gc=False):
    """Shows an amount.

    `key` says which figure of a summary it is. `name` and `date` are those of an upcoming payment.
    """

    key: str | None
    name: str | None
    date: ShownDay | None
    amount: Number
    currency_code: str
    currency_symbol: str
    currency_dp: int


class NoticeAttributes(Struct, gc=False):
    """Shows a notice, with the facts as they were when it was made.

    `object_kind` and `object_id` name the object that the notice is about. `limit` is what `amount` is compared with: a
    limit, a line, or the lower end of a range that ends at `highest`. `text` is a message of the program, the format of
    an import, or the network address of a device. `happened_at` is set if the exact time is known. `figures` are those
    of a weekly summary.
    """

    created_at: Instant
    kind: str
    read: bool
    object_kind: str | None
    object_id: str | None
    name: str
    date: ShownDay | None
    happened_at: Instant | None
    amount: FigureShown | None
    limit: FigureShown | None
    highest: FigureShown | None
    count: int | None
    text: str | None
    figures: list[FigureShown]


class UnreadShown(Struct, gc=False):
    unread: int


class LineShown(Struct, gc=False):
    account_id: str
    amount: Number


class NoticeSettingsShown(Struct, gc=False):
    """Shows where each kind of notice goes, and the choices that decide when there is one.

    Kinds that only concern the owner of the installation are shown only to the owner. `available` lists the places to
    which this installation can send notices.
    """

    available: list[str]
    channels: dict[str, list[str]]
    bill_days: int
    large_withdrawal: Number | None
    lines: list[LineShown]
    quiet_from: str | None
    quiet_until: str | None
    amounts: bool


class ReadBody(RequestBody):
    read: Flag | None = described("Whether the notice has been read.")


class LineBody(RequestBody):
    """Requires both fields."""

    account_id: Id | None = None
    amount: Amount | None = None


def _read_channels(value: object) -> dict[NoticeKind, tuple[Channel, ...]]:
    if not isinstance(value, dict):
        raise Refused("The {label} must map kinds of notices to lists of channels.")
    if unknown := value.keys() - set(NoticeKind):
        raise Refused(
            f"The {{label}} may not have the kind {min(map(str, unknown))}. Possible: {', '.join(NoticeKind)}."
        )
    return {NoticeKind(kind): _read_places(sent) for kind, sent in value.items()}


def _read_places(sent: object) -> tuple[Channel, ...]:
    words = sent.split(",") if isinstance(sent, str) else sent
    if not isinstance(words, list):
        raise Refused("The {label} must map kinds of notices to lists of channels.")
    chosen = {str(word).strip() for word in words} - {""}
    if unknown := chosen - set(Channel):
        raise Refused(f"The {{label}} may not have the channel {min(unknown)}. Possible: {', '.join(Channel)}.")
    return tuple(channel for channel in Channel if channel in chosen)


def _read_time(value: object) -> str:
    if not (isinstance(value, str) and is_time(value.strip())):
        raise Refused("The {label} must be a time from 00:00 to 23:59.")
    return value.strip()


_CHANNELS_SCHEMA = {
    "type": "object",
    "propertyNames": {"enum": list(NoticeKind)},
    "additionalProperties": {"type": "array", "items": {"type": "string", "enum": list(Channel)}},
}
_Channels = Annotated[dict[NoticeKind, tuple[Channel, ...]], FieldParser(_read_channels, _CHANNELS_SCHEMA)]
_Time = Annotated[str, FieldParser(_read_time, {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"})]


class NoticeSettingsBody(RequestBody):
    """Changes only the fields that are sent. Fields sent empty are cleared."""

    channels: _Channels | None = described("Where notices of each kind go. Omitted kinds are not changed.")
    bill_days: Annotated[int, whole(minimum=0, maximum=BILL_DAYS_MAX)] | None = described(
        "How many days before its expected day a bill is announced."
    )
    large_withdrawal: PositiveAmount | None = described(
        "The smallest withdrawal to report, in the primary currency. If empty, none are reported."
    )
    lines: list[LineBody] | None = described(
        "Accounts, each with the balance below which you get a notice. Replaces the whole list."
    )
    quiet_from: _Time | None = described("The start of the hours without messages, in your time zone.")
    quiet_until: _Time | None = described("The end of the hours without messages.")
    amounts: Flag | None = described("Whether messages that leave the app may contain amounts.")


def read_settings(
    raw: Mapping[str, object], before: NoticeSettings
) -> tuple[Parsed[NoticeSettingsBody], NoticeSettings]:
    """Reads a change to the settings, and returns the new settings. The accounts of lines are not checked yet."""
    parsed = parse(NoticeSettingsBody, raw)
    body = parsed.values
    sent: dict[str, object] = {name: getattr(body, name) for name in _SIMPLE if getattr(body, name) is not None}
    sent |= dict.fromkeys(parsed.emptied & _CLEARED)
    if body.channels is not None:
        sent["channels"] = {**before.channels, **body.channels}
    for line in parsed.each("lines", body.lines):
        line.require("account_id", "amount")
    if body.lines is not None:
        sent["lines"] = {str(line.account_id): line.amount for line in body.lines if line.amount is not None}
    if len(body.lines or ()) > LINES_MAX:
        parsed.report("lines", f"The lines may not have more than {LINES_MAX} items.")
    after = structs.replace(before, **sent)
    for name, other in (_QUIET, _QUIET[::-1]):
        if getattr(after, name) is None and getattr(after, other) is not None and not parsed.wrong(name):
            parsed.report(name, f"The {parsed.label(name)} field is required when {parsed.label(other)} is given.")
    return parsed, after


_QUIET = ("quiet_from", "quiet_until")
_SIMPLE = ("bill_days", "large_withdrawal", "amounts", *_QUIET)
_CLEARED = frozenset(("large_withdrawal", *_QUIET))


def show_settings(settings: NoticeSettings, available: Collection[Channel], *, is_owner: bool) -> NoticeSettingsShown:
    kinds = [kind for kind in NoticeKind if kind not in UNCHOSEN and (is_owner or kind not in OF_OWNER)]
    return NoticeSettingsShown(
        available=sorted(available),
        channels={kind.value: [*settings.find_channels(kind)] for kind in kinds},
        bill_days=settings.bill_days,
        large_withdrawal=None if settings.large_withdrawal is None else _exact(settings.large_withdrawal),
        lines=[LineShown(account_id, _exact(line)) for account_id, line in settings.lines.items()],
        quiet_from=settings.quiet_from,
        quiet_until=settings.quiet_until,
        amounts=settings.amounts,
    )


def _exact(amount: Decimal) -> Raw:
    return Raw(rate(amount).encode())


def show(notice: Notice, language: str) -> NoticeAttributes:
    facts: Facts = notice.read_facts()
    is_day = facts.on is not None and len(facts.on) == _DAY_CHARACTERS
    return NoticeAttributes(
        created_at=notice.created_at,
        kind=notice.kind,
        read=notice.read_at is not None,
        object_kind=notice.object_kind,
        object_id=str(notice.object_id) if notice.object_id else None,
        name=facts.name,
        date=facts.on if is_day else None,
        happened_at=None if is_day else facts.on,
        amount=_show_figure(facts.amount),
        limit=_show_figure(facts.limit),
        highest=_show_figure(facts.highest),
        count=facts.count,
        text=say(facts.text, language) or None,
        figures=[_figure(figure) for figure in facts.figures],
    )


_DAY_CHARACTERS = 10


def _show_figure(figure: Figure | None) -> FigureShown | None:
    return _figure(figure) if figure else None


def _figure(figure: Figure) -> FigureShown:
    return FigureShown(
        key=figure.key or None,
        name=figure.name or None,
        date=figure.on,
        amount=number(figure.units, figure.places),
        currency_code=figure.code,
        currency_symbol=figure.symbol,
        currency_dp=figure.places,
    )
