"""Does each file of a bank come in as it says, whatever was imported before it for the other account there?

The files are made up after published layouts. A person imports them: says which account a file is of if it does not
name it, answers what is asked, and nothing else.
"""
# ruff: noqa: E501

from collections.abc import Callable, Mapping
from decimal import Decimal
from itertools import accumulate, count, product
from typing import Any

import pytest
from msgspec import Struct

from ...accounts.making import asset, card, made
from ...conftest import Client, World
from .making import a_job, run, shown

# Day, amount, who, what. The second month is what is hard about a month: few rows, no day after the twelfth.
CHECKING = (
    (("05-28", "-45.60", 0), ("05-25", "2431.80", 1), ("05-20", "-1100.00", 2), ("05-07", "-8.25", 3), ("05-02", "-1234.00", 4)),
    (("06-12", "-17.50", 0), ("06-09", "2450.00", 1), ("06-03", "-1250.00", 2)),
)  # fmt: skip
CARD = (
    (("05-29", "-120.00", 0), ("05-22", "-45.10", 3), ("05-15", "300.00", 5), ("05-04", "-8.10", 0)),
    (("06-11", "-64.00", 0), ("06-10", "-5.99", 3), ("06-02", "-12.00", 0)),
)
PEOPLE = {
    "de": ("REWE Markt", "Muster GmbH", "Hausverwaltung Nord", "Café Lindner", "Stadtwerke", "Zahlung erhalten besten Dank"),
    "en": ("Corner Grocery", "Acme Payroll", "Northside Lettings", "Coffee Corner", "City Power", "Payment Received - Thank You"),
    "fr": ("Carrefour City", "Dupont SARL", "Agence du Parc", "Café des Arts", "Eau de Lyon", "Paiement reçu merci"),
    "nl": ("Albert Heijn 1371", "Werkgever BV", "Woonstichting Oost", "Café de Brug", "Waterbedrijf", "Betaling ontvangen"),
    "pl": ("Biedronka", "Firma Sp. z o.o.", "Najem lokalu", "Kawiarnia Pod Lipą", "Zakład Wodny", "Spłata karty"),
    "sv": ("ICA Nära", "Lön Bolaget AB", "Hyra Fastighet", "Fika Kaffebar", "Elbolaget", "Inbetalning tack"),
    "es": ("Mercadona", "Nómina Empresa SL", "Alquiler piso", "Café Central", "Aguas de Madrid", "Abono recibo tarjeta"),
    "it": ("Esselunga", "Stipendio Rossi Srl", "Affitto Bianchi", "Bar Centrale", "Acqua Pubblica", "Accredito"),
    "pt": ("Pingo Doce", "Vencimento Lda", "Renda Casa", "Café Lisboa", "EPAL", "Pagamento recebido"),
}  # fmt: skip


class Row(Struct, frozen=True):
    year: str
    month: str
    day: str
    amount: Decimal
    balance: Decimal
    who: str
    number: int

    @property
    def ymd(self) -> str:
        return f"{self.year}-{self.month}-{self.day}"

    @property
    def dots(self) -> str:
        return f"{self.day}.{self.month}.{self.year}"

    @property
    def slashes(self) -> str:
        return f"{self.day}/{self.month}/{self.year}"

    @property
    def american(self) -> str:
        return f"{self.month}/{self.day}/{self.year}"

    @property
    def out(self) -> Decimal | None:
        return -self.amount if self.amount < 0 else None

    @property
    def into(self) -> Decimal | None:
        return self.amount if self.amount > 0 else None


def point(amount: Decimal | None, group: str = "") -> str:
    return "" if amount is None else f"{amount:,.2f}".replace(",", group)


def comma(amount: Decimal | None, group: str = ".") -> str:
    return "" if amount is None else f"{amount:,.2f}".translate(str.maketrans({",": group, ".": ","}))


