"""Builds accounts, transactions and the balances that verify them from the raw books of another program."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from msgspec.structs import replace

from farthing.kernel.limits import DESCRIPTION_MAX, NAME_MAX
from farthing.kernel.text import NO_DESCRIPTION
from farthing.ledger.kinds import Kind, Type
from farthing.schedule.months import month_number

from ...findings import Findings
from ...source_books import SourceAccount, SourceBooks, SourceSplit, SourceTransaction
from . import pairing
from .commodities import Codes
from .month_ends import EXACT, balances_of
from .raw import OWN, Nature, RawAccount, RawBooks, RawEntry, RawPosting

_KINDS = {pairing.LegRole.IN: Kind.REVENUE, pairing.LegRole.OUT: Kind.EXPENSE}
_ONLY_ROLES = {Nature.EXPENSE: pairing.LegRole.OUT, Nature.REVENUE: pairing.LegRole.IN}
_CASH = "cash"
_NO_CHANGES = "(no amount, an account to itself, or only equity, income and expenses, as when a year is closed)"
_TWO_ACCOUNTS = (
    "In Farthing, an expense account only receives money and a revenue account only pays it, so each of these accounts "
    "becomes two of the same name; its balance in the source is the sum of both."
)


def build(raw: RawBooks) -> SourceBooks:
    return _Builder(raw).books()


def _name(entry: RawEntry) -> str:
    return f"“{entry.description[:60]}” of {entry.on}"


class _Builder:
    def __init__(self, raw: RawBooks) -> None:
        self.raw = raw
        self.accounts = {account.key: account for account in raw.accounts}
        self.codes = Codes(raw.names)
        # How many postings an account has in each commodity, and in which roles.
        self.commodities: dict[str, Counter[str]] = defaultdict(Counter)
        self.roles: dict[str, set[tuple[pairing.LegRole, str]]] = defaultdict(set)
        self.findings = Findings(raw.findings)
        self.extras: dict[str, SourceAccount] = {}
        self.mains: dict[str, str] = {}
        self.moves: dict[tuple[str, str], dict[int, Decimal]] = defaultdict(dict)

    def books(self) -> SourceBooks:
        for entry in self.raw.entries:
            for posting in entry.postings:
                code = self.codes.code(posting.commodity)
                self.codes.see(posting.commodity, posting.quantity)
                self.commodities[posting.account][code] += 1
                self.roles[posting.account].add((self.role(posting), code))
        self.mains = {key: counts.most_common(1)[0][0] for key, counts in self.commodities.items()}
        for entry in self.raw.entries:
            closing = pairing.is_closing(self.role(posting) for posting in entry.postings)
            for posting in entry.postings:
                role, code = self.role(posting), self.codes.code(posting.commodity)
                is_kept = role is not pairing.LegRole.EQUITY and not closing
                if self.raw.moves is None if role is pairing.LegRole.OWN else is_kept:
                    self._move(self.key(posting.account, role, code), code, entry.on, posting.quantity)
            self._judge(entry)
        for account, commodity, on, amount in self.raw.moves or ():
            code = self.codes.code(commodity)
            self.mains.setdefault(account, code)
            self._move(self.key(account, pairing.LegRole.OWN, code), code, on, amount)
        self._explain_sides()
        accounts = (*self._source_accounts(), *self.extras.values())
        limits = tuple(replace(limit, currency=self.codes.code(limit.currency)) for limit in self.raw.limits)
        for word, code in self.codes.invented.items():
            message = f"“{word[:80]}” is not a currency that Farthing knows; it becomes the currency {code}."
            self.findings.add(message, field="currency")
        used = {posting.category for entry in self.raw.entries for posting in entry.postings if posting.category}
        return SourceBooks(
            program=self.raw.program,
            accounts=accounts,
            transactions=_Transactions(self),
            currencies=tuple(self.codes.currencies()),
            categories=tuple(sorted(used | set(self.raw.categories))),
            tags=tuple(sorted({tag for entry in self.raw.entries for tag in entry.tags})),
            budgets=self.raw.budgets,
            budget_limits=limits,
            balances=tuple(balances_of(dict(sorted(self.moves.items())))),
            findings=tuple(self.findings),
        )

    def role(self, posting: RawPosting) -> pairing.LegRole:
        nature = self.accounts[posting.account].nature
        if nature in OWN:
            return pairing.LegRole.OWN
        if nature in (Nature.EQUITY, Nature.CONVERSION):
            return pairing.LegRole.EQUITY
        return pairing.LegRole.IN if posting.quantity < 0 else pairing.LegRole.OUT

    def key(self, account: str, role: pairing.LegRole, code: str) -> str:
        """Returns the key of our account. A source's account becomes one for each of its roles and currencies."""
        if self.accounts[account].nature is Nature.CASH:
            return _CASH
        if role is pairing.LegRole.EQUITY:
            return f"equity:{account}"
        return f"{role}:{account}" if self.mains[account] == code else f"{role}:{account} ({code})"

    def _move(self, account: str, code: str, on: date, amount: Decimal) -> None:
        moves, month = self.moves[account, code], month_number(on)
        moves[month] = EXACT.add(moves.get(month, Decimal(0)), amount)

    def pair(self, entry: RawEntry) -> pairing.Pairing:
        postings = [self._pair_posting(posting) for posting in self.paired(entry)]
        return pairing.pair_two_by_two(postings) if entry.in_pairs else pairing.pair_postings(postings)

    def paired(self, entry: RawEntry) -> list[RawPosting]:
        """Drops postings to conversion accounts if the other postings define the exchange rate on their own."""
        rest = [posting for posting in entry.postings if self.accounts[posting.account].nature is not Nature.CONVERSION]
        sums: dict[str, Decimal] = defaultdict(Decimal)
        for posting in rest:
            sums[posting.weight_commodity or posting.commodity] += posting.quantity
        odd = [total for total in sums.values() if total]
        exchanges = len(odd) == 2 and (odd[0] > 0) != (odd[1] > 0)
        return rest if len(rest) < len(entry.postings) and exchanges else list(entry.postings)

    def _pair_posting(self, posting: RawPosting) -> pairing.PairPosting:
        role, code = self.role(posting), self.codes.code(posting.commodity)
        return pairing.PairPosting(
            account=self.key(posting.account, role, code),
            role=role,
            quantity=posting.quantity,
            commodity=code,
            weight=posting.weight,
            weight_commodity=posting.weight_commodity and self.codes.code(posting.weight_commodity),
        )

    def _judge(self, entry: RawEntry) -> None:
        matched = self.pair(entry)
        for leg in matched.legs:
            for key, code in ((leg.source, leg.left_commodity), (leg.destination, leg.arrived_commodity)):
                self._need(key, code, entry)
        postings = self.paired(entry) if matched.adjusted else []
        for index, quantity in matched.adjusted:
            what = f"{quantity} {postings[index].commodity} of “{self.accounts[postings[index].account].name}”"
            why = f"{what} has no counterpart and is booked as a reconciliation."
            self.findings.add(f"The entry {_name(entry)} does not balance: {why}", entry.row, "amount")
        if matched.unbooked or not matched.legs:
            what, why = f"A part of the entry {_name(entry)}", "it leads from an account to itself"
            if not matched.legs:
                what, why = f"The entry {_name(entry)}", f"it changes none of your own accounts {_NO_CHANGES}"
            self.findings.add(f"{what} is not imported: {why}.", entry.row)

    def _need(self, key: str, code: str, entry: RawEntry) -> None:
        """Creates a clearing or adjustment account, which the source does not have, when it is first used."""
        if key in self.extras:
            return
        if key == pairing.clearing_account(code):
            name = f"Clearing ({code})"
            self.extras[key] = SourceAccount(key=key, name=name, kind=Kind.ASSET, currency=code)
            what = "has entries between income and expenses without an own account; this is the first"
            where = f"They go through the account “{name}”, whose balance ends at zero."
            self.findings.add(f"{self.raw.program} {what}. {where}", entry.row)
            self._move(key, code, entry.on, Decimal(0))
        elif key == pairing.ADJUSTMENT:
            self.extras[key] = SourceAccount(key=key, name="Adjustments", kind=Kind.RECONCILIATION)

    def _explain_sides(self) -> None:
        """Reports income and expense accounts with amounts in both directions, which become two accounts here."""
        usual = {key: _ONLY_ROLES.get(self.accounts[key].nature) for key in self.roles}
        odd = [
            self.accounts[key].name
            for key, roles in self.roles.items()
            if usual[key] and any(role is not usual[key] for role, _ in roles)
        ]
        if odd:
            named = ", ".join(f"“{name}”" for name in odd[:10]) + (f" and {len(odd) - 10} more" if odd[10:] else "")
            self.findings.add(f"Money comes back from expenses, or goes back to income: {named}. {_TWO_ACCOUNTS}")

    def _source_accounts(self) -> Iterator[SourceAccount]:
        for account in self.raw.accounts:
            yield from self._sides(account)
        if any(self.accounts[key].nature is Nature.CASH for key in self.roles):
            yield SourceAccount(key=_CASH, name="Cash", kind=Kind.CASH)

    def _sides(self, account: RawAccount) -> Iterator[SourceAccount]:
        roles = sorted(self.roles.get(account.key, ())) or list(self._unused(account))
        if any(role is pairing.LegRole.EQUITY for role, _ in roles):
            kind = Kind.INITIAL_BALANCE if account.is_opening else Kind.RECONCILIATION
            yield SourceAccount(key=f"equity:{account.key}", name=account.name, kind=kind, notes=account.notes)
            return
        for role, code in roles:
            if account.nature is not Nature.CASH:
                yield self._source_account(account, role, code)

    def _unused(self, account: RawAccount) -> Iterator[tuple[pairing.LegRole, str]]:
        code = self.codes.code(account.commodity or self.raw.default_commodity)
        role = pairing.LegRole.OWN if account.nature in OWN else _ONLY_ROLES.get(account.nature)
        if role:
            self.mains[account.key] = code
            yield role, code

    def _source_account(self, account: RawAccount, role: pairing.LegRole, code: str) -> SourceAccount:
        is_main = self.mains[account.key] == code
        own = account.liability if account.nature is Nature.LIABILITY else Kind.ASSET
        return SourceAccount(
            key=self.key(account.key, role, code),
            name=account.name if is_main else f"{account.name[: NAME_MAX - 6]} ({code})",
            kind=_KINDS.get(role, own),
            currency=code,
            active=account.active,
            notes=account.notes,
        )


