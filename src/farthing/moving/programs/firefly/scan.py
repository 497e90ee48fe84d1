"""Reads all journals for the first time, to collect sums, currencies, and the journals that other objects refer to."""

from collections import Counter
from collections.abc import Iterator
from datetime import date

from farthing.ledger.kinds import Type

from ...source_books import SourceLinkEnd, SourceTransaction
from .accounts import OWN, Accounts
from .attachments import JOURNAL, attached_to
from .balances import Legs
from .files.items import Source
from .journals import read_journal
from .links import LINKED
from .planning import JournalDay
from .transactions import Bills, JournalContext, Placed, build, divide, mention, place, weigh


class Scan:
    """Holds what was collected: journals that other objects refer to, and how often each recurrence has `fired`."""

    def __init__(self, reported_on: date | None) -> None:
        self.legs = Legs(reported_on)
        self.journals: dict[str, JournalDay] = {}
        self.opening: dict[str, str] = {}
        self.fired: Counter[str] = Counter()
        self.places: dict[str, int] = {}


def _referred_journals(source: Source) -> set[str]:
    journal_ids = {key for model, key in map(attached_to, source.items("attachments")) if model == JOURNAL}
    for item in source.items("transaction-links"):
        journal_ids |= {str(item.values.get(side)) for side in LINKED}
    for piggy_bank in source.items("piggy-banks"):
        events = source.items("piggy-bank-events", piggy_bank.id)
        journal_ids |= {str(item.values.get("transaction_journal_id")) for item in events}
    return journal_ids


def scan_journals(source: Source, accounts: Accounts, bills: Bills) -> Scan:
    # If midnight passed while the balances were fetched, the earlier day is used.
    days = [day for item in source.items("accounts") if (day := item.quiet().day("current_balance_date"))]
    scan = Scan(min(days, default=None))
    referred = _referred_journals(source)
    for group in source.groups():
        placed = []
        recurrences = set()
        for journal in filter(None, (read_journal(item, accounts) for item in group.journals)):
            scan.legs.add(journal)
            weigh(journal, accounts)
            amounts = ((journal.amount, journal.currency), (journal.foreign_amount, journal.foreign_currency))
            for amount, currency in amounts:
                if amount is not None and currency:
                    places = -int(amount.as_tuple().exponent)
                    scan.places[currency] = max(scan.places.get(currency, 0), places)
            recurrences.add(journal.recurrence_id)
            if placed_journal := place(journal, accounts):
                placed.append(placed_journal)
                _note_opening(scan, placed_journal)
        scan.fired.update(recurrence for recurrence in recurrences if recurrence)
        for part in divide(group, placed, source.remarks):
            for split, item in enumerate(part.placed):
                if item.journal.id in referred:
                    end = SourceLinkEnd(transaction=part.key, split=split, splits=len(part.placed))
                    scan.journals[item.journal.id] = JournalDay(end=end, on=item.journal.on)
            mention(part, bills, source.remarks)
    return scan


def _note_opening(scan: Scan, placed: Placed) -> None:
    """Remembers the journal of an opening balance. A liability's credit also uses the account for opening balances, but
    a real opening balance takes precedence.
    """
    if placed.type != Type.OPENING_BALANCE:
        return
    own = placed.source if placed.source.kind in OWN else placed.destination
    if own.key not in scan.opening or placed.journal.type_word == "opening balance":
        scan.opening[own.key] = placed.journal.id


class Transactions:
    """Reads the journals again each time it is iterated; the files must still be open."""

    def __init__(self, source: Source, accounts: Accounts, context: JournalContext) -> None:
        self._source, self._accounts, self._context = source, accounts, context

    def __iter__(self) -> Iterator[SourceTransaction]:
        for group in self._source.groups():
            journals = filter(None, (read_journal(item, self._accounts) for item in group.journals))
            placed = [placed for journal in journals if (placed := place(journal, self._accounts))]
            for part in divide(group, placed, self._source.remarks):
                yield build(part, self._context)