class File(Struct, frozen=True, kw_only=True):
    """`told` is how it names its account, if at all."""

    row: Callable[[Row], str]
    header: str = ""
    footer: str = ""
    is_card: bool = False
    told: dict[str, str] = {}
    inverted: bool = False
    order: str = "dmy"
    encoding: str = "utf-8"


class Bank(Struct, frozen=True):
    language: str
    currency: str
    checking: File
    other: File


def _rows(bank: Bank, file: File, month: int) -> list[Row]:
    movements = (CARD if file.is_card else CHECKING)[month]
    amounts = [Decimal(amount) for _, amount, _ in movements]
    balances = list(accumulate(reversed(amounts), initial=Decimal(3000)))[1:]
    return [
        Row("2026", *day.split("-"), amount, balance, PEOPLE[bank.language][who], 100 * month + number)
        for (day, _, who), amount, balance, number in zip(movements, amounts, reversed(balances), count(1))
    ]  # fmt: skip


def _content(bank: Bank, file: File, month: int) -> bytes:
    rows = "".join(f"{file.row(row)}\n" for row in _rows(bank, file, month))
    return f"{file.header}{rows}{file.footer}".encode(file.encoding)


_GIRO, _VISA = "DE89370400440532013000", "DE02120300000000202051"


def _sparkasse(iban: str) -> File:
    return File(
        told={"iban": iban},
        header='"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Glaeubiger ID";"Mandatsreferenz";"Kundenreferenz (End-to-End)";"Sammlerreferenz";"Lastschrift Ursprungsbetrag";"Auslagenersatz Ruecklastschrift";"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"BIC (SWIFT-Code)";"Betrag";"Waehrung";"Info"\n',
        row=lambda row: f'"{iban}";"{row.dots[:6]}26";"{row.dots[:6]}26";"FOLGELASTSCHRIFT";"Rechnung {row.number}";"";"";"";"";"";"";"{row.who}";"";"";"{comma(row.amount, "")}";"EUR";"Umsatz gebucht"',
        encoding="cp1252",
    )  # fmt: skip


def _ing_de(iban: str, kind: str) -> File:
    return File(
        told={"iban": iban},
        header=f"Umsatzanzeige;Datei erstellt am: 30.06.2026 10:11\n\nIBAN;{iban[:4]} {iban[4:8]} {iban[8:12]} {iban[12:16]} {iban[16:20]} {iban[20:]}\nKontoname;{kind}\nBank;ING\nKunde;Erika Muster\nZeitraum;01.05.2026 - 31.05.2026\nSaldo;3.044,00;EUR\n\nSortierung;Datum absteigend\n\nBuchung;Wertstellungsdatum;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung\n",
        row=lambda row: f"{row.dots};{row.dots};{row.who};Lastschrift;Rechnung {row.number};{comma(row.balance)};EUR;{comma(row.amount)};EUR",
        encoding="cp1252",
    )  # fmt: skip


def _easybank(iban: str, *, is_card: bool = False) -> File:
    return File(
        is_card=is_card,
        told={"iban": iban},
        row=lambda row: f"{iban};Bezahlung MC/{row.number} {row.who};{row.dots};{row.dots};{comma(row.amount)};EUR",
    )


def _ubs(number: str) -> File:
    return File(
        told={"account_number": number},
        header=f"Kontonummer:;{number};\nIBAN:;CH93 0076 2011 6238 5295 {number[-1]};\nVon:;2026-05-01;\nBis:;2026-05-31;\nAnfangssaldo:;3'000.00;\nSchlusssaldo:;3'043.95;\nBewertet in:;CHF;\n\nAbschlussdatum;Abschlusszeit;Buchungsdatum;Valutadatum;Währung;Belastung;Gutschrift;Einzelbetrag;Saldo;Transaktions-Nr.;Beschreibung1;Beschreibung2;Beschreibung3;Fussnoten;\n",
        row=lambda row: f'{row.ymd};;{row.ymd};{row.ymd};CHF;{point(row.amount if row.out else None)};{point(row.into)};;{point(row.balance)};9930{row.number};"{row.who}";"Zahlung";;;',
    )  # fmt: skip


