"""Defines notices: what they are about, and the facts that they show."""

from collections.abc import Sequence
from datetime import date

import msgspec
from msgspec import Struct

from farthing.books.preferences.notices import NoticeKind, NoticeSettings
from farthing.kernel.money import Currency


class Figure(Struct, frozen=True, omit_defaults=True):
    """Holds an amount. `key` says what it is, such as `spent`; `name` and `on` are those of an upcoming payment."""

    units: int
    code: str
    symbol: str
    places: int
    key: str = ""
    name: str = ""
    on: str | None = None

    @classmethod
    def of(cls, units: int, currency: Currency, key: str = "", name: str = "", on: str | None = None) -> "Figure":
        return cls(
            units=units,
            code=currency.code,
            symbol=currency.symbol,
            places=currency.places,
            key=key,
            name=name,
            on=on,
        )


class Facts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Holds what a notice says, as it was when the notice was made.

    `amount` is the amount that the notice is about. `limit` is what it is compared with, and `highest` the other end of
    a range. `text` is a message of the program, such as why something failed.
    """

    name: str = ""
    on: str | None = None
    amount: Figure | None = None
    limit: Figure | None = None
    highest: Figure | None = None
    count: int | None = None
    text: str = ""
    figures: tuple[Figure, ...] = ()


class NoticeDraft(Struct, frozen=True, kw_only=True):
    """Describes an occasion. There is only one notice with the same `key`."""

    key: str
    kind: NoticeKind
    facts: Facts
    object_kind: str | None = None
    object_id: int | None = None


class Notice(Struct, frozen=True, kw_only=True):
    id: int
    kind: str
    object_kind: str | None
    object_id: int | None
    facts: str
    read_at: str | None
    created_at: str

    def read_facts(self) -> Facts:
        return _FACTS.decode(self.facts)


_FACTS = msgspec.json.Decoder(Facts)
encode_facts = msgspec.json.Encoder().encode


class NoticeState(Struct, frozen=True):
    """Records how far a user's books were searched for occasions. `since` is the time of the first search."""

    since: str
    revision: int
    audit_id: int
    looked_at: str
    next_at: str


class Waiting(Struct, frozen=True):
    """Identifies a user in whose books there may be new occasions."""

    user_id: int
    revision: int
    audit_id: int
    timezone: str
    is_owner: bool


class Look(Struct, frozen=True, kw_only=True):
    """Says whose books are searched. `since` is the time of the first search; anything older is ignored."""

    user_id: int
    is_owner: bool
    today: date
    since: str
    after_audit_id: int
    settings: NoticeSettings

    def wants(self, *kinds: NoticeKind) -> bool:
        return any(self.settings.find_channels(kind) for kind in kinds)


class Found(Struct, frozen=True):
    """Holds the occasions without a notice, the accounts that are above their line again, and the settings that say
    where the notices go.
    """

    drafts: Sequence[NoticeDraft]
    ended_account_ids: frozenset[int]
    settings: NoticeSettings
