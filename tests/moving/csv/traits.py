"""Writes the same transactions in every way that banks have: one table for each combination of traits."""

import csv
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from io import StringIO
from itertools import combinations, product
from random import Random

# Days after the twelfth among them, so that the order of the date can be known.
ROWS = [
    (date(2026, 1, 2), Decimal("-1234.56"), "Miete, Januar"),
    (date(2026, 1, 5), Decimal("-7.05"), 'Café "Zürich"; Kaffee'),
    (date(2026, 1, 9), Decimal("-7.05"), "Café | noch einer"),
    (date(2026, 1, 13), Decimal("2999.00"), "Lohn"),
    (date(2026, 1, 19), Decimal("-100.10"), "Überweisung 0815"),
    (date(2026, 1, 28), Decimal("0.99"), "Zinsen"),
    (date(2026, 1, 31), Decimal("-12345.67"), "Auto"),
]
OPENING = Decimal("20000.00")
MONTHS = {
    "en": "January",
    "en-short": "Jan",
    "de": "Januar",
    "fr": "janvier",
    "nl": "januari",
    "es": "enero",
    "it": "gennaio",
}
# Date, text, amount, debit, credit, marker, balance.
HEADERS = {
    "en": "Transaction Date,Description,Amount,Paid out,Paid in,Debit/Credit,Balance",
    "de": "Buchungstag,Verwendungszweck,Betrag,Soll,Haben,Soll/Haben,Saldo",
    "fr": "Date opération,Libellé,Montant,Débit,Crédit,Sens,Solde",
    "nl": "Boekdatum,Omschrijving,Bedrag,Af,Bij,Af Bij,Saldo na mutatie",
    "es": "Fecha operación,Concepto,Importe,Cargo,Abono,Debe/Haber,Saldo",
    "it": "Data contabile,Descrizione,Importo,Dare,Avere,Segno,Saldo",
    "pt": "Data mov.,Descrição,Montante,Débito,Crédito,Sinal,Saldo contabilístico",
    "pl": "Data operacji,Opis operacji,Kwota,Obciążenia,Uznania,Strona,Saldo po operacji",
    "sv": "Bokföringsdag,Rubrik,Belopp,Uttag,Insättning,Tecken,Saldo",
    "da": "Bogføringsdato,Tekst,Beløb,Ud,Ind,Fortegn,Saldo",
    "no": "Bokføringsdato,Forklaring,Beløp,Ut fra konto,Inn på konto,Fortegn,Bokført saldo",
    "unknown": "Kuupäev,Selgitus,Makse,Välja,Sisse,Märk,Jääk",
    "none": "",
}
DATES = {
    "2026-01-31": "{0:%Y-%m-%d}",
    "31.01.2026": "{0:%d.%m.%Y}",
    "31/01/26": "{0:%d/%m/%y}",
    "01/31/2026": "{0:%m/%d/%Y}",
    "1/31/2026": "{0.month}/{0.day}/{0.year}",
    "20260131": "{0:%Y%m%d}",
    "2026/01/31": "{0:%Y/%m/%d}",
    "31-01-2026": "{0:%d-%m-%Y}",
    "2026-01-31T08:15:00Z": "{0:%Y-%m-%d}T08:15:00Z",
    "31.01.2026 08:15": "{0:%d.%m.%Y} 08:15",
    **{f"31-{name}-2026": f"{{0:%d}}-{name}-2026" for name in MONTHS.values()},
    "January 31, 2026": "January {0.day}, 2026",
}
TRAITS = {
    "encoding": ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le"],
    "line_end": ["\n", "\r\n", "\r"],
    "delimiter": [",", ";", "\t", "|"],
    "quoting": [csv.QUOTE_MINIMAL, csv.QUOTE_ALL],
    "marks": [".,", ",.", ". ", ", ", ",\u00a0", ",\u202f", ".'", ".", ","],
    "negative": ["-{}", "{}-", "({})", "\u2212{}", "-€{}", "-{} EUR", "{} DR"],
    "positive": ["{}", "+{}"],
    "dates": list(DATES),
    "header": list(HEADERS),
    "preamble": ["none", "account", "long", "sep"],
    "footer": ["none", "total", "balance"],
    "sign": ["signed", "columns", "D/C", "S/H", "Af/Bij", "-/+", "Debit/Credit", "negative debits"],
    "balance": [False, True],
    "order": ["oldest first", "newest first"],
}
PLAIN = {name: values[0] for name, values in TRAITS.items()}
Traits = dict[str, object]


