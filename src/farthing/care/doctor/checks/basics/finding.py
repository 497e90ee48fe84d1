"""Defines the findings of `farthing doctor`, and functions that name objects in their sentences."""

from msgspec import Struct, field

from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit


class DoctorFinding(Struct, frozen=True):
    """Describes a problem in the books.

    `rule` names the broken rule. `stored` is the stored figure and `true` the correct one, both in the smallest unit of
    the currency if they are amounts.
    """

    rule: str
    sentence: str
    user_id: int | None = None
    account_id: int | None = None
    period: str | None = None
    stored: int | None = field(name="kept", default=None)
    true: int | None = None


class Person(Struct, frozen=True):
    """Represents the user whose books are examined. `exchange_id` is the id of the user's exchange account."""

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
    """Returns the id and name of an account for a sentence. Runs a query, so call it only for findings."""
    name = db.value("SELECT name FROM accounts WHERE user_id = :user_id AND id = :id", user_id=person.id, id=account_id)
    return f"account {account_id} '{name}'" if name is not None else f"account {account_id} (there is none)"


def name_type(type_: int) -> str:
    return Type(type_).label.lower() if type_ in set(Type) else f"type {type_}"