def _ing_nl(iban: str) -> File:
    return File(
        told={"iban": iban},
        order="ymd",
        header='"Datum","Naam / Omschrijving","Rekening","Tegenrekening","Code","Af Bij","Bedrag (EUR)","Mutatiesoort","Mededelingen"\n',
        row=lambda row: f'"{row.year}{row.month}{row.day}","{row.who}","{iban}","","BA","{"Bij" if row.into else "Af"}","{comma(abs(row.amount))}","Betaalautomaat","Kenmerk: {row.number}"',
    )  # fmt: skip


def _wells_fargo(is_card: bool) -> File:
    return File(
        is_card=is_card, order="mdy", row=lambda row: f'"{row.american}","{point(row.amount)}","*","","{row.who}"'
    )


def _barclays(number: str) -> File:
    return File(
        told={"account_number": number},
        header="Number,Date,Account,Amount,Subcategory,Memo\n",
        row=lambda row: f' ,{row.slashes},{number},{point(row.amount)},Card Purchase,"{row.who}    ON 04 MAY"',
    )


def _millennium(number: str) -> File:
    return File(
        told={"iban": number},
        order="ymd",
        header='"Numer rachunku/karty","Data transakcji","Data rozliczenia","Rodzaj transakcji","Na konto/Z konta","Odbiorca/Zleceniodawca","Opis","Obciążenia","Uznania","Saldo","Waluta"\n',
        row=lambda row: f'"{number}","{row.ymd}","{row.ymd}","PRZELEW","","{row.who}","Faktura {row.number}","{point(row.amount if row.out else None)}","{point(row.into)}","{point(row.balance)}","PLN"',
    )  # fmt: skip


def _swedbank(number: str) -> File:
    return File(
        told={"account_number": number},
        order="ymd",
        header="* Transaktionsrapport Period 2026-05-01 – 2026-05-31\nRadnummer,Clearingnummer,Kontonummer,Produkt,Valuta,Bokföringsdag,Transaktionsdag,Valutadag,Referens,Beskrivning,Belopp,Bokfört saldo\n",
        row=lambda row: f'{row.number},81059,{number},"Privatkonto",SEK,{row.ymd},{row.ymd},{row.ymd},"{row.who}","{row.who}",{point(row.amount)},{point(row.balance)}',
        encoding="cp1252",
    )  # fmt: skip


def _cgd(number: str) -> File:
    return File(
        told={"account_number": number},
        header=f"Consultar saldos e movimentos à ordem - 30-06-2026 ; 10:11\n\nConta ;{number} - EUR - Conta Extracto\nData de início ;01-05-2026\nData de fim ;31-05-2026\n\nData mov. ;Data valor ;Descrição ;Débito ;Crédito ;Saldo contabilístico ;Saldo disponível ;Categoria ;\n",
        row=lambda row: f"{row.day}-{row.month}-{row.year};{row.day}-{row.month}-{row.year};{row.who} ;{comma(row.out)};{comma(row.into)};{comma(row.balance)};{comma(row.balance)};Diversos ;",
        footer=" ; ; ; ;Saldo contabilístico ;3.043,95 EUR ; ; ;\n",
        encoding="cp1252",
    )  # fmt: skip


_CREDIT_AGRICOLE = File(
    header="Téléchargement du 30/06/2026;\n\nCompte de Dépôt carte n° 01234567890;\nSolde au 30/06/2026 3 043,95 €\n\nListe des opérations du compte entre le 01/05/2026 et le 31/05/2026;\n\nDate;Libellé;Débit euros;Crédit euros;\n",
    row=lambda row: f'{row.slashes};"PAIEMENT PAR CARTE       \n{row.who} {row.number}";{comma(row.out, " ")};{comma(row.into, " ")};',
    encoding="cp1252",
)  # fmt: skip

