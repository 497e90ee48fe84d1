"""Finds out which column has which role: by the words of the header, otherwise by the column's contents."""

from collections.abc import Iterable, Mapping, Sequence, Set
from decimal import Decimal
from itertools import islice, permutations

from .cells import find_iban
from .columns import ColumnProfile, count_steps, count_steps_from, numbers_of
from .words import COMMON_CURRENCIES, GENERIC_ACCOUNTS, WordMatch, match_roles, plain, sign_of

# Roles that have one column, in the order in which columns are assigned to them; then roles with several columns.
_MAIN = ("date", "debit", "credit", "sign", "foreign_amount", "foreign_currency", "balance", "amount", "fee")
_DETAILS = ("value_date", "currency", "payee_account", "account", "bank_id", "reference", "status", "category")
_SEVERAL = ("description", "payee", "payer", "notes", "tags")
_AMOUNTS = ("amount", "debit", "credit", "foreign_amount", "balance", "fee")

# In a table without a header, a column that repeats one number with at least this many digits is the account number.
_NUMBER_DIGITS = 7
# A column of Wise; the amounts next to it are "after fees", so the fee must still be deducted.
_FEE_ON_TOP = "source fee amount"
_BARE_ACCOUNTS = {"iban", "konto", "kontonummer", "kontonr", "account number", "account no", "account iban"}
_NET = {"net", "netto", "net amount", "montant net", "importe neto", "importo netto"}

# Maps each role to the indexes of its columns.
Roles = dict[str, list[int]]
Words = Mapping[str, WordMatch]
Numbers = list[Decimal | None]


def assign_roles(header: Sequence[str] | None, columns: Sequence[ColumnProfile], own_iban: str | None = None) -> Roles:
    """Assigns roles by the words in the header. Columns for the date, the amount or the text that the header does not
    name are found by their contents. `own_iban` comes from the preamble: a column of IBANs that does not contain it
    does not name the user's own account.
    """
    names = [*(header or ()), *[""] * len(columns)][: len(columns)]
    words = [match_roles(name) for name in names]
    roles: Roles = {}
    for role in (*_MAIN, *_DETAILS):
        fits = _fitting(role, roles, columns, words, names)
        if role == "account":
            fits = [fit for fit in fits if _may_be_own(fit, words, names, own_iban)]
        if fits:
            best = min(fits, key=lambda fit: (not fit.filled, words[fit.index][role], fit.index))
            roles[role] = [best.index]
    for role in _SEVERAL:
        _take_several(role, roles, columns, words)
    _settle_amounts(roles, columns)
    named = {role for matches in words for role in matches}
    _assign_by_content(roles, columns, named, has_header=header is not None)
    _settle_sign(roles, columns)
    _settle_fee(roles, columns, names)
    _tidy_texts(roles, columns, names)
    return roles


def _taken(roles: Roles) -> set[int]:
    return {index for indexes in roles.values() for index in indexes}


def _fitting(
    role: str, roles: Roles, columns: Sequence[ColumnProfile], words: Sequence[Words], names: Sequence[str]
) -> list[ColumnProfile]:
    used = _taken(roles)
    return [
        column
        for column in columns
        if role in words[column.index] and column.index not in used
        if _holds(role, column, columns, roles, plain(names[column.index]))
    ]


def _holds(role: str, column: ColumnProfile, columns: Sequence[ColumnProfile], roles: Roles, name: str) -> bool:
    """Tells whether the cells fit the role. An empty column fits most roles."""
    rows = len(column.cells)
    if not column.filled:
        return role not in ("sign", "account", "payee_account", "bank_id", "status")
    if role == "date":
        return column.is_date and len(column.filled) * 10 >= rows * 6
    if role == "value_date":
        return column.is_date
    if role in _AMOUNTS:
        return column.holds_amounts
    if role == "sign":
        return column.is_sign and len(column.filled) == rows
    if role in ("currency", "foreign_currency"):
        return column.is_currency
    if role == "account":
        return _names_own_account(column, roles, name)
    if role == "bank_id":
        return _is_unique(column, columns, roles)
    return not column.is_date


