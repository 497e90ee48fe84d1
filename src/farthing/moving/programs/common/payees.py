"""Shares what programs without double entry need: registers of own accounts, payees, an opening balance."""

from decimal import Decimal

from farthing.kernel.limits import NAME_MAX

from .raw import Nature, RawAccount

OPENING = "opening balances"
CASH = "cash"
_OPENING_PAYEES = frozenset({"starting balance", "starting balances", "opening balance", "saldo inicial", "startsaldo"})


def is_starting_balance(payee: str) -> bool:
    return payee.strip().lower() in _OPENING_PAYEES


class Payees:
    """Accounts on the other side, made when they are first named. Payees of one name are one."""

    def __init__(self) -> None:
        self._accounts: dict[str, RawAccount] = {}

    def key(self, name: str) -> str:
        if not name:
            return self._add(RawAccount(key=CASH, name="Cash", nature=Nature.CASH))
        return self._add(RawAccount(key=f"payee {name.casefold()}", name=name[:NAME_MAX], nature=Nature.PAYEE))

    def opening(self) -> str:
        return self._add(RawAccount(key=OPENING, name="Opening balances", nature=Nature.EQUITY, is_opening=True))

    def _add(self, account: RawAccount) -> str:
        self._accounts.setdefault(account.key, account)
        return account.key

    def accounts(self) -> tuple[RawAccount, ...]:
        return tuple(self._accounts.values())


def cents(units: int) -> Decimal:
    return Decimal(units).scaleb(-2)
