"""Turns the postings of a double entry into legs, each from a source to a destination, without changing any sum.

Our ledger only allows legs between two own accounts, from an own account to an expense, from a revenue to an own
account, and between an own account and equity. Anything else in a double entry, such as income that directly pays an
expense, passes through an own account of the same entry, or through a clearing account whose balance stays the same.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from msgspec import Struct, structs

from .commodities import places_of_code


class LegRole(StrEnum):
    """Defines the roles of accounts. `IN` accounts (revenue) only pay, `OUT` accounts (expenses) only receive."""

    OWN = "own"
    IN = "in"
    OUT = "out"
    EQUITY = "equity"


class PairPosting(Struct, frozen=True, kw_only=True):
    """Holds a posting: the signed `quantity` received, and its `weight` in the entry's balance, if that differs."""

    account: str
    role: LegRole
    quantity: Decimal
    commodity: str
    weight: Fraction | None = None
    weight_commodity: str | None = None


class Leg(Struct, frozen=True):
    """Moves money between accounts. `of` is the index of the posting with the category. Both amounts are positive."""

    source: str
    source_role: LegRole
    destination: str
    destination_role: LegRole
    left: Decimal
    left_commodity: str
    arrived: Decimal
    arrived_commodity: str
    of: int


class Pairing(Struct, frozen=True, kw_only=True):
    """Holds the legs of an entry. `adjusted` has the amounts, by posting, that only the adjustment account balances.
    `unbooked` is set if a part of the entry changes nothing in our ledger: equity to equity, an account to itself, or
    income closed to equity.
    """

    legs: tuple[Leg, ...]
    adjusted: tuple[tuple[int, Decimal], ...] = ()
    unbooked: bool = False


def merge(legs: Iterable[Leg]) -> tuple[Leg, ...]:
    merged: dict[tuple[str, str, str, str, int], Leg] = {}
    for leg in legs:
        key = (leg.source, leg.destination, leg.left_commodity, leg.arrived_commodity, leg.of)
        if first := merged.get(key):
            leg = structs.replace(first, left=first.left + leg.left, arrived=first.arrived + leg.arrived)
        merged[key] = leg
    return tuple(merged.values())


CLEARING = "clearing"
ADJUSTMENT = "adjustment"


# The roles of source and destination that the ledger accepts as they are.
_STRAIGHT = (
    (LegRole.OWN, LegRole.OUT),
    (LegRole.IN, LegRole.OWN),
    (LegRole.OWN, LegRole.OWN),
    (LegRole.OWN, LegRole.EQUITY),
    (LegRole.EQUITY, LegRole.OWN),
)


def clearing_account(commodity: str) -> str:
    return f"{CLEARING}:{commodity}"


def is_closing(roles: Iterable[LegRole]) -> bool:
    """Recognizes an entry that closes a year, because it changes income, expenses and equity, but no own account."""
    distinct = set(roles)
    return LegRole.EQUITY in distinct and LegRole.OWN not in distinct


def pair_postings(postings: Sequence[PairPosting]) -> Pairing:
    if is_closing(posting.role for posting in postings):
        return Pairing(legs=(), unbooked=True)
    if leg := _only_leg(postings):
        return Pairing(legs=(leg,))
    work = _Work(postings)
    for commodity, sides in _groups(postings).items():
        work.pair_group(commodity, sides)
    return Pairing(legs=merge(work.legs), adjusted=tuple(work.adjusted), unbooked=work.unbooked)


def _only_leg(postings: Sequence[PairPosting]) -> Leg | None:
    """Pairs two postings of the same amount, which is the most common entry, ten times faster than the general way.
    Returns None for other entries.
    """
    if len(postings) != 2 or postings[0].commodity != postings[1].commodity or not postings[0].quantity:
        return None
    first, second = postings
    source, destination = (first, second) if first.quantity < 0 else (second, first)
    is_plain = first.weight is None and second.weight is None and first.quantity == -second.quantity
    if not is_plain or (source.role, destination.role) not in _STRAIGHT or source.account == destination.account:
        return None
    is_first = (source if source.role is LegRole.IN else destination) is first
    amount = (destination.quantity, source.commodity)
    index = 0 if is_first else 1
    return Leg(source.account, source.role, destination.account, destination.role, *amount, *amount, index)