BANKS = {
    "sparkasse": Bank("de", "EUR", _sparkasse(_GIRO), File(
        is_card=True,
        header='"Umsatz getätigt von";"Belegdatum";"Buchungsdatum";"Originalbetrag";"Originalwährung";"Umrechnungskurs";"Buchungsbetrag";"Buchungswährung";"Transaktionsbeschreibung";"Transaktionsbeschreibung Zusatz";"Buchungsreferenz";"Gebührenschlüssel";"Länderkennzeichen";"BAR-Entgelt+Buchungsreferenz";"AEE+Buchungsreferenz";"Abrechnungskennzeichen"\n',
        row=lambda row: f'"5555********1234";"{row.dots[:6]}26";"{row.dots[:6]}26";"{comma(row.amount)}";"EUR";"";"{comma(row.amount)}";"EUR";"{row.who}";"";"0000{row.number}";"0";"DE";"";"";""',
        encoding="cp1252")),
    "sparkasse, two of one kind": Bank("de", "EUR", _sparkasse(_GIRO), _sparkasse(_VISA)),
    "dkb": Bank("de", "EUR", File(
        told={"iban": _GIRO},
        header=f'"Girokonto";"{_GIRO}"\n""\n"Kontostand vom 30.06.2026:";"3.043,95 €"\n""\n"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)";"Gläubiger-ID";"Mandatsreferenz";"Kundenreferenz"\n',
        row=lambda row: f'"{row.dots[:6]}26";"{row.dots[:6]}26";"Gebucht";"{row.who if row.into else "Erika Muster"}";"{row.who if row.out else "Erika Muster"}";"Rechnung {row.number}";"{"Eingang" if row.into else "Ausgang"}";"DE93100000000012345678";"{comma(row.amount)}";"";"";""'), File(
        is_card=True,
        header='"Karte";"Visa Kreditkarte";"4748 •••• •••• 1234"\n""\n"Saldo vom 30.06.2026:";"-1.234,56 EUR"\n""\n"Belegdatum";"Wertstellung";"Status";"Beschreibung";"Umsatztyp";"Betrag (€)";"Fremdwährungsbetrag"\n',
        row=lambda row: f'"{row.dots[:6]}26";"{row.dots[:6]}26";"Gebucht";"{row.who}";"Im Geschäft";"{comma(row.amount)}";""')),
    "ing de": Bank("de", "EUR", _ing_de(_GIRO, "Girokonto"), _ing_de(_VISA, "Extra-Konto")),
    "comdirect": Bank("de", "EUR", File(
        header=';\n"Umsätze Girokonto";"Zeitraum: 30 Tage";\n"Neuer Kontostand";"3.043,95 EUR";\n\n"Buchungstag";"Wertstellung (Valuta)";"Vorgang";"Buchungstext";"Umsatz in EUR";\n',
        row=lambda row: f'"{row.dots}";"{row.dots}";"Lastschrift / Belastung";"Auftraggeber: {row.who} Buchungstext: Rechnung {row.number}";"{comma(row.amount)}";',
        footer='\n"Alter Kontostand";"3.000,00 EUR";\n', encoding="cp1252"), File(
        is_card=True,
        header=';\n"Umsätze Visa-Karte (Kreditkarte)";"Zeitraum: 30 Tage";\n"Neuer Kontostand";"-123,95 EUR";\n\n"Buchungstag";"Umsatztag";"Vorgang";"Referenz";"Buchungstext";"Umsatz in EUR";\n',
        row=lambda row: f'"{row.dots}";"{row.dots}";"Visa-Umsatz";"2010{row.number}";"{row.who}";"{comma(row.amount)}";',
        footer='\n"Alter Kontostand";"-100,00 EUR";\n', encoding="cp1252")),
    "easybank at (no header)": Bank("de", "EUR", _easybank("AT611904300234573201"), _easybank("AT021420020010147558", is_card=True)),
    "ubs, account and card": Bank("de", "CHF", _ubs("0234 00123456.40"), File(
        is_card=True,
        header="sep=;\nKontonummer;Kartennummer;Konto-/Karteninhaber;Einkaufsdatum;Buchungstext;Branche;Betrag;Originalwährung;Kurs;Währung;Belastung;Gutschrift;Buchung\n",
        row=lambda row: f"0000 1234 5678;5101 XXXX XXXX 1234;ERIKA MUSTER;{row.dots};{row.who} ZURICH;Diverse;{point(abs(row.amount))};CHF;;CHF;{point(row.out)};{point(row.into)};{row.dots}",
        encoding="cp1252")),
    "ubs, two accounts": Bank("de", "CHF", _ubs("0234 00123456.40"), _ubs("0234 00123456.41")),
    "zkb and postfinance": Bank("de", "CHF", File(
        header='"Datum";"Buchungstext";"Whg";"Betrag Detail";"ZKB-Referenz";"Referenznummer";"Belastung CHF";"Gutschrift CHF";"Valuta";"Saldo CHF"\n',
        row=lambda row: f'"{row.dots}";"Belastung: {row.who}";"";"";"Z26{row.number}";"";"{point(row.out)}";"{point(row.into)}";"{row.dots}";"{point(row.balance)}"'), File(
        header="Datum von:;2026-05-01\nBuchungsart:;Alle Buchungen\nKonto:;CH1709000000123456784\nWährung:;CHF\n\nDatum;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF;Valuta;Saldo in CHF\n",
        told={"iban": "CH1709000000123456784"}, order="ymd",
        row=lambda row: f'{row.ymd};"KAUF VOM {row.dots} {row.who}";{point(row.into)};{point(row.amount if row.out else None)};{row.ymd};{point(row.balance)}',
        footer="\nDisclaimer:\nDer Dokumentinhalt wurde durch Filtereinstellungen der Kundin generiert.\n")),
    "nationwide": Bank("en", "GBP", File(
        header='"Account Name:","FlexAccount ****12345"\n"Account Balance:","£3043.95"\n"Available Balance: ","£3043.95"\n\n"Date","Transaction type","Description","Paid out","Paid in","Balance"\n',
        row=lambda row: f'"{row.day} {"May" if row.month == "05" else "Jun"} 2026","Visa purchase","{row.who}","{"£" if row.out else ""}{point(row.out)}","{"£" if row.into else ""}{point(row.into)}","£{point(row.balance)}"', encoding="cp1252"), File(
        is_card=True,
        header='"Account Name:","Nationwide Credit Card ****6789"\n"Balance:","£123.95"\n"Available Credit: ","£2876.05"\n\n"Date","Transactions","Location","Paid out","Paid in"\n',
        row=lambda row: f'"{row.day} {"May" if row.month == "05" else "Jun"} 2026","{row.who}","LONDON","{"£" if row.out else ""}{point(row.out)}","{"£" if row.into else ""}{point(row.into)}"', encoding="cp1252")),
    "lloyds": Bank("en", "GBP", File(
        told={"account_number": "12345678"},
        header="Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,Credit Amount,Balance\n",
        row=lambda row: f"{row.slashes},DEB,'30-12-34,12345678,{row.who},{point(row.out)},{point(row.into)},{point(row.balance)}"), File(
        is_card=True, inverted=True,
        header="Date,Date entered,Reference,Description,Amount,\n",
        row=lambda row: f"{row.slashes},{row.slashes},6123{row.number},{row.who},{point(-row.amount)},")),
    "barclays": Bank("en", "GBP", _barclays("20-12-34 12345678"), _barclays("20-12-34 87654321")),
    "amex uk beside starling": Bank("en", "GBP", File(
        header="Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes\n",
        row=lambda row: f"{row.slashes},{row.who},REF {row.number},FASTER PAYMENT,{point(row.amount)},{point(row.balance)},PAYMENTS,"), File(
        is_card=True, inverted=True,
        header="Date,Description,Amount\n",
        row=lambda row: f"{row.slashes},{row.who},{point(-row.amount)}")),
    "chase": Bank("en", "USD", File(
        order="mdy", header="Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #\n",
        row=lambda row: f'{"DEBIT" if row.out else "CREDIT"},{row.american},"{row.who}",{point(row.amount)},ACH_DEBIT,{point(row.balance)},,'), File(
        is_card=True, order="mdy", header="Transaction Date,Post Date,Description,Category,Type,Amount,Memo\n",
        row=lambda row: f"{row.american},{row.american},{row.who},Groceries,{'Sale' if row.out else 'Payment'},{point(row.amount)},")),
    "capital one": Bank("en", "USD", File(
        order="mdy", told={"account_number": "36012345678"}, header="Account Number,Transaction Description,Transaction Date,Transaction Type,Transaction Amount,Balance\n",
        row=lambda row: f"36012345678,{row.who},{row.american[:6]}26,{'Debit' if row.out else 'Credit'},{point(abs(row.amount))},{point(row.balance)}"), File(
        is_card=True, order="ymd", header="Transaction Date,Posted Date,Card No.,Description,Category,Debit,Credit\n",
        row=lambda row: f"{row.ymd},{row.ymd},1234,{row.who},Merchandise,{point(row.out)},{point(row.into)}")),
    "one header, card positive (us credit union)": Bank("en", "USD", File(
        order="mdy", header="Date,Description,Amount\n", row=lambda row: f"{row.american},{row.who},{point(row.amount)}"), File(
        is_card=True, inverted=True, order="mdy", header="Date,Description,Amount\n",
        row=lambda row: f"{row.american},{row.who},{point(-row.amount)}")),
    "discover beside wells fargo": Bank("en", "USD", _wells_fargo(False), File(
        is_card=True, inverted=True, order="mdy", header="Trans. Date,Post Date,Description,Amount,Category\n",
        row=lambda row: f'{row.american},{row.american},"{row.who}",{point(-row.amount)},"Merchandise"')),
    "wells fargo (no header)": Bank("en", "USD", _wells_fargo(False), _wells_fargo(True)),
    "crédit agricole": Bank("fr", "EUR", _CREDIT_AGRICOLE, _CREDIT_AGRICOLE),
    "boursorama": Bank("fr", "EUR", *(File(
        told={"account_number": number}, order="ymd",
        header="dateOp;dateVal;label;category;categoryParent;supplierFound;amount;comment;accountNum;accountLabel;accountbalance\n",
        row=lambda row, number=number: f'{row.ymd};{row.ymd};"CARTE {row.slashes} {row.who}";Alimentation;"Vie quotidienne";"{row.who.lower()}";"{comma(row.amount, " ")}";;{number};BoursoBank;{point(row.balance)}')
        for number in ("00040123456", "00040123457"))),
    "ing nl": Bank("nl", "EUR", _ing_nl("NL69INGB0123456789"), _ing_nl("NL20INGB0001234567")),
    "abn amro and ics": Bank("nl", "EUR", File(
        told={"account_number": "123456789"}, order="ymd",
        row=lambda row: f"123456789\tEUR\t2026{row.month}{row.day}\t{comma(row.balance - row.amount, '')}\t{comma(row.balance, '')}\t2026{row.month}{row.day}\t{comma(row.amount, '')}\tBEA NR:{row.number} {row.who}"), File(
        is_card=True, header="Transactiedatum;Boekingsdatum;Omschrijving;Debet/Credit;Bedrag (EUR)\n",
        row=lambda row: f"{row.day}-{row.month}-{row.year};{row.day}-{row.month}-{row.year};{row.who};{'D' if row.out else 'C'};{comma(abs(row.amount))}")),
    "mbank and millennium": Bank("pl", "PLN", File(
        order="ymd", header="mBank S.A. Bankowość Detaliczna;\n#Klient;\nERYKA PRZYKŁAD;\n\n#Za okres:;\n01.05.2026;31.05.2026;\n\n#zgodnie z wybranymi rachunkami:;\neKonto - 1234...5678;\n\n#Waluta;#Wpływy;#Wydatki;\nPLN;2 431,80 PLN;-2 387,85 PLN;\n\n#Data operacji;#Opis operacji;#Rachunek;#Kategoria;#Kwota;\n",
        row=lambda row: f'{row.ymd};"{row.who}";"eKonto 1234 ... 5678";"Zakupy";{comma(row.amount, " ")} PLN;;'), _millennium("PL61109010140000071219812874")),
    "millennium pl": Bank("pl", "PLN", _millennium("PL61109010140000071219812874"), _millennium("PL27114020040000300201355387")),
    "swedbank": Bank("sv", "SEK", _swedbank("9876543"), _swedbank("9876544")),
    "handelsbanken and amex se": Bank("sv", "SEK", File(
        order="ymd", header="Reskontradatum;Transaktionsdatum;Text;Belopp;Saldo\n",
        row=lambda row: f"{row.ymd};{row.ymd};{row.who};{comma(row.amount, ' ')};{comma(row.balance, ' ')}"), File(
        is_card=True, inverted=True, order="mdy", header="Datum,Beskrivning,Belopp\n",
        row=lambda row: f'{row.american},{row.who},"{comma(-row.amount, "")}"')),
    "bbva": Bank("es", "EUR", *(File(
        is_card=is_card, header="F.Valor;Fecha;Concepto;Movimiento;Importe;Divisa;Disponible;Divisa;Observaciones\n",
        row=lambda row: f"{row.slashes};{row.slashes};{row.who};Pago con tarjeta;{comma(row.amount)};EUR;{comma(row.balance)};EUR;Ref {row.number}") for is_card in (False, True))),
    "fineco": Bank("it", "EUR", File(
        header="Conto Corrente: 1234567\nIntestazione Conto Corrente: ROSSI MARIA\nPeriodo Dal: 01/05/2026 Al: 31/05/2026\n\nData;Entrate;Uscite;Descrizione;Descrizione_Completa;Stato\n",
        row=lambda row: f"{row.slashes};{comma(row.into, '')};{comma(row.amount if row.out else None, '')};Pagamento;{row.who} op. {row.number};Contabilizzato"), File(
        is_card=True, header="Intestatario carta;Numero carta;Data operazione;Data Registrazione;Descrizione;Stato operazione;Tipo operazione;Circuito;Tipo rimborso;Importo\n",
        row=lambda row: f"MARIA ROSSI;**** **** **** 1234;{row.slashes};{row.slashes};{row.who};Contabilizzato;Acquisto;VISA;Saldo;{comma(row.amount)}")),
    "cgd pt": Bank("pt", "EUR", _cgd("0123456789030"), _cgd("0123456789130")),
    "activobank and its card": Bank("pt", "EUR", File(
        header="Data Lanc.;Data Valor;Descrição;Valor;Saldo\n",
        row=lambda row: f"{row.slashes};{row.slashes};COMPRA {row.number} {row.who};{comma(row.amount, ' ')};{comma(row.balance, ' ')}"), File(
        is_card=True, inverted=True, header="Data;Data Valor;Descrição;Valor\n",
        row=lambda row: f"{row.slashes};{row.slashes};{row.who};{comma(-row.amount)}")),
}  # fmt: skip