def is_writable(traits: Traits) -> bool:
    """Some traits exclude each other: letters that the code page lacks, a guess that nobody could make."""
    text_by = {"encoding": traits["encoding"]}
    if text_by["encoding"] == "cp1252":
        strange = traits["negative"] == "\u2212{}" or traits["marks"] == ",\u202f" or traits["header"] == "pl"
        if strange or traits["preamble"] == "long":
            return False
    if traits["preamble"] == "sep" and traits["delimiter"] == "\t":
        return False
    if traits["sign"] == "negative debits" and traits["negative"] == "{} DR":
        return False
    # Without words, debit can be told from credit, and a marker from a text, only by what they hold.
    return not (traits["header"] in ("none", "unknown") and traits["sign"] == "columns" and not traits["balance"])


def alone() -> Iterator[Traits]:
    for name, values in TRAITS.items():
        yield from (PLAIN | {name: value} for value in values)


def pairs(seed: int) -> Iterator[Traits]:
    """As few tables as chance finds in which every pair of traits meets."""
    random = Random(seed)
    left = {
        frozenset([(one, first), (other, second)])
        for one, other in combinations(TRAITS, 2)
        for first, second in product(TRAITS[one], TRAITS[other])
        if is_writable(PLAIN | {one: first, other: second})
    }
    while left:
        wanted = dict(min(left, key=lambda pair: sorted(map(repr, pair))))
        best = max((_fill_up(wanted, random) for _ in range(20)), key=lambda one: len(_met(one) & left))
        left -= _met(best)
        left.discard(frozenset(wanted.items()))
        yield best


def _fill_up(wanted: Traits, random: Random) -> Traits:
    for _ in range(50):
        traits = {name: random.choice(values) for name, values in TRAITS.items()} | wanted
        if is_writable(traits):
            return traits
    return PLAIN | wanted


def _met(traits: Traits) -> set[frozenset[tuple[str, object]]]:
    return {frozenset(pair) for pair in combinations(traits.items(), 2)}


def write_table(traits: Traits) -> bytes:
    rows = list(_rows(traits))
    if traits["order"] == "newest first":
        rows.reverse()
    columns = _columns(traits)
    names = HEADERS[str(traits["header"])].split(",")
    out = StringIO()
    writer = csv.writer(
        out, delimiter=str(traits["delimiter"]), quoting=traits["quoting"], lineterminator=str(traits["line_end"])
    )  # type: ignore[arg-type]
    for line in _preamble(traits):
        out.write(line + str(traits["line_end"]))
    if traits["header"] != "none":
        writer.writerow([names[column] for column in columns])
    writer.writerows([[row[column] for column in columns] for row in rows])
    _write_footer(traits, writer, len(columns))
    return out.getvalue().encode(str(traits["encoding"]))


def _columns(traits: Traits) -> list[int]:
    amounts = {"signed": [2], "columns": [3, 4], "negative debits": [3, 4]}.get(str(traits["sign"]), [2, 5])
    return [0, 1, *amounts, *([6] if traits["balance"] else [])]


def _rows(traits: Traits) -> Iterator[list[str]]:
    balance = OPENING
    for on, amount, text in ROWS:
        balance += amount
        sign = str(traits["sign"])
        shown = _number(amount if sign == "signed" else abs(amount), traits)
        debit = _number(amount if sign == "negative debits" else -amount, traits) if amount < 0 else ""
        credit = _number(amount, traits) if amount > 0 else ""
        marker = sign.split("/")[amount > 0] if "/" in sign else ""
        day = DATES[str(traits["dates"])].format(on)
        yield [day, text, shown, debit, credit, marker, _number(balance, traits)]


def _number(amount: Decimal, traits: Traits) -> str:
    marks = str(traits["marks"])
    point, group = marks[0], marks[1:]
    digits = f"{abs(amount):,.2f}".replace(",", "!").replace(".", point).replace("!", group)
    return str(traits["negative"] if amount < 0 else traits["positive"]).format(digits)


def _preamble(traits: Traits) -> list[str]:
    delimiter = str(traits["delimiter"])
    if traits["preamble"] == "sep":
        return [f"sep={delimiter}"]
    if traits["preamble"] == "none":
        return []
    account = [delimiter.join(["IBAN", "DE89370400440532013000"]), ""]
    if traits["preamble"] == "account":
        return account
    period = delimiter.join(["Zeitraum", "01.01.2026", "31.01.2026"])
    return [
        f"Umsätze Ω{delimiter * 3}",
        *account,
        period,
        f'"Kunde"{delimiter}"Max {delimiter} Muster"',
        "",
        "Hinweis",
        "",
    ]


def _write_footer(traits: Traits, writer: object, width: int) -> None:
    rows = {"none": [], "total": [["Total", "", "7"]], "balance": [[], ["Saldo", "31.01.2026", "", "9.311,56", "EUR"]]}
    writer.writerows(rows[str(traits["footer"])])  # type: ignore[attr-defined]