def pair_two_by_two(postings: Sequence[PairPosting]) -> Pairing:
    """Pairs the first posting with the second, the third with the fourth, and so on."""
    legs: list[Leg] = []
    adjusted: list[tuple[int, Decimal]] = []
    unbooked = False
    for start in range(0, len(postings), 2):
        pairing = pair_postings(postings[start : start + 2])
        legs += (structs.replace(leg, of=leg.of + start) for leg in pairing.legs)
        adjusted += ((index + start, quantity) for index, quantity in pairing.adjusted)
        unbooked = unbooked or pairing.unbooked
    return Pairing(legs=tuple(legs), adjusted=tuple(adjusted), unbooked=unbooked)


class _Side:
    """Holds one posting during pairing, with what remains of its quantity and weight, both without sign."""

    def __init__(self, index: int, posting: PairPosting, weight: Fraction, weight_commodity: str) -> None:
        self.index, self.posting = index, posting
        self.role, self.commodity = posting.role, posting.commodity
        self.leaves = weight < 0 if weight else posting.quantity < 0
        agrees = (posting.quantity < 0) == (weight < 0) or not posting.quantity
        self.weight = abs(weight) if agrees else Fraction(0)
        self.quantity = abs(posting.quantity)
        self.is_plain = posting.commodity == weight_commodity
        self.exponent = min(int(posting.quantity.as_tuple().exponent), 0)
        self.last: _Draft | None = None

    def take(self, weight: Fraction) -> Decimal:
        if weight >= self.weight:
            taken = self.quantity
        else:
            share = Fraction(self.quantity) * weight / self.weight
            taken = min(_rounded(share, self.exponent), self.quantity)
        self.weight -= Fraction(taken) if self.is_plain else min(weight, self.weight)
        self.quantity -= taken
        return taken

    def receive(self, quantity: Decimal) -> None:
        """Adds to the remaining quantity of a plain posting, for which a counterpart is still needed."""
        signed = (-self.quantity if self.leaves else self.quantity) + quantity
        self.leaves, self.quantity, self.weight = signed < 0, abs(signed), Fraction(abs(signed))

    def take_quantity(self, quantity: Decimal) -> Decimal:
        self.weight -= self.weight * Fraction(quantity) / Fraction(self.quantity)
        self.quantity -= quantity
        return quantity


class _Draft:
    """Holds a leg whose amounts can still change."""

    def __init__(self, source: _Side, destination: _Side, left: Decimal, arrived: Decimal) -> None:
        self.source, self.destination, self.left, self.arrived = source, destination, left, arrived

    def absorb(self, side: _Side, quantity: Decimal) -> bool:
        """Adds a difference to one side, unless both sides have the same commodity and must stay equal."""
        if self.source.commodity == self.destination.commodity:
            return False
        change = quantity if side.leaves == (side is self.source) else -quantity
        if side is self.source and self.left + change > 0:
            self.left += change
        elif side is self.destination and self.arrived + change > 0:
            self.arrived += change
        else:
            return False
        return True