class _Transactions:
    """Builds the transactions entry by entry, anew for each iteration."""

    def __init__(self, builder: _Builder) -> None:
        self._builder = builder

    def __iter__(self) -> Iterator[SourceTransaction]:
        opened: set[str] = set()
        key_counts: Counter[str] = Counter()
        for entry in self._builder.raw.entries:
            own_key = entry.key or _fingerprint(entry)
            key_counts[own_key] += 1
            if key_counts[own_key] > 1:  # a source may repeat what should be unique
                own_key = f"{own_key}#{key_counts[own_key]}"
            postings = self._builder.paired(entry)
            for number, group in enumerate(_grouped(self._builder.pair(entry).legs), start=1):
                key = own_key if number == 1 else f"{own_key}/{number}"
                yield SourceTransaction(
                    key=key,
                    on=entry.on,
                    description=_description(entry, postings[group[0].of]),
                    splits=tuple(_split(leg, postings[leg.of]) for leg in group),
                    type=self._type(group[0], opened),
                    row=entry.row,
                    notes=entry.notes,
                    internal_reference=entry.reference,
                    dates=entry.dates,
                    tags=entry.tags,
                )

    def _type(self, leg: pairing.Leg, opened: set[str]) -> Type | None:
        """Returns the type of a leg between an account and equity, or None for other legs. An account's first leg with
        an account of opening balances is its opening balance; others are reconciliations.
        """
        if pairing.LegRole.EQUITY not in (leg.source_role, leg.destination_role):
            return None
        own, equity = leg.source, leg.destination
        if leg.source_role is pairing.LegRole.EQUITY:
            own, equity = equity, own
        account = self._builder.accounts.get(equity.removeprefix("equity:"))
        if account is None or not account.is_opening or own in opened:
            return Type.RECONCILIATION
        opened.add(own)
        return Type.OPENING_BALANCE