def _may_be_own(column: ColumnProfile, words: Sequence[Words], names: Sequence[str], own_iban: str | None) -> bool:
    """Tells whether a column may name the user's own account. If the preamble has an IBAN, a column of IBANs must
    contain it. Any other column with a bare header such as `IBAN` after the payee's column names the payee's account.
    """
    if own_iban and column.is_iban:
        return own_iban in map(find_iban, column.filled)
    follows_payee = any(matches.keys() & {"payee", "payer"} for matches in words[: column.index])
    return not (follows_payee and plain(names[column.index]) in _BARE_ACCOUNTS)


def _names_own_account(column: ColumnProfile, roles: Roles, name: str) -> bool:
    """Tells whether every row names the user's own account. Many different accounts belong to other people."""
    rows = len(column.cells)
    if len(column.filled) < rows or column.is_date:
        return False
    is_meant = name not in GENERIC_ACCOUNTS or "payee_account" in roles
    return (rows > 1 and column.distinct <= max(1, rows // 4)) or (is_meant and (column.distinct < rows or rows == 1))


def _is_unique(column: ColumnProfile, columns: Sequence[ColumnProfile], roles: Roles) -> bool:
    """Tells whether every row has a value that is unique together with the row's account and amount."""
    others = [columns[index] for role in ("account", "amount", "debit", "credit") for index in roles.get(role, ())]
    rows = set(zip(column.cells, *(other.cells for other in others), strict=True))
    return len(column.filled) == len(rows) == len(column.cells) and not column.is_date


def _take_several(role: str, roles: Roles, columns: Sequence[ColumnProfile], words: Sequence[Words]) -> None:
    used = _taken(roles)
    fits = [
        column
        for column in columns
        if role in words[column.index] and column.index not in used and _is_text_for(role, column, words[column.index])
    ]
    fits = [column for column in fits if not words[column.index][role].partial] or fits
    if role in ("payee", "payer"):
        fits = _that_complete_each_other(sorted(fits, key=lambda fit: (_is_constant(fit), words[fit.index][role])))
    if fits:
        roles[role] = [column.index for column in fits]
    if role == "payer" and role in roles:
        # Without a column of payees, the payers are used as payees. With one, the payers are dropped if all rows have
        # the same payer, who is the owner of the account.
        payers = roles.pop("payer")
        if "payee" not in roles:
            roles["payee"] = payers
        elif any(columns[index].distinct > 1 or "" in columns[index].cells for index in payers):
            roles["payer"] = payers


def _is_text_for(role: str, column: ColumnProfile, words: Words) -> bool:
    """Tells whether a column holds text, and fits no other text role better. Most names must contain letters."""
    if column.is_date or (column.is_amount and not column.is_plain_number):
        return False
    if role in ("payee", "payer") and column.filled:
        if column.is_iban:
            return False
        named = sum(any(letter.isalpha() for letter in cell) for cell in column.filled)
        if named * 2 < len(column.filled):
            return False
    return not any(words[other].partial < words[role].partial for other in words if other in _SEVERAL)


def _is_constant(column: ColumnProfile) -> bool:
    return column.distinct == 1 < len(column.cells) == len(column.filled)


def _that_complete_each_other(columns: Sequence[ColumnProfile]) -> list[ColumnProfile]:
    """Keeps the first column, and each later one that is filled only where all columns kept before it are empty."""
    chosen: list[ColumnProfile] = []
    for column in columns:
        pairs = (pair for earlier in chosen for pair in zip(column.cells, earlier.cells, strict=True))
        if column.filled and not any(map(all, pairs)):
            chosen.append(column)
    return chosen or list(columns[:1])


def _assign_by_content(roles: Roles, columns: Sequence[ColumnProfile], named: Set[str], *, has_header: bool) -> None:
    """Assigns roles by content. If the header names an amount, but those cells are not amounts, no other column is
    taken for it, so that the user has to choose.
    """
    free = [column for column in columns if column.index not in _taken(roles) and column.filled]
    dates = [column for column in free if column.is_date]
    if "date" not in roles:
        _take_first(roles, "date", (date for date in dates if len(date.filled) * 10 >= len(date.cells) * 9))
        _take_first(roles, "value_date", (date for date in dates if "date" in roles and [date.index] != roles["date"]))
        if "date" not in roles and "value_date" in roles and all(columns[roles["value_date"][0]].cells):
            roles["date"] = roles.pop("value_date")
    if not (roles.keys() | named) & {"amount", "debit", "credit"}:
        _find_amounts(roles, [profile for profile in free if profile.is_amount])
    free = [column for column in free if column.index not in _taken(roles)]
    whole = [column for column in free if len(column.filled) == len(column.cells)]
    _take_first(roles, "currency", (profile for profile in whole if set(profile.filled) <= COMMON_CURRENCIES))
    _take_first(roles, "sign", (profile for profile in whole if profile.is_sign and profile.distinct > 1))
    ibans = [profile for profile in free if profile.is_iban]
    constant = [profile for profile in whole if profile.is_plain_number and profile.distinct == 1]
    numbers = [profile for profile in constant if len(profile.filled[0]) >= _NUMBER_DIGITS]
    own = [iban for iban in ibans if iban in whole and iban.distinct <= max(1, len(iban.cells) // 4)]
    _take_first(roles, "account", () if has_header else [*own, *numbers])
    _take_first(roles, "payee_account", (iban for iban in ibans if [iban.index] != roles.get("account")))
    if not roles.keys() & {"description", "payee", "notes"}:
        texts = [profile for profile in free if profile.is_text and profile.index not in _taken(roles)]
        _take_first(roles, "description", sorted(texts, key=lambda text: (_is_constant(text), -text.length)))


def _take_first(roles: Roles, role: str, columns: Iterable[ColumnProfile]) -> None:
    first = next(iter(columns), None)
    if first is not None and role not in roles:
        roles[role] = [first.index]


def _tidy_texts(roles: Roles, columns: Sequence[ColumnProfile], names: Sequence[str]) -> None:
    """Moves columns of transaction kinds, such as DEBIT, from the description to the notes. Columns without a name that
    follow the description are added to it. If there is no description, the longest column of notes becomes it.
    """
    _fill_description(roles, columns)
    if "description" not in roles and "notes" in roles:
        notes = sorted(roles.pop("notes"), key=lambda index: -columns[index].length)
        roles["description"] = notes[:1]
        roles |= {"notes": sorted(notes[1:])} if len(notes) > 1 else {}
    texts = roles.get("description", [])
    kinds = [index for index in texts if len(texts) > 1 and _is_kind(columns[index])]
    if kinds and len(kinds) < len(texts):
        roles["description"] = [index for index in texts if index not in kinds]
        roles["notes"] = [*roles.get("notes", []), *kinds]
    for column in columns[1:] if any(names) else ():
        is_nameless = not names[column.index].strip() and column.index not in _taken(roles)
        if is_nameless and column.index - 1 in roles.get("description", []) and column.is_text:
            roles["description"].append(column.index)


def _fill_description(roles: Roles, columns: Sequence[ColumnProfile]) -> None:
    """Adds the longest other text column to the description if the description and payee columns are all empty."""
    named = [index for role in ("description", "payee", "payer") for index in roles.get(role, ())]
    if "description" not in roles or any(columns[index].filled for index in named):
        return
    used = _taken(roles) - set(roles.get("notes", ()))
    texts = [column for column in columns if column.is_text and column.index not in used]
    if texts:
        longest = max(texts, key=lambda text: text.length).index
        roles["description"].insert(0, longest)
        notes = [index for index in roles.pop("notes", []) if index != longest]
        roles |= {"notes": notes} if notes else {}


def _is_kind(column: ColumnProfile) -> bool:
    """Recognizes a column of single words for kinds of transactions, such as DEBIT, CREDIT and CHECK."""
    return any(sign_of(cell) for cell in column.filled) and all(" " not in cell for cell in column.filled)


def _settle_amounts(roles: Roles, columns: Sequence[ColumnProfile]) -> None:
    """Keeps either the amount column, or debit and credit. If there are all three, keeps the amount only if the other
    two are empty.
    """
    if "amount" not in roles:
        return
    filled = {role for role in ("amount", "debit", "credit") if role in roles and columns[roles[role][0]].filled}
    if roles.keys() >= {"debit", "credit"} and filled != {"amount"}:
        del roles["amount"]
    else:
        roles.pop("debit", None)
        roles.pop("credit", None)


def _find_amounts(roles: Roles, numeric: Sequence[ColumnProfile]) -> None:
    """Finds amounts by content: two columns of which every row fills exactly one (debit and credit), or a column whose
    running balance is in another column.
    """
    numeric = [profile for profile in numeric if not profile.is_plain_number] or numeric
    numbers = {column.index: numbers_of(column) for column in numeric}
    pairs = list(islice(permutations((profile.index for profile in numeric), 2), 200))
    for first, other in ((first, other) for first, other in pairs if first < other):
        filled = {(bool(one), bool(two)) for one, two in zip(numbers[first], numbers[other], strict=True)}
        if filled == {(True, False), (False, True)}:
            _take_debit_and_credit(roles, first, other, numbers)
            return
    for count in (count_steps, count_steps_from):
        steps = {pair: count(numbers[pair[0]], numbers[pair[1]]) for pair in pairs}
        best = max(steps, key=steps.__getitem__, default=None)
        if best and steps[best] >= 2:
            roles["amount"] = [best[0]]
            if count is count_steps:
                roles.setdefault("balance", [best[1]])
            return
    whole = [profile for profile in numeric if len(profile.filled) == len(profile.cells)]
    whole.sort(key=lambda profile: not any(number < 0 for number in numbers[profile.index] if number is not None))
    if whole:
        roles["amount"] = [whole[0].index]
        if len(whole) > 1:
            roles.setdefault("balance", [whole[1].index])


def _take_debit_and_credit(roles: Roles, first: int, second: int, numbers: dict[int, Numbers]) -> None:
    """Takes the first column as debit and the second as credit, unless a balance column shows that they are swapped."""
    roles["debit"], roles["credit"] = [first], [second]
    for third, balances in numbers.items():
        if third in (first, second):
            continue
        as_is = count_steps(_differences(numbers[second], numbers[first]), balances)
        swapped = count_steps(_differences(numbers[first], numbers[second]), balances)
        if max(as_is, swapped) >= 2:
            roles.setdefault("balance", [third])
        if swapped > max(as_is, 1):
            roles["debit"], roles["credit"] = [second], [first]


def _differences(credits_: Numbers, debits: Numbers) -> Numbers:
    zero = Decimal()
    return [(credit or zero) - abs(debit or zero) for credit, debit in zip(credits_, debits, strict=True)]


def _settle_sign(roles: Roles, columns: Sequence[ColumnProfile]) -> None:
    """Keeps a column of debit and credit markers only if no amount is negative; otherwise moves it to the notes."""
    if "sign" not in roles:
        return
    amounts = numbers_of(columns[roles["amount"][0]]) if "amount" in roles else []
    if not amounts or any(amount < 0 for amount in amounts if amount is not None):
        roles["notes"] = [*roles.get("notes", []), *roles.pop("sign")]


def _settle_fee(roles: Roles, columns: Sequence[ColumnProfile], names: Sequence[str]) -> None:
    """Keeps a fee column only if deducting the fees agrees with the balances, or if the file comes from Wise."""
    if "fee" not in roles:
        return
    if plain(names[roles["fee"][0]]) == _FEE_ON_TOP and "amount" in roles:
        return
    if "amount" not in roles or "balance" not in roles or plain(names[roles["amount"][0]]) in _NET:
        del roles["fee"]
        return
    amounts, balances, fees = (numbers_of(columns[roles[role][0]]) for role in ("amount", "balance", "fee"))
    pairs = zip(amounts, fees, strict=True)
    on_top = [None if amount is None else amount - abs(fee or Decimal()) for amount, fee in pairs]
    if count_steps(on_top, balances) < count_steps(amounts, balances):
        del roles["fee"]
