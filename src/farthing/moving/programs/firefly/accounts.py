"""Finds the accounts of Firefly III by id or by kind and name, and the currency of each."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from msgspec import structs

from farthing.books.accounts.model import INTEREST_PERIODS, USUAL_ROLES, Direction
from farthing.ledger.kinds import HIDDEN, LIABILITIES, Kind

from ...source_books import SourceAccount
from .files.items import Source, SourceItem, join_notes

OWN = LIABILITIES | {Kind.ASSET}

# The labels that journals and the CSV file use, and the words of the API's list of accounts.
_WORDS = {
    Kind.ASSET: "asset account, default account, asset",
    Kind.CASH: "cash account, cash",
    Kind.EXPENSE: "expense account, beneficiary account, expense",
    Kind.REVENUE: "revenue account, revenue",
    Kind.INITIAL_BALANCE: "initial balance account, initial-balance, liability credit account, liability-credit",
    Kind.IMPORT: "import account, import",
    Kind.RECONCILIATION: "reconciliation account, reconciliation",
    Kind.LOAN: "loan",
    Kind.DEBT: "debt",
    Kind.MORTGAGE: "mortgage",
    Kind.CREDIT_CARD: "credit card, creditcard",
}
_KINDS = {word: kind for kind, words in _WORDS.items() for word in words.split(", ")}
# If an export does not state the kinds of source and destination, the type of the transaction determines them.
_SIDES = {"withdrawal": (Kind.ASSET, Kind.EXPENSE), "deposit": (Kind.REVENUE, Kind.ASSET)}
_SIDES |= {"transfer": (Kind.ASSET, Kind.ASSET)}


class Accounts:
    def __init__(self, source: Source) -> None:
        self.remarks = source.remarks
        self._by_key: dict[str, SourceAccount] = {}
        self._by_name: dict[tuple[Kind, str], list[str]] = {}
        self._firm: dict[str, Counter[str]] = {}
        self._loose: dict[str, Counter[str]] = {}
        items = sorted(source.items("accounts"), key=lambda item: item.order)
        self.has_order = any(item.order[0] for item in items)
        for item in items:
            if account := self._read(item):
                self._keep(account)

    def get(self, key: str) -> SourceAccount | None:
        return self._by_key.get(key)

    def find(self, journal: SourceItem, side: str, type_word: str) -> SourceAccount | None:
        """Finds the account on one side of a journal, or creates it from the journal's data."""
        key, name = journal.text(f"{side}_id"), journal.text(f"{side}_name")
        if key and key in self._by_key:
            return self._by_key[key]
        label = journal.text(f"{side}_type")
        usual = _SIDES.get(type_word, (None, None))[side == "destination"]
        kind = _KINDS.get(label.lower()) if label else usual
        if kind is None or (name is None and kind != Kind.CASH):
            return None
        name = name or Kind.CASH.value
        account = None if key else self._named(kind, name, journal.text(f"{side}_iban"))
        return account or self._keep(
            SourceAccount(
                key=key or f"{kind.value}: {name}",
                name=name,
                kind=kind,
                iban=journal.text(f"{side}_iban"),
                role="defaultAsset" if kind == Kind.ASSET else None,
            )
        )

    def named(self, name: str, kinds: Iterable[Kind]) -> str | None:
        keys_by_kind = (self._by_name.get((kind, name)) for kind in kinds)
        return next((keys[0] for keys in keys_by_kind if keys), None)

    def twin(self, account: SourceAccount, kind: Kind) -> SourceAccount:
        """Returns an account of the same name and of the kind that our ledger requires on one side of a journal."""
        twin_keys = self._by_name.get((kind, account.name))
        if twin_keys:
            return self._by_key[twin_keys[0]]
        return self._keep(SourceAccount(key=f"{account.key} as {kind.value}", name=account.name, kind=kind))

    def vote(self, account: SourceAccount, currency: str, *, firm: bool) -> None:
        """Counts a booking as evidence of an account's currency. `firm` means that it was entered for this account."""
        (self._firm if firm else self._loose).setdefault(account.key, Counter())[currency] += 1

    def currency(self, account: SourceAccount) -> str | None:
        """Returns the currency. For payees, it is that of most of their bookings, because Firefly III only shows its
        default.
        """
        if account.kind in OWN and account.currency:
            return account.currency
        for votes in (self._firm, self._loose):
            if account.key in votes:
                return max(votes[account.key].items(), key=lambda item: (item[1], item[0]))[0]
        return account.currency

    def finish(self) -> tuple[SourceAccount, ...]:
        """Returns the needed accounts, own ones first, so that they keep an IBAN that they share with a payee."""
        held: set[tuple[str, str]] = set()
        used = self._firm.keys() | self._loose
        needed = [account for account in self._by_key.values() if account.kind not in HIDDEN or account.key in used]
        ordered = sorted(needed, key=lambda account: account.kind not in OWN)
        finished = [self._without_doubles(account, held) for account in ordered]
        return tuple(structs.replace(account, currency=self.currency(account)) for account in finished)

    def _named(self, kind: Kind, name: str, iban: str | None) -> SourceAccount | None:
        accounts = [self._by_key[key] for key in self._by_name.get((kind, name), ())]
        if kind == Kind.CASH:
            accounts = accounts or [account for account in self._by_key.values() if account.kind == Kind.CASH]
        same = (account for account in accounts if account.iban == iban)
        return next(same, accounts[0] if accounts else None)

    def _keep(self, account: SourceAccount) -> SourceAccount:
        self._by_key[account.key] = account
        self._by_name.setdefault((account.kind, account.name), []).append(account.key)
        return account

    def _read(self, item: SourceItem) -> SourceAccount | None:
        word = (item.text("type") or "").lower()
        if word in ("liabilities", "liability"):
            word = (item.text("liability_type") or "debt").lower()
        kind = _KINDS.get(word)
        if kind is None:
            item.tell(f"is of the type '{word[:80]}', which Farthing does not know.", field="type", rejects=True)
            return None
        place = item.place()
        lines = [*(() if place else item.location()), *item.group_line()]
        return SourceAccount(
            key=item.id,
            name=item.text("name") or f"Account {item.id}",
            kind=kind,
            currency=item.text("currency_code"),
            active=item.flag("active", default=True),
            include_net_worth=item.flag("include_net_worth", default=True),
            role=self._role(item, kind),
            iban=item.text("iban"),
            bic=item.text("bic"),
            number=item.text("account_number"),
            virtual_balance=(item.amount("virtual_balance") or None) if kind in OWN else None,
            details=self._details(item, kind, lines) | place,
            notes=join_notes(item.text("notes"), lines),
        )

    def _role(self, item: SourceItem, kind: Kind) -> str | None:
        if kind != Kind.ASSET:
            return None
        role = item.text("account_role")
        if role and role not in USUAL_ROLES:
            message = "An account has a role that Farthing does not have; it becomes defaultAsset"
            self.remarks.count(message, f"{item.text('name')}: {role}")
        return role if role in USUAL_ROLES else "defaultAsset"

    def _details(self, item: SourceItem, kind: Kind, lines: list[str]) -> dict[str, Any]:
        if kind == Kind.ASSET and item.text("account_role") == "ccAsset":
            card: dict[str, Any] = {
                "cc_type": item.text("credit_card_type"),
                "cc_monthly_payment_date": item.day("monthly_payment_date"),
            }
            return {name: value for name, value in card.items() if value is not None}
        if kind not in LIABILITIES:
            return {}
        is_owed_to_user = item.text("liability_direction") == Direction.CREDIT
        return self._read_interest(item, lines) | ({"direction": Direction.CREDIT} if is_owed_to_user else {})

    def _read_interest(self, item: SourceItem, lines: list[str]) -> dict[str, Any]:
        interest, period = item.amount("interest"), item.text("interest_period")
        if interest is None:
            return {}
        if period not in INTEREST_PERIODS:
            lines.append(f"Interest: {interest} % {period or ''}".rstrip())
            message = "A liability has an interest period that Farthing does not have; it is moved to the notes"
            self.remarks.count(message, f"{item.text('name')}: {period}")
            return {"interest": interest}
        return {"interest": interest, "interest_period": period}

    def _without_doubles(self, account: SourceAccount, held: set[tuple[str, str]]) -> SourceAccount:
        """Moves an IBAN or number to the notes if, as Firefly III allows, a payee and a payer share it."""
        changes: dict[str, Any] = {}
        lines: list[str] = []
        for field, words in (("iban", "IBAN"), ("number", "Account number")):
            value = getattr(account, field)
            folded = (field, "".join(value.split()).casefold()) if value else None
            if folded in held:
                changes[field] = None
                lines.append(f"{words}: {value}")
                consequence = "which must be unique in Farthing: it is moved to the notes"
                message = f"Another account has the same {words}, {consequence}"
                self.remarks.count(message, f"{account.name}: {value}")
            elif folded:
                held.add(folded)
        return structs.replace(account, notes=join_notes(account.notes, lines), **changes) if changes else account