# First the order of the accounts, then how a person says which account a file is of.
COURSES = [((0, 1), "in the upload"), ((1, 0), "when asked"), ((0, 1), "after another, and a change of the columns")]
# Two of the three for each bank, in turn, because each case takes seconds.
CASES = [(name, *COURSES[(number + turn) % 3]) for number, name in enumerate(BANKS) for turn in (0, 1)]


@pytest.mark.any_database
@pytest.mark.parametrize(("name", "order", "way"), CASES, ids=[f"{name}-{way}" for name, _, way in CASES])
def test_two_accounts_of_a_bank_come_in_as_their_files_say(
    world: World, me: Client, name: str, order: tuple[int, int], way: str
) -> None:
    bank = BANKS[name]
    files = (bank.checking, bank.other)
    ids = [_an_account(me, bank, file, f"Account {place}") for place, file in enumerate(files)]

    for month, place in product((0, 1), order):
        job = _a_job_by_a_person(me, bank, files[place], month, own=ids[place], other=ids[1 - place], way=way)
        questions = shown(me, job)["detected"]["questions"]
        _answer(me, job, bank, files[place])
        done = run(world, me, job)

        assert (done["state"], done["counts"]["rejected"]) == ("done", 0), done["findings"]
        assert _booked(me, ids[place], month) == _expected(bank, files[place], month), done["mapping"]
        if month and (files[place].told or way != "when asked"):
            assert questions == [], "the month before answered them"


