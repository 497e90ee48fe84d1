"""What is told of something that is not as it should be?"""

from dataclasses import dataclass

from ..ledger.kinds import Type
from ..storage.unit import Unit


@dataclass(frozen=True)
class Finding:
    """`rule` names what is broken; `kept` and `true` are the two figures, in whole units where it is money."""

    rule: str
    sentence: str
    user_id: int | None = None
    account_id: int | None = None
    period: str | None = None
    kept: int | None = None
    true: int | None = None


@dataclass(frozen=True)
class Person:
    """A user under examination; `exchange_id` is where their currencies meet."""

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
        kept: int | None = None,
        true: int | None = None,
    ) -> Finding:
        return Finding(rule, f"{self.email}: {sentence}", self.id, account_id, period, kept, true)


def named_account(db: Unit, person: Person, account_id: int) -> str:
    """Asked only when there is something to tell."""
    name = db.value("SELECT name FROM accounts WHERE user_id = :user_id AND id = :id", user_id=person.id, id=account_id)
    return f"account {account_id} '{name}'" if name is not None else f"account {account_id} (there is none)"


def named_type(type_: int) -> str:
    return Type(type_).label.lower() if type_ in set(Type) else f"type {type_}"