def _fingerprint(entry: RawEntry) -> str:
    """Identifies an entry by its contents, except for later additions and its position, which differs between files."""
    postings = (f"{posting.account} {posting.quantity.normalize()} {posting.commodity}" for posting in entry.postings)
    return "\n".join((entry.on.isoformat(), entry.description, *postings))


def _grouped(legs: tuple[pairing.Leg, ...]) -> list[list[pairing.Leg]]:
    """Groups withdrawals by source, deposits by destination, transfers by both. Legs with equity stay separate."""
    groups: dict[tuple[str, str, str], list[pairing.Leg]] = defaultdict(list)
    for number, leg in enumerate(legs):
        if leg.destination_role is pairing.LegRole.OUT:
            groups["withdrawal", leg.source, ""].append(leg)
        elif leg.source_role is pairing.LegRole.IN:
            groups["deposit", "", leg.destination].append(leg)
        elif pairing.LegRole.EQUITY in (leg.source_role, leg.destination_role):
            groups[f"equity {number}", leg.source, leg.destination].append(leg)
        else:
            groups["transfer", leg.source, leg.destination].append(leg)
    return list(groups.values())


def _description(entry: RawEntry, posting: RawPosting) -> str:
    texts = (entry.description, posting.description or "", posting.category or "", NO_DESCRIPTION)
    return next(text.strip() for text in texts if text.strip())[:DESCRIPTION_MAX]


def _split(leg: pairing.Leg, posting: RawPosting) -> SourceSplit:
    exchanges = leg.left_commodity != leg.arrived_commodity
    return SourceSplit(
        source=leg.source,
        destination=leg.destination,
        amount=leg.left,
        currency=leg.left_commodity,
        foreign_amount=leg.arrived if exchanges else None,
        foreign_currency=leg.arrived_commodity if exchanges else None,
        description=posting.description and posting.description[:DESCRIPTION_MAX],
        category=posting.category,
        budget=posting.budget if leg.destination_role is pairing.LegRole.OUT else None,
        reconciled=posting.reconciled,
    )