def _an_account(me: Client, bank: Bank, file: File, name: str) -> str:
    return made(me, (card if file.is_card else asset)(name=name, currency_code=bank.currency, **file.told))


def _a_job_by_a_person(me: Client, bank: Bank, file: File, month: int, *, own: str, other: str, way: str) -> Any:
    first = {"in the upload": own, "after another, and a change of the columns": other}.get(way)
    job = a_job(me, _content(bank, file, month), **({"account_id": first} if first else {}))
    if first == other:
        _change(me, job, mapping=_as_shown(shown(me, job)))
        _change(me, job, account_id=own)
    if any(one["field"] == "account_id" and one["rejected"] for one in shown(me, job)["findings"]):
        assert not file.told, "the file names its account"
        _change(me, job, account_id=own)
    return job


def _answer(me: Client, job: Any, bank: Bank, file: File) -> None:
    decimal = "," if "," in file.row(_rows(bank, file, 0)[0]) else "."
    answers = {"invert": file.inverted, "date_order": file.order, "decimal": decimal}
    while questions := shown(me, job)["detected"]["questions"]:
        field = questions[0]["field"]
        _change(me, job, mapping={**_as_shown(shown(me, job)), field: answers.pop(field)})


def _as_shown(at: Mapping[str, Any]) -> dict[str, Any]:
    """As the web app sends a mapping of which one thing changes: all that is shown, without what is asked."""
    asked = {one["field"] for one in at["detected"]["questions"]}
    return {name: value for name, value in at["mapping"].items() if name not in asked}


def _change(me: Client, job: Any, **fields: Any) -> None:
    answer = me.put(f"/import_jobs/{job['id']}", fields)
    assert answer.status_code == 200, answer.text


def _booked(me: Client, account_id: str, month: int) -> list[tuple[str, float, str, str]]:
    booked = [one["attributes"] for one in me.get(f"/accounts/{account_id}/transactions", limit=100).json()["data"]]
    return sorted(
        (one["date"], one["amount"], one["currency_code"], _who(one))
        for one in booked if one["date"][5:7] == f"0{5 + month}"
    )  # fmt: skip


def _who(one: Mapping[str, Any]) -> str:
    """The person or shop of those of the tests that it names."""
    texts = f"{one['description']} {one['source_name']} {one['destination_name']}"
    return next((who for people in PEOPLE.values() for who in people if who in texts), texts)


def _expected(bank: Bank, file: File, month: int) -> list[tuple[str, float, str, str]]:
    return sorted((row.ymd, float(row.amount), bank.currency, row.who) for row in _rows(bank, file, month))
