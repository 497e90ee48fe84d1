"""Values Beancount's postings by cost and price, fills in omitted amounts, applies pad directives, checks balances."""

from collections import defaultdict
from datetime import date
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct

from ...findings import Unreadable, shorten
from ..common.includes import Sources
from ..common.raw import RawPosting
from ..common.text import to_decimal, weight_of
from .numbers import BadNumber
from .parsing import BeanBalance, BeancountParser, BeanEntry, BeanPad, BeanPosting

LOOKS_MAX = 20_000_000
PLACES_MAX = 12


class BookedEntry(Struct, frozen=True, kw_only=True):
    """Holds the postings of one entry. `entry` is None if a pad directive created them."""

    on: date
    row: int
    postings: tuple[RawPosting, ...]
    entry: BeanEntry | None = None


class _Lot(Struct):
    quantity: Decimal
    unit: Fraction
    currency: str


class LotBooking:
    def __init__(self, sources: Sources, parser: BeancountParser) -> None:
        self.sources, self.parser = sources, parser
        self.booked: list[BookedEntry] = []
        self.priced = 0
        self.running: dict[str, dict[str, Decimal]] = defaultdict(dict)
        self._lots: dict[tuple[str, str], list[_Lot]] = defaultdict(list)
        self._pads: dict[str, tuple[BeanPad, set[str]]] = {}
        self._looks = self._lots_looked_at = 0

    def book(self) -> list[BookedEntry]:
        """Books all directives in order of date. The balances of a day are checked before its entries are booked."""
        steps: list[tuple[date, int, int, BeanEntry | BeanBalance | BeanPad]] = []
        for order, directives in ((0, self.parser.balances), (1, self.parser.entries), (1, self.parser.pads)):
            for directive in directives:
                steps.append((directive.on, order, len(steps), directive))
        for _, _, _, step in sorted(steps, key=lambda directive: directive[:3]):
            if isinstance(step, BeanEntry):
                self._book(step)
            elif isinstance(step, BeanPad):
                self._pads[step.account] = (step, set())
            else:
                self._check(step)
        for pad, used in self._pads.values():
            if not used:
                self.sources.finding("The pad is not used by any balance.", pad.line, "pad")
        return sorted(self.booked, key=lambda entry: entry.on)

    def _book(self, entry: BeanEntry) -> None:
        if entry.broken:
            return
        elided = [posting for posting in entry.postings if posting.amount.number is None]
        if len([posting for posting in elided if not posting.amount.currency]) > 1:
            message = "More than one amount is missing. The entry is skipped."
            self.sources.finding(message, entry.line, "amount", rejects=True)
            return
        try:
            weighed = [self._weigh(posting) for posting in entry.postings if posting.amount.number is not None]
        except BadNumber as error:
            self.sources.finding(f"{error} The entry is skipped.", entry.line, "cost", rejects=True)
            return
        postings = [*weighed, *_filled(weighed, elided)]
        self._add(BookedEntry(on=entry.on, row=entry.line.number, postings=tuple(postings), entry=entry))

    def _add(self, booked: BookedEntry) -> None:
        self.booked.append(booked)
        for posting in booked.postings:
            held = self.running[posting.account]
            held[posting.commodity] = held.get(posting.commodity, Decimal(0)) + posting.quantity

    def _weigh(self, posting: BeanPosting) -> RawPosting:
        amount = posting.amount
        assert amount.number is not None
        weight, currency = Fraction(amount.number), amount.currency
        if amount.cost:
            weight, currency = self._at_cost(posting)
        elif amount.price:
            weight = weight_of(amount.number, abs(Fraction(amount.price.number)), is_total=amount.price_is_total)
            currency = amount.price.currency
        self.priced += bool(amount.cost or amount.price)
        return RawPosting(
            account=posting.account,
            quantity=amount.number,
            commodity=amount.currency,
            weight=None if currency == amount.currency else weight,
            weight_commodity=None if currency == amount.currency else currency,
        )

    def _at_cost(self, posting: BeanPosting) -> tuple[Fraction, str]:
        amount, cost = posting.amount, posting.amount.cost
        assert amount.number is not None
        assert cost is not None
        lots = self._lots[posting.account, amount.currency]
        # All lots of a commodity have the same sign.
        reduces = bool(lots) and (lots[0].quantity > 0) != (amount.number > 0)
        if cost.number is None:
            if not reduces:
                what = f"The cost of “{shorten(posting.account)}” is missing"
                raise BadNumber(f"{what}, and there is no earlier lot that has one.")
            return self._reduce(lots, amount.number, None)
        size = abs(Fraction(amount.number))
        total = Fraction(cost.number) if cost.is_total else Fraction(cost.number) * size + Fraction(cost.fee)
        weight = total if amount.number > 0 else -total
        if reduces:
            self._reduce(lots, amount.number, total / size if size else None)
        elif size:
            lots.append(_Lot(amount.number, total / size, cost.currency))
        return weight, cost.currency

    def _reduce(self, lots: list[_Lot], number: Decimal, unit: Fraction | None) -> tuple[Fraction, str]:
        """Takes a quantity from the oldest lots first. If `unit` is set, uses only lots with that cost per unit."""
        self._lots_looked_at += len(lots)
        if self._lots_looked_at > LOOKS_MAX:
            raise Unreadable("The file's commodities have more lots than can be followed.")
        left, weight, currency = abs(number), Fraction(0), lots[0].currency
        for lot in lots:
            if left and (unit is None or lot.unit == unit):
                taken = min(left, abs(lot.quantity))
                lot.quantity -= taken if lot.quantity > 0 else -taken
                left -= taken
                weight += Fraction(taken) * lot.unit
                currency = lot.currency
        lots[:] = [lot for lot in lots if lot.quantity]
        return (weight if number > 0 else -weight), currency

    def _held(self, account: str, currency: str) -> Decimal:
        self._looks += len(self.running)
        if self._looks > LOOKS_MAX:
            return self.running[account].get(currency, Decimal(0))
        below = account + ":"
        held = [held for name, held in self.running.items() if name == account or name.startswith(below)]
        return sum((lots.get(currency, Decimal(0)) for lots in held), Decimal(0))

    def _check(self, balance: BeanBalance) -> None:
        currency, expected = balance.amount.currency, balance.amount.number
        missing = expected - self._held(balance.account, currency)
        exponent = expected.as_tuple().exponent
        tolerance = balance.tolerance
        if tolerance is None:
            tolerance = Decimal(1).scaleb(exponent) if isinstance(exponent, int) and exponent < 0 else Decimal(0)
        if abs(missing) <= tolerance:
            return
        pad, used = self._pads.get(balance.account, (None, set()))
        if pad and currency not in used:
            used.add(currency)
            ends = ((pad.account, missing), (pad.source, -missing))
            postings = tuple(RawPosting(account=name, quantity=amount, commodity=currency) for name, amount in ends)
            self._add(BookedEntry(on=pad.on, row=pad.line.number, postings=postings))
            return
        message = (
            f"The balance is wrong: “{shorten(balance.account)}” holds {expected - missing} {currency} "
            f"at the start of {balance.on}, not {expected}."
        )
        self.sources.finding(message, balance.line, "balance")


def _filled(weighed: list[RawPosting], elided: list[BeanPosting]) -> list[RawPosting]:
    sums: dict[str, Fraction] = defaultdict(Fraction)
    for item in weighed:
        if item.weight is not None and item.weight_commodity:
            sums[item.weight_commodity] += item.weight
        else:
            sums[item.commodity] += Fraction(item.quantity)
    postings = []
    for posting in sorted(elided, key=lambda item: not item.amount.currency):
        for currency in [posting.amount.currency] if posting.amount.currency else list(sums):
            amount = -to_decimal(sums.pop(currency, Fraction(0)), PLACES_MAX)
            if amount:
                postings.append(RawPosting(account=posting.account, quantity=amount, commodity=currency))
    return postings
