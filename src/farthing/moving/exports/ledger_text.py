"""Defines what the plain-text ledgers share: the order of a file, postings, account names, and the balances at the
start and end of the range.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta

from msgspec import Struct

from farthing.kernel.money import Currency, as_text
from farthing.ledger.kinds import ASSETS, LIABILITIES, Kind

from .snapshot import (
    Balances,
    ExportedAccount,
    ExportedEntry,
    ExportedSplit,
    Snapshot,
    entries,
    find_days,
    load_balances,
    load_opening_balances,
    load_used_accounts,
)

ROOTS = ASSET, LIABILITY, EQUITY, INCOME, EXPENSE = "Assets", "Liabilities", "Equity", "Income", "Expenses"
CARRIED = "Opening Balances"
_ROOTS: dict[Kind, tuple[str, ...]] = {
    **dict.fromkeys((Kind.EXPENSE, Kind.BENEFICIARY, Kind.CASH), (EXPENSE,)),
    Kind.REVENUE: (INCOME,),
    Kind.INITIAL_BALANCE: (EQUITY, CARRIED),
    Kind.RECONCILIATION: (EQUITY, "Reconciliation"),
    Kind.IMPORT: (EQUITY, "Import"),
    **dict.fromkeys(ASSETS, (ASSET,)),
    **dict.fromkeys(LIABILITIES, (LIABILITY,)),
}


class LedgerAmount(Struct, frozen=True):
    units: int
    currency: Currency

    @property
    def number(self) -> str:
        return as_text(self.units, self.currency.places)


class LedgerPosting(Struct, frozen=True):
    """`cost` is the total amount in another currency for which `amount` was exchanged; always positive."""

    account_id: int
    amount: LedgerAmount
    split: ExportedSplit
    cost: LedgerAmount | None = None


class LedgerBooks(Struct, frozen=True, kw_only=True):
    """`names` has the account names by id. `opened_on` is on or before the first transaction, `closed_on` the last day.
    `carried` has the balances of accounts at the start of the range, `expected` the balances that they must have at its
    end.
    """

    snapshot: Snapshot
    accounts: Mapping[int, ExportedAccount]
    names: Mapping[int, str]
    equity: str
    opened_on: str
    closed_on: str
    carried: Balances
    expected: Balances

    def amounts(self, held: Balances) -> Iterator[tuple[int, LedgerAmount]]:
        for (account_id, currency_id), units in sorted(held.items()):
            yield account_id, LedgerAmount(units, self.snapshot.currencies[currency_id])


class LedgerSyntax(Struct, frozen=True, kw_only=True):
    """Writes the elements that all ledgers share in the syntax of one program. `clean` makes one part of an account's
    name valid. `begin` writes the first line of a transaction and the details of the whole transaction; `tell` writes
    a named text below a posting. Lines of a transaction are indented by `indent`.
    """

    clean: Callable[[str], str]
    declare: Callable[[LedgerBooks], Iterator[str]]
    carry: Callable[[LedgerBooks], str]
    begin: Callable[[Snapshot, ExportedEntry], Iterator[str]]
    money: Callable[[LedgerAmount], str]
    tell: Callable[[str, str], str]
    end: Callable[[LedgerBooks], Iterator[str]]
    indent: str


def write_ledger(snapshot: Snapshot, syntax: LedgerSyntax) -> Iterator[str]:
    books = prepare(snapshot, syntax.clean)
    yield from syntax.declare(books)
    if books.carried:
        yield "\n".join(_carry(books, syntax))
    for entry in entries(snapshot):
        yield "\n".join((*syntax.begin(snapshot, entry), *_show_postings(books, entry, syntax), "\n"))
    yield from syntax.end(books)


def _carry(books: LedgerBooks, syntax: LedgerSyntax) -> Iterator[str]:
    yield syntax.carry(books)
    for account_id, amount in books.amounts(books.carried):
        yield f"{syntax.indent}{books.names[account_id]}  {syntax.money(amount)}"
        yield f"{syntax.indent}{books.equity}  {syntax.money(LedgerAmount(-amount.units, amount.currency))}"
    yield "\n"


def _show_postings(books: LedgerBooks, entry: ExportedEntry, syntax: LedgerSyntax) -> Iterator[str]:
    """Yields the lines of the postings. The details of a split follow its posting with the positive amount."""
    for posting in postings(books.snapshot, entry):
        cost = f" @@ {syntax.money(posting.cost)}" if posting.cost else ""
        yield f"{syntax.indent}{books.names[posting.account_id]}  {syntax.money(posting.amount)}{cost}"
        if posting.amount.units > 0:
            described = describe_split(books.snapshot, entry, posting.split)
            yield from (f"    {syntax.tell(name, text)}" for name, text in described)


def prepare(snapshot: Snapshot, clean: Callable[[str], str]) -> LedgerBooks:
    """Collects what a ledger file needs. `clean` makes one part of an account's name valid in the file's syntax."""
    accounts = load_used_accounts(snapshot)
    days = find_days(snapshot) or (snapshot.request.today, snapshot.request.today)
    carried, expected = _load_bounds(snapshot, accounts)
    start = snapshot.request.start
    return LedgerBooks(
        snapshot=snapshot,
        accounts=accounts,
        names=name_accounts(accounts.values(), clean),
        equity=f"{EQUITY}:{clean(CARRIED)}:{clean('Before this file')}",
        opened_on=min(days[0], start or days[0]),
        closed_on=max(days[1], start or days[1]),
        carried=carried,
        expected=expected,
    )


def _load_bounds(snapshot: Snapshot, accounts: Mapping[int, ExportedAccount]) -> tuple[Balances, Balances]:
    """Loads the balances at both ends of the range. The user's own accounts carry forward their earlier balances; all
    other accounts start at zero. If the request names accounts, only their balances are loaded, because the other
    accounts are exported incompletely.
    """
    request = snapshot.request
    held = load_opening_balances(snapshot)
    complete = set(request.account_ids) & accounts.keys() if request.account_ids else accounts.keys()
    own = {id_ for id_ in complete if accounts[id_].kind in ASSETS | LIABILITIES}
    carried = {key: units for key, units in held.items() if key[0] in own}
    expected = {key: units for key, units in load_balances(snapshot, request.end).items() if key[0] in complete}
    for key, units in held.items():
        if key[0] in complete - own:
            expected[key] = expected.get(key, 0) - units
    return carried, expected


def name_accounts(accounts: Iterable[ExportedAccount], clean: Callable[[str], str]) -> dict[int, str]:
    """Gives accounts unique names. If several have the same name, the id is appended to all but the oldest."""
    names: dict[int, str] = {}
    taken: set[str] = set()
    for account in accounts:
        root = ":".join(clean(part) for part in _ROOTS[account.kind])
        name = f"{root}:{clean(account.name)}"
        if name in taken:
            name = f"{root}:{clean(f'{account.name} {account.id}')}"
        while name in taken:
            name += "-"
        taken.add(name)
        names[account.id] = name
    return names


def root_of(account: ExportedAccount) -> str:
    return _ROOTS[account.kind][0]


def postings(snapshot: Snapshot, entry: ExportedEntry) -> Iterator[LedgerPosting]:
    for split in entry.splits:
        left = LedgerAmount(split.left[0], snapshot.currencies[split.left[1]])
        arrived = LedgerAmount(split.arrived[0], snapshot.currencies[split.arrived[1]])
        yield LedgerPosting(
            account_id=split.source_id,
            amount=LedgerAmount(-left.units, left.currency),
            split=split,
            cost=arrived if left.currency != arrived.currency else None,
        )
        yield LedgerPosting(account_id=split.destination_id, amount=arrived, split=split)


def describe_split(snapshot: Snapshot, entry: ExportedEntry, split: ExportedSplit) -> Iterator[tuple[str, str]]:
    """Yields the details of a split other than its booked amounts, as pairs of a name and a text."""
    if split.description and split.description != entry.head.description:
        yield "description", split.description
    if split.category_id:
        yield "category", snapshot.categories[split.category_id]
    if parent := snapshot.parents.get(split.category_id or 0):
        yield "parent-category", parent
    if split.budget_id:
        yield "budget", snapshot.budgets[split.budget_id]
    # If both sides are booked in the same currency, neither posting shows the transaction's other amount.
    if split.foreign_units and split.foreign_currency_id and split.left == split.arrived:
        foreign = LedgerAmount(split.foreign_units, snapshot.currencies[split.foreign_currency_id])
        own = LedgerAmount(split.units, snapshot.currencies[split.currency_id])
        other = foreign if split.left == (split.units, split.currency_id) else own
        yield "foreign-amount", f"{other.number} {other.currency.code}"
    if split.reconciled:
        yield "reconciled", "yes"
    if split.refund:
        yield "refund", "yes"


_DATES = ("interest-date", "book-date", "process-date", "due-date", "payment-date", "invoice-date")


def describe_entry(snapshot: Snapshot, entry: ExportedEntry) -> Iterator[tuple[str, str]]:
    yield "type", entry.type.label.lower()
    if entry.head.bill_id:
        yield "bill", snapshot.bills[entry.head.bill_id]
    if entry.head.internal_reference:
        yield "reference", entry.head.internal_reference
    yield from ((name, day) for name, day in zip(_DATES, entry.head.dates, strict=True) if day)
    if entry.head.notes:
        yield "notes", entry.head.notes


def describe_account(account: ExportedAccount) -> Iterator[tuple[str, str]]:
    yield "name", account.name
    yield "kind", account.kind.value
    yield "currency", account.currency.code
    if account.virtual_units:
        yield "virtual-balance", as_text(account.virtual_units, account.currency.places)
    for name in ("role", "account_number", "iban", "bic", "notes"):
        if text := getattr(account, name):
            yield name.replace("_", "-"), text


_LABELS = """
SELECT 0 AS place, c.id, c.name, p.name AS parent, b.name AS budget, NULL AS carry, CAST(NULL AS TEXT) AS period,
    CAST(NULL AS BIGINT) AS units, CAST(NULL AS BIGINT) AS currency_id
