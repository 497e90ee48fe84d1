"""Finds which of the user's own accounts a file refers to."""

import re
from collections.abc import Iterable

from msgspec import Struct

from farthing.books.transactions.model import OWN, KnownAccount
from farthing.kernel.money import Currency
from farthing.kernel.text import fold
from farthing.storage.unit import Unit, columns_of

from ..statements import BankAccount

# Shorter numbers would match the end of too many IBANs.
_DIGITS_MIN = 5
_NOT_ALPHANUMERIC = re.compile(r"[^0-9A-Z]")
_NOT_DIGIT = re.compile(r"[^0-9]")


class OwnAccounts(Struct, frozen=True, kw_only=True):
    by_id: dict[int, KnownAccount]
    by_iban: dict[str, KnownAccount]
    by_number: dict[str, KnownAccount]
    by_name: dict[str, KnownAccount]

    def find(self, bank_account: BankAccount) -> KnownAccount | None:
        return (
            self.find_number(bank_account.iban)
            or self.find_number(bank_account.number)
            or self.find_name(bank_account.name)
        )

    def find_number(self, text: str | None) -> KnownAccount | None:
        """Finds an account by its IBAN, its account number, or the digits at the end of its IBAN."""
        plain = _plain(text)
        if not plain:
            return None
        account = self.by_iban.get(plain) or self.by_number.get(plain.lstrip("0"))
        digits = _NOT_DIGIT.sub("", plain).lstrip("0")
        if account or len(digits) < _DIGITS_MIN:
            return account
        ending = [account for iban, account in self.by_iban.items() if iban.endswith(digits)]
        return ending[0] if len(ending) == 1 else None

    def find_name(self, name: str | None) -> KnownAccount | None:
        return self.by_name.get(fold(name.strip())) if name else None


def _plain(text: str | None) -> str:
    return _NOT_ALPHANUMERIC.sub("", text.upper()) if text else ""


class _NumberedAccount(Struct, frozen=True):
    account_number: str | None
    account: KnownAccount


def load(db: Unit, user_id: int) -> OwnAccounts:
    """Loads asset accounts and liabilities, including inactive ones, whose old statements may still be imported."""
    sql = f"""
    SELECT a.id, a.kind, a.name, a.active, a.iban, a.account_number, {columns_of(Currency, "c", "currency")}
    FROM accounts a JOIN currencies c ON c.id = a.currency_id
    WHERE a.user_id = :user_id AND a.kind IN :kinds ORDER BY a.active DESC, a.id
    """
    rows = db.structs(_NumberedAccount, sql, user_id=user_id, kinds=sorted(OWN))
    numbers = ((_plain(row.account_number).lstrip("0"), row.account) for row in rows)
    accounts = [row.account for row in rows]
    return OwnAccounts(
        by_id={account.id: account for account in accounts},
        by_iban=_first((iban, account) for account in accounts if (iban := _plain(account.iban))),
        by_number=_first((number, account) for number, account in numbers if number),
        by_name=_first((fold(account.name), account) for account in accounts),
    )


def _first(pairs: Iterable[tuple[str, KnownAccount]]) -> dict[str, KnownAccount]:
    accounts_by_key: dict[str, KnownAccount] = {}
    for key, account in pairs:
        if key:
            accounts_by_key.setdefault(key, account)
    return accounts_by_key
