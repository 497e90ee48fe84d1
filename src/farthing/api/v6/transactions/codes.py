"""Finds accounts by the IBANs and account numbers in splits, and gives these to the payees and payers that are new."""

from collections.abc import Callable, Sequence

from msgspec import structs

from farthing.books.accounts import bank_codes
from farthing.books.accounts import store as accounts
from farthing.books.transactions.model import OWN, PAYEES, PAYERS, AccountRef, NewAccount, SplitDraft
from farthing.http.request.call import Call
from farthing.kernel.fields import Refused
from farthing.kernel.parsed import Parsed
from farthing.kernel.text import fold
from farthing.ledger.kinds import LIABILITIES, Kind

from .wire import SplitBody

_FIELDS = {f"{side}_{code}" for side in ("source", "destination") for code in ("iban", "number", "bic")}


class AccountCodes:
    def __init__(self, call: Call, splits: Sequence[Parsed[SplitBody]]) -> None:
        sent = [split.values for split in splits if split.values.model_fields_set & _FIELDS]
        ibans = {
            accounts.compact_iban(iban) for each in sent for iban in (each.source_iban, each.destination_iban) if iban
        }
        numbers = {number for each in sent for number in (each.source_number, each.destination_number) if number}
        self._is_used = bool(sent)
        self._stored = accounts.find_coded(call.db, call.user_id, ibans, numbers) if ibans or numbers else {}
        self._names: dict[tuple[str, str], str] = {}

    def fill(self, values: SplitBody, type_word: str | None) -> dict[str, object]:
        """Returns the ids of accounts that are known by IBAN or number. If no fitting account has it, the name decides.

        Without a name, a payee has that of the payer with the same IBAN, or the IBAN itself.
        """
        update: dict[str, object] = {}
        for side in ("source", "destination") if self._is_used else ():
            iban, number = getattr(values, f"{side}_iban"), getattr(values, f"{side}_number")
            if getattr(values, f"{side}_id") is not None or not (iban or number):
                continue
            found = self._stored.get(("iban", accounts.compact_iban(iban or "")))
            found = found or self._stored.get(("account_number", number or ""))
            if found and found.active and found.kind in _list_allowed(type_word, side):
                update[f"{side}_id"] = found.id
            elif getattr(values, f"{side}_name") is None:
                update[f"{side}_name"] = found.name if found and found.kind in PAYEES | PAYERS else iban or number
        return update

    def equip(self, draft: SplitDraft, values: SplitBody) -> SplitDraft:
        """Gives the new accounts of a split their IBAN, number and BIC, if they are valid and no other account's."""
        if not self._is_used:
            return draft
        return structs.replace(
            draft,
            source=self._equip(draft.source, values.source_iban, values.source_number, values.source_bic),
            destination=self._equip(
                draft.destination, values.destination_iban, values.destination_number, values.destination_bic
            ),
        )

    def _equip(self, account: AccountRef, iban: str | None, number: str | None, bic: str | None) -> AccountRef:
        if not isinstance(account, NewAccount):
            return account
        return structs.replace(
            account,
            iban=self._keep_free("iban", _read(bank_codes.iban, iban), account),
            account_number=self._keep_free("account_number", number, account),
            bic=_read(bank_codes.bic, bic),
        )

    def _keep_free(self, column: str, code: str | None, account: NewAccount) -> str | None:
        """Returns the code, unless a stored account or a new one with another name has it."""
        if not code or (column, code) in self._stored:
            return None
        name = f"{account.kind} {fold(account.name)}"
        return code if self._names.setdefault((column, code), name) == name else None


def _read(read: Callable[[str], str], sent: str | None) -> str | None:
    try:
        return read(sent) if sent else None
    except Refused:
        return None


def _list_allowed(type_word: str | None, side: str) -> frozenset[Kind]:
    """Returns the kinds of accounts that may be on a side of a transaction."""
    if (type_word, side) == ("deposit", "source"):
        return PAYERS | LIABILITIES
    return PAYEES | LIABILITIES if (type_word, side) == ("withdrawal", "destination") else OWN