class _Work:
    def __init__(self, postings: Sequence[PairPosting]) -> None:
        self.legs: list[Leg] = []
        self.adjusted: list[tuple[int, Decimal]] = []
        self.unbooked = False
        self.own = {posting.commodity: posting.account for posting in reversed(postings) if posting.role is LegRole.OWN}

    def pair_group(self, weight_commodity: str, sides: list[_Side]) -> None:
        finest = _smallest_unit(weight_commodity, sides)
        for side in sides:
            side.exponent = finest if side.is_plain else side.exponent
        drafts = _exchange_first(sides, finest)
        givers = [side for side in sides if side.leaves]
        takers = [side for side in sides if not side.leaves]
        for giving, taking in _STRAIGHT:
            fitting = [side for side in givers if side.role is giving]
            drafts += self._match(fitting, [side for side in takers if side.role is taking])
        drafts += self._match(givers, takers)
        has_price = not all(side.is_plain for side in sides)
        for side in sides:
            if side.quantity:
                self._finish(side, Decimal(len(sides)).scaleb(side.exponent), has_price=has_price)
        for draft in drafts:
            self._book(draft, weight_commodity)

    def _match(self, givers: list[_Side], takers: list[_Side]) -> list[_Draft]:
        drafts: list[_Draft] = []
        giving, taking = 0, 0
        while giving < len(givers) and taking < len(takers):
            source, destination = givers[giving], takers[taking]
            weight = min(source.weight, destination.weight)
            if weight > 0 and source.quantity and destination.quantity:
                left, arrived = _take_both(source, destination, weight)
                drafts += self._draft(source, destination, left, arrived)
            # Value without a quantity moves no money. Its counterpart remains for other postings, or is adjusted.
            giving += source.weight <= 0 or not source.quantity
            taking += destination.weight <= 0 or not destination.quantity
        return drafts

    def _draft(self, source: _Side, destination: _Side, left: Decimal, arrived: Decimal) -> list[_Draft]:
        if left and arrived:
            draft = _Draft(source, destination, left, arrived)
            source.last = destination.last = draft
            return [draft]
        source.quantity += left
        destination.quantity += arrived
        return []

    def _finish(self, side: _Side, tolerance: Decimal, *, has_price: bool) -> None:
        """Handles what remains of a posting. A remainder due to rounded prices is added to the last exchange or, if it
        is tiny, ignored. Any other remainder is balanced by the adjustment account.
        """
        is_absorbed = side.last and side.quantity <= tolerance and side.last.absorb(side, side.quantity)
        is_nothing = has_price and side.is_plain and side.quantity * 2 < Decimal(1).scaleb(side.exponent)
        if not is_absorbed and not is_nothing:
            self._adjust(side, side.quantity)
        side.quantity = Decimal(0)

    def _adjust(self, side: _Side, quantity: Decimal) -> None:
        self.adjusted.append((side.index, -quantity if side.leaves else quantity))
        if side.role is LegRole.EQUITY:
            return
        account, end = (side.posting.account, side.role), (ADJUSTMENT, LegRole.EQUITY)
        middle = account if side.role is LegRole.OWN else self._hub(side.commodity)
        amount = (quantity, side.commodity)
        for start, stop in ((account, middle), (middle, end)):
            if start != stop:
                source, destination = (start, stop) if side.leaves else (stop, start)
                self.legs.append(Leg(*source, *destination, *amount, *amount, side.index))

    def _book(self, draft: _Draft, weight_commodity: str) -> None:
        source, destination = draft.source, draft.destination
        left, arrived = (draft.left, source.commodity), (draft.arrived, destination.commodity)
        start = (source.posting.account, source.role)
        end = (destination.posting.account, destination.role)
        telling = source.index if source.role is LegRole.IN else destination.index
        if start == end or source.role is destination.role is LegRole.EQUITY:
            self.unbooked = True
        elif (source.role, destination.role) in _STRAIGHT:
            # The balance of equity does not matter, so its side takes the amount of the user's own account.
            left = arrived if source.role is LegRole.EQUITY else left
            arrived = left if destination.role is LegRole.EQUITY else arrived
            self.legs.append(Leg(*start, *end, *left, *arrived, telling))
        else:
            middle = arrived if arrived[1] == weight_commodity and left[1] != weight_commodity else left
            left = middle if source.role is LegRole.EQUITY else left
            arrived = middle if destination.role is LegRole.EQUITY else arrived
            hub = self._hub(middle[1])
            self.legs.append(Leg(*start, *hub, *left, *middle, source.index))
            self.legs.append(Leg(*hub, *end, *middle, *arrived, destination.index))

    def _hub(self, commodity: str) -> tuple[str, LegRole]:
        return self.own.get(commodity) or clearing_account(commodity), LegRole.OWN


