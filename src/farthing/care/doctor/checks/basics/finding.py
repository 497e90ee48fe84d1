"""Defines the findings of the doctor, and names objects for them."""

from msgspec import Struct, field

from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit


class DoctorFinding(Struct, frozen=True):
    """`rule` names the broken rule, `stored` the stored figure and `true` the right one, in whole units."""

    rule: str
    sentence: str
    user_id: int | None = None
    account_id: int | None = None
    period: str | None = None
    stored: int | None = field(name="kept", default=None)
    true: int | None = None


class Person(Struct, frozen=True):
    """A user under examination; `exchange_id` is their exchange account."""

    id: int
    email: str
    exchange_id: int | None

    def finding(
        self,
        rule: str,
        sentence: str,
        *,
        account_id: int | None = None,
        period: str | None = None,
        stored: int | None = None,
        true: int | None = None,
    ) -> DoctorFinding:
        return DoctorFinding(
            rule=rule,
            sentence=f"{self.email}: {sentence}",
            user_id=self.id,
            account_id=account_id,
            period=period,
            stored=stored,
            true=true,
        )


def name_account(db: Unit, person: Person, account_id: int) -> str:
    """Queries only for findings."""
    name = db.value("SELECT name FROM accounts WHERE user_id = :user_id AND id = :id", user_id=person.id, id=account_id)
    return f"account {account_id} '{name}'" if name is not None else f"account {account_id} (there is none)"


def name_type(type_: int) -> str:
    return Type(type_).label.lower() if type_ in set(Type) else f"type {type_}"