FROM categories c
LEFT JOIN categories p ON p.user_id = c.user_id AND p.id = c.parent_id
LEFT JOIN budgets b ON b.user_id = c.user_id AND b.id = c.budget_id
WHERE c.user_id = :user_id AND (c.parent_id IS NOT NULL OR c.budget_id IS NOT NULL)
UNION ALL
SELECT 1, id, name, NULL, NULL, NULLIF(carry, 'no'), auto_period, auto_units, auto_currency_id FROM budgets
WHERE user_id = :user_id AND (carry <> 'no' OR auto_period IS NOT NULL)
ORDER BY 1, 2
"""


def describe_labels(snapshot: Snapshot) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """Yields the kind, the name and the details of each category and budget that has any details."""
    for index, _, name, *values, units, currency_id in snapshot.db.all(_LABELS, user_id=snapshot.request.user_id):
        named = zip(("parent", "budget", "carry", "automatic-limit"), values, strict=True)
        details = [(key, text) for key, text in named if text]
        if currency := snapshot.currencies.get(currency_id):
            details[-1] = (details[-1][0], f"{as_text(units, currency.places)} {currency.code} {details[-1][1]}")
        yield ("category", "budget")[index], name, details


def day_after(day: str) -> str | None:
    on = date.fromisoformat(day)
    return None if on == date.max else (on + timedelta(days=1)).isoformat()