def _exchange_first(sides: list[_Side], finest: int) -> list[_Draft]:
    """Exchanges each priced posting as a whole with an own account in its price's currency. The proceeds of sold shares
    go to the bank account and the fee is paid from there, so no share has to be divided.
    """
    drafts: list[_Draft] = []
    hubs = [side for side in sides if side.is_plain and side.role is LegRole.OWN]
    if not hubs:
        return drafts
    best = {leaves: max(hubs, key=lambda hub: (hub.leaves != leaves, hub.quantity)) for leaves in (True, False)}
    for side in sides:
        worth = _rounded(side.weight, finest)
        if side.is_plain or side.role is LegRole.EQUITY or not worth or not side.quantity:
            continue
        hub = best[side.leaves]
        source, destination = (side, hub) if side.leaves else (hub, side)
        quantities = (side.quantity, worth) if side.leaves else (worth, side.quantity)
        draft = side.last = hub.last = _Draft(source, destination, *quantities)
        drafts.append(draft)
        hub.receive(-worth if side.leaves else worth)
        side.quantity, side.weight = Decimal(0), Fraction(0)
    return drafts


def _take_both(source: _Side, destination: _Side, weight: Fraction) -> tuple[Decimal, Decimal]:
    """Takes equal quantities from both sides if they have the same commodity, otherwise quantities of equal weight."""
    if source.commodity != destination.commodity or source.is_plain:
        return source.take(weight), destination.take(weight)
    quantity = min(source.quantity, destination.quantity)
    return source.take_quantity(quantity), destination.take_quantity(quantity)


def _groups(postings: Sequence[PairPosting]) -> dict[str, list[_Side]]:
    groups: dict[str, list[_Side]] = defaultdict(list)
    rates = _inferred_rates(postings)
    for index, posting in enumerate(postings):
        weight, commodity = _weight(posting)
        if commodity in rates:
            factor, commodity = rates[commodity]
            weight *= factor
        if posting.quantity or weight:
            groups[commodity].append(_Side(index, posting, weight, commodity))
    return groups


def _weight(posting: PairPosting) -> tuple[Fraction, str]:
    if posting.weight is None or posting.weight_commodity in (None, posting.commodity):
        return Fraction(posting.quantity), posting.commodity
    return posting.weight, posting.weight_commodity or posting.commodity


def _inferred_rates(postings: Sequence[PairPosting]) -> dict[str, tuple[Fraction, str]]:
    """Infers a rate if exactly two commodities do not balance and neither has a price."""
    sums: dict[str, Fraction] = defaultdict(Fraction)
    priced = set()
    for posting in postings:
        weight, commodity = _weight(posting)
        sums[commodity] += weight
        if posting.commodity != commodity:
            priced.add(commodity)
    odd = [commodity for commodity, total in sums.items() if total]
    if len(odd) != 2 or priced & set(odd) or (sums[odd[0]] > 0) == (sums[odd[1]] > 0):
        return {}
    return {odd[1]: (-sums[odd[0]] / sums[odd[1]], odd[0])}


def _smallest_unit(commodity: str, sides: Sequence[_Side]) -> int:
    """Returns the exponent of a currency's smallest unit, or of a finer amount posted (not converted) in it."""
    plain = [side.exponent for side in sides if side.is_plain]
    places = places_of_code(commodity)
    if places is None or len(plain) == len(sides):
        return min(plain or [side.exponent for side in sides])
    return min([-places, *plain])


def _rounded(number: Fraction, exponent: int) -> Decimal:
    return Decimal(round(number * 10**-exponent)).scaleb(exponent)
