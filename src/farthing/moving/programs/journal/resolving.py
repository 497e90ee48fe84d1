"""Fills in the amounts that a journal omits, resolves balance assignments, and checks balance assertions."""

from collections import defaultdict
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct

from ...findings import shorten
from ..common.includes import Sources
from ..common.raw import RawPosting
from ..common.text import to_decimal, weight_of
from .amounts import AmountExpression, BadAmount, Styles
from .parsing import JournalEntry, JournalPosting

# An assertion about sub-accounts reads the balances of all accounts. After this many reads, no more are checked.
LOOKS_MAX = 20_000_000
PLACES_MAX = 18
Running = dict[str, dict[str, Decimal]]


class Weighed(Struct, kw_only=True):
    """Holds a posting with its amounts as numbers. `quantity` is None until an omitted amount is filled in."""

    posting: JournalPosting
    quantity: Decimal | None
    commodity: str
    weight: Fraction = Fraction(0)
    weight_commodity: str = ""
    lot: Fraction | None = None
    lot_commodity: str = ""


class Resolver:
    def __init__(self, sources: Sources, styles: Styles) -> None:
        self.sources, self.styles = sources, styles
        self.running: Running = defaultdict(dict)
        self.looks = self.priced = 0

    def resolve(self, entry: JournalEntry) -> list[tuple[JournalPosting, RawPosting]] | None:
        """Resolves an entry. Entries must come in order of date, because assignments depend on all earlier entries."""
        try:
            weighed = [self._weigh(posting) for posting in entry.postings]
        except BadAmount as error:
            message = f"“{shorten(str(error))}” is not a number. The entry is skipped."
            self.sources.finding(message, entry.line, "amount", rejects=True)
            return None
        if not self._assign(weighed):
            message = "More than one amount is missing. The entry is skipped."
            self.sources.finding(message, entry.line, "amount", rejects=True)
            return None
        postings = []
        for group in ("", "[", "("):
            postings += self._fill(_use_lots([item for item in weighed if item.posting.virtual == group]))
        for posting, raw in postings:
            held = self.running[raw.account]
            held[raw.commodity] = held.get(raw.commodity, Decimal(0)) + raw.quantity
            if posting.expression.assertion:
                self._check(posting)
        return postings

    def _weigh(self, posting: JournalPosting) -> Weighed:
        expression: AmountExpression = posting.expression
        if expression.amount is None:
            return Weighed(posting=posting, quantity=None, commodity="")
        quantity = self.styles.value(expression.amount, posting.file_mark)
        weighed = _plain(posting, quantity, expression.amount.commodity)
        if expression.lot:
            price = abs(Fraction(self.styles.value(expression.lot, posting.file_mark)))
            weighed.lot = weight_of(quantity, price, is_total=expression.lot_is_total)
            weighed.lot_commodity = expression.lot.commodity
        if expression.cost:
            price = abs(Fraction(self.styles.value(expression.cost, posting.file_mark)))
            weighed.weight = weight_of(quantity, price, is_total=expression.cost_is_total)
            weighed.weight_commodity = expression.cost.commodity
        self.priced += bool(expression.lot or expression.cost)
        return weighed

    def _assign(self, weighed: list[Weighed]) -> bool:
        """Computes the amounts of postings with only a balance assertion. Returns False if too many are missing."""
        pending: Running = defaultdict(dict)
        for item in weighed:
            asserted = item.posting.expression.assertion
            account = item.posting.account
            if item.quantity is None and asserted:
                target = self.styles.value(asserted, item.posting.file_mark)
                held = self._held(account, asserted.commodity, inclusive="*" in item.posting.expression.assertion_kind)
                item.quantity = target - held - pending[account].get(asserted.commodity, Decimal(0))
                item.commodity = item.weight_commodity = asserted.commodity
                item.weight = Fraction(item.quantity)
            if item.quantity is not None:
                pending[account][item.commodity] = pending[account].get(item.commodity, Decimal(0)) + item.quantity
        open_ones = [item.posting.virtual for item in weighed if item.quantity is None]
        return len(open_ones) == len(set(open_ones)) and "(" not in open_ones

    def _fill(self, group: list[Weighed]) -> list[tuple[JournalPosting, RawPosting]]:
        sums: dict[str, Fraction] = defaultdict(Fraction)
        for item in group:
            if item.quantity is not None:
                sums[item.weight_commodity] += item.weight
        postings = []
        for item in group:
            if item.quantity is not None:
                postings.append((item.posting, _raw(item, item.quantity)))
                continue
            for commodity, total in sums.items():
                amount = -to_decimal(total, PLACES_MAX)
                if amount:
                    postings.append((item.posting, _raw(_plain(item.posting, amount, commodity), amount)))
        return postings

    def _held(self, account: str, commodity: str, *, inclusive: bool) -> Decimal:
        if not inclusive:
            return self.running[account].get(commodity, Decimal(0))
        self.looks += len(self.running)
        if self.looks > LOOKS_MAX:
            return Decimal(0)
        below = account + ":"
        held = [held for name, held in self.running.items() if name == account or name.startswith(below)]
        return sum((lots.get(commodity, Decimal(0)) for lots in held), Decimal(0))

    def _check(self, posting: JournalPosting) -> None:
        expression = posting.expression
        if expression.assertion is None:
            return
        expected = self.styles.value(expression.assertion, posting.file_mark)
        commodity, inclusive = expression.assertion.commodity, "*" in expression.assertion_kind
        held = self._held(posting.account, commodity, inclusive=inclusive)
        if self.looks > LOOKS_MAX:
            self.sources.finding("This balance assertion is not checked: there are too many.", posting.line, "balance")
        elif held != expected:
            self._refuse(posting, f"holds {held} {commodity} here, not {expected}")
        elif expression.assertion_kind.startswith("==") and not inclusive:
            others = [other for other, amount in self.running[posting.account].items() if amount and other != commodity]
            if others:
                self._refuse(posting, f"also holds {others[0]}")

    def _refuse(self, posting: JournalPosting, what: str) -> None:
        message = f"The balance assertion is wrong: “{shorten(posting.account)}” {what}."
        self.sources.finding(message, posting.line, "balance")


def _plain(posting: JournalPosting, quantity: Decimal, commodity: str) -> Weighed:
    weight = Fraction(quantity)
    return Weighed(posting=posting, quantity=quantity, commodity=commodity, weight=weight, weight_commodity=commodity)


def _use_lots(group: list[Weighed]) -> list[Weighed]:
    """Chooses the price that balances the entry: that of the lot, as in ledger, or the price after @, as in hledger."""
    if not any(item.lot is not None for item in group) or any(item.quantity is None for item in group):
        only_lots = [item for item in group if item.lot is not None and item.posting.expression.cost is None]
    elif _balances(group):
        return group
    else:
        only_lots = [item for item in group if item.lot is not None]
    for lot in only_lots:
        if lot.lot is not None:
            lot.weight, lot.weight_commodity = lot.lot, lot.lot_commodity
    return group


def _balances(group: list[Weighed]) -> bool:
    sums: dict[str, Fraction] = defaultdict(Fraction)
    for item in group:
        sums[item.weight_commodity] += item.weight
    return all(abs(total) < Fraction(1, 100) for total in sums.values())


def _raw(weighed: Weighed, quantity: Decimal) -> RawPosting:
    has_price = weighed.weight_commodity != weighed.commodity
    return RawPosting(
        account=weighed.posting.account,
        quantity=quantity,
        commodity=weighed.commodity,
        weight=weighed.weight if has_price else None,
        weight_commodity=weighed.weight_commodity if has_price else None,
    )
