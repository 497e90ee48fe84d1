"""The headers of many banks, each with a few rows: date, amount and text are found in the right columns."""
# ruff: noqa: E501, ISC004

from decimal import Decimal

import pytest

from .tables import detected, rows_of

# Of each: the table, the amounts, and the columns of some roles.
TABLES = {
    "comdirect": (
        """"Umsätze Girokonto";"Zeitraum: 30 Tage";
"Neuer Kontostand";"1.234,56 EUR";

"Buchungstag";"Wertstellung (Valuta)";"Vorgang";"Buchungstext";"Umsatz in EUR";
"offen";"31.01.2026";"Karte";"Buchungstext: Tankstelle";"-50,00";
"30.01.2026";"30.01.2026";"Lastschrift";"Auftraggeber: Strom AG Buchungstext: Abschlag";"-80,10";
"15.01.2026";"15.01.2026";"Übertrag";"Auftraggeber: Anna Buchungstext: Danke";"1.200,00";

"Alter Kontostand";"114,66 EUR";
""",
        "-80.10 1200.00",
        {"description": "Buchungstext", "value_date": "Wertstellung (Valuta)", "notes": "Vorgang"},
    ),
    "commerzbank": (
        """Buchungstag;Wertstellung;Umsatzart;Buchungstext;Betrag;Währung;Auftraggeberkonto;Bankleitzahl Auftraggeberkonto;IBAN Auftraggeberkonto;Kategorie
30.01.2026;30.01.2026;Lastschrift;Strom AG Abschlag;-80,10;EUR;1234567;10040000;DE89370400440532013000;Wohnen
15.01.2026;15.01.2026;Gutschrift;Anna Danke;1.200,00;EUR;1234567;10040000;DE89370400440532013000;
""",
        "-80.10 1200.00",
        {"account": "Auftraggeberkonto", "category": "Kategorie", "amount": "Betrag"},
    ),
    "1822direkt": (
        """Kontonummer;Datum/Zeit;Buchungstag;Wertstellung;Soll/Haben;Buchungsschlüssel;Buchungsart;Empfänger/Auftraggeber Name;IBAN;BIC;Vwz.0;Vwz.1;Vwz.2
1234567;30.01.2026 10:00;30.01.2026;30.01.2026;-80,10;005;Lastschrift;Strom AG;DE75512108001245126199;X;Abschlag;Januar;
1234567;15.01.2026 10:00;15.01.2026;15.01.2026;1.200,00;051;Gutschrift;Anna;DE21500500009876543210;Y;Danke;;
""",
        "-80.10 1200.00",
        {"amount": "Soll/Haben", "description": ("Vwz.0", "Vwz.1", "Vwz.2"), "account": "Kontonummer"},
    ),
    "hypovereinsbank": (
        """Kontonummer;Buchungsdatum;Valuta;Empfaenger 1;Empfaenger 2;Verwendungszweck;Betrag;Waehrung
1234567;30.01.2026;30.01.2026;Strom AG;;Abschlag;-80,10;EUR
1234567;15.01.2026;15.01.2026;Anna;;Danke;1.200,00;EUR
""",
        "-80.10 1200.00",
        {"payee": "Empfaenger 1", "value_date": "Valuta", "currency": "Waehrung"},
    ),
    "bunq": (
        """"Date";"Interest Date";"Amount";"Account";"Counterparty";"Name";"Description"
"2026-01-30";"2026-01-30";"-80,10";"NL44RABO0123456789";"NL69INGB0123456789";"Bakker";"brood"
"2026-01-15";"2026-01-15";"1.200,00";"NL44RABO0123456789";"NL91ABNA0417164300";"Anna";"dank"
""",
        "-80.10 1200.00",
        {"payee": "Name", "payee_account": "Counterparty", "account": "Account", "value_date": "Interest Date"},
    ),
    "kbc": (
        """Rekeningnummer;Rubrieknaam;Naam;Munt;Afschriftnummer;Datum;Omschrijving;Valuta;Bedrag;Saldo;credit;debet;rekeningnummer tegenpartij;BIC tegenpartij;Naam tegenpartij;Vrije mededeling
BE68539007547034;zicht;JAN PEETERS;EUR;1;30/01/2026;DOMICILIERING;30/01/2026;-80,10;1119,90;;-80,10;BE71096123456769;X;STROOM NV;klant 5
BE68539007547034;zicht;JAN PEETERS;EUR;1;15/01/2026;OVERSCHRIJVING;15/01/2026;1200,00;1200,00;1200,00;;BE71096123456769;Y;ANNA;dank
""",
        "-80.10 1200.00",
        {"payee": "Naam tegenpartij", "account": "Rekeningnummer", "payee_account": "rekeningnummer tegenpartij"},
    ),
    "credit agricole": (
        """Téléchargement du 31/01/2026;
M. JEAN DUPONT
Compte de Dépôt carte n° 12345678901;
Solde au 31/01/2026 1 119,90 €

Liste des opérations du compte entre le 01/01/2026 et le 31/01/2026;

Date;Libellé;Débit euros;Crédit euros;
30/01/2026;"PRLV
EDF FACTURE";80,10;;
15/01/2026;"VIREMENT
ANNA";;1 200,00;
""",
        "-80.10 1200.00",
        {"debit": "Débit euros", "credit": "Crédit euros", "description": "Libellé"},
    ),
    "societe generale": (
        """="0123456789";01/01/2026;31/01/2026;2;31/01/2026;1119,90 EUR

date_comptabilisation;libellé_complet_operation;montant_operation;devise;
30/01/2026;PRLV EDF;-80,10;EUR;
15/01/2026;VIR ANNA;1200,00;EUR;
""",
        "-80.10 1200.00",
        {"description": "libellé_complet_operation", "currency": "devise"},
    ),
    "boursorama": (
        """dateOp;dateVal;label;category;categoryParent;supplierFound;amount;comment;accountNum;accountLabel;accountbalance
2026-01-30;2026-01-30;"PRLV EDF";"Électricité";"Logement";"edf";"-80,10";"";"00012345";"BoursoBank";1119.90
2026-01-15;2026-01-15;"VIR Anna";"Virements";"Revenus";"";"1 200,00";"";"00012345";"BoursoBank";1119.90
""",
        "-80.10 1200.00",
        {"date": "dateOp", "value_date": "dateVal", "description": "label", "category": "category"},
    ),
    "asn (no header, balance before)": (
        """30-01-2026,NL44RABO0123456789,NL69INGB0123456789,bakker,,,,EUR,1000.00,EUR,-80.10,30-01-2026,30-01-2026,8810,BEA,1,,'brood kopen',1
30-01-2026,NL44RABO0123456789,NL91ABNA0417164300,anna,,,,EUR,919.90,EUR,1200.00,30-01-2026,30-01-2026,8811,IOB,2,,'dank',1
31-01-2026,NL44RABO0123456789,NL91ABNA0417164300,anna,,,,EUR,2119.90,EUR,-5.00,31-01-2026,31-01-2026,8811,IOB,3,,'koek',1
""",
        "-80.10 1200.00 -5.00",
        {"amount": 10, "account": 1, "payee_account": 2},
    ),
    "triodos (no header, marker)": (
        """"30-01-2026","NL44TRIO0123456789","80,10","Debet","Bakker","NL69INGB0123456789","ET","brood","1.119,90"
"15-01-2026","NL44TRIO0123456789","1.200,00","Credit","Anna","NL91ABNA0417164300","CO","veel dank voor alles","1.200,00"
""",
        "-80.10 1200.00",
        {"amount": 2, "sign": 3, "balance": 8},
    ),
    "swedbank": (
        """* Transaktioner Period 2026-01-01 – 2026-01-31 Skapad 2026-01-31 10:00 CET
Radnummer,Clearingnummer,Kontonummer,Produkt,Valuta,Bokföringsdag,Transaktionsdag,Valutadag,Referens,Beskrivning,Belopp,Bokfört saldo
1,81059,1234567890,Privatkonto,SEK,2026-01-30,2026-01-29,2026-01-30,EL AB,Autogiro,-80.10,1119.90
2,81059,1234567890,Privatkonto,SEK,2026-01-15,2026-01-15,2026-01-15,Anna,Swish,1200.00,1200.00
""",
        "-80.10 1200.00",
        {"date": "Bokföringsdag", "balance": "Bokfört saldo", "currency": "Valuta", "account": "Kontonummer"},
    ),
    "capital one": (
        """Transaction Date,Posted Date,Card No.,Description,Category,Debit,Credit
2026-01-30,2026-01-31,1234,ELECTRIC,Utilities,80.10,
2026-01-15,2026-01-15,1234,PAYMENT,Payment,,1200.00
""",
        "-80.10 1200.00",
        {"debit": "Debit", "credit": "Credit"},
    ),
    "wells fargo (no header)": (
        '"01/30/2026","-80.10","*","","ELECTRIC CO"\n"01/15/2026","1200.00","*","","PAYROLL ACME"\n',
        "-80.10 1200.00",
        {"date": 0, "amount": 1, "description": 4},
    ),
    "td canada (no header)": (
        '"01/30/2026","ELECTRIC CO","80.10","","1119.90"\n"01/15/2026","PAYROLL","","1200.00","1200.00"\n'
        '"01/14/2026","SHOP","3.00","","0.00"\n"01/13/2026","SHOP","2.00","","3.00"\n',
        "-80.10 1200.00 -3.00 -2.00",
        {"debit": 2, "credit": 3, "balance": 4},
    ),
    "apple card": (
        """Transaction Date,Clearing Date,Description,Merchant,Category,Type,Amount (USD),Purchased By
01/30/2026,01/31/2026,ELECTRIC CO,Electric,Utilities,Purchase,80.10,A Sample
01/15/2026,01/15/2026,ACH DEPOSIT,Ach,Payment,Payment,-1200.00,A Sample
01/13/2026,01/14/2026,SHOP,Shop,Other,Purchase,3.00,A Sample
01/12/2026,01/14/2026,SHOP,Shop,Other,Purchase,3.00,A Sample
""",
        "-80.10 1200.00 -3.00 -3.00",
        {"payee": "Merchant"},
    ),
    "nationwide": (
        """"Account Name:","FlexAccount ****12345"
"Account Balance:","£1,119.90"
"Available Balance: ","£1,119.90"

"Date","Transaction type","Description","Paid out","Paid in","Balance"
"30 Jan 2026","Direct debit","ELECTRIC","£80.10","","£1,119.90"
"15 Jan 2026","Bank credit","ACME","","£1,200.00","£1,200.00"
""",
        "-80.10 1200.00",
        {"balance": "Balance", "notes": "Transaction type"},
    ),
    "natwest": (
        """Date, Type, Description, Value, Balance, Account Name, Account Number

30/01/2026,D/D,"'ELECTRIC CO",-80.10,1119.90,"'SMITH J","'600000-12345678",
15/01/2026,BAC,"'ACME PAY",1200.00,1200.00,"'SMITH J","'600000-12345678",
""",
        "-80.10 1200.00",
        {"amount": "Value", "description": "Description"},
    ),
    "caixabank": (
        """Fecha;Fecha valor;Movimiento;Más datos;Importe;Saldo
30/01/2026;30/01/2026;RECIBO;LUZ SA;-80,10EUR;1.119,90EUR
15/01/2026;15/01/2026;NOMINA;ACME;1.200,00EUR;1.200,00EUR
""",
        "-80.10 1200.00",
        {"description": ("Movimiento", "Más datos")},
    ),
    "mbank": (
        """mBank S.A.;
#Klient;
JAN KOWALSKI;

#Data operacji;#Opis operacji;#Rachunek;#Kategoria;#Kwota;
2026-01-30;"PRAD SA";"eKonto 1234 ... 5678";"Prad";-80,10 PLN;;
2026-01-15;"WYPLATA";"eKonto 1234 ... 5678";"Wynagrodzenie";1 200,00 PLN;;
""",
        "-80.10 1200.00",
        {"category": "#Kategoria", "amount": "#Kwota"},
    ),
    "postfinance": (
        """Datum von:;="01.01.2026"
Buchungsart:;="Alle Buchungen"
Konto:;="CH9300762011623852957"
Währung:;="CHF"

Datum;Bewegungstyp;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF;Label;Kategorie;
30.01.2026;Lastschrift;STROM AG;;-80.10;;Wohnen;
15.01.2026;Gutschrift;LOHN;1'200.00;;;Einkommen;

Disclaimer:
Der Dokumentinhalt wurde durch Filtereinstellungen der Kundschaft generiert.
""",
        "-80.10 1200.00",
        {"credit": "Gutschrift in CHF", "debit": "Lastschrift in CHF", "date": "Datum"},
    ),
    "nubank": (
        "Data,Valor,Identificador,Descrição\n30/01/2026,-80.10,aa-1,Luz\n15/01/2026,1200.00,aa-2,Salario\n",
        "-80.10 1200.00",
        {"bank_id": "Identificador", "amount": "Valor"},
    ),
    "starling": (
        """Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes
30/01/2026,Electric Co,INV 5,DIRECT DEBIT,-80.10,1119.90,BILLS,
15/01/2026,Acme,PAY,FASTER PAYMENT,1200.00,1200.00,INCOME,
""",
        "-80.10 1200.00",
        {"payee": "Counter Party", "balance": "Balance (GBP)", "category": "Spending Category"},
    ),
    "gls": (
        """Bezeichnung Auftragskonto;IBAN Auftragskonto;BIC Auftragskonto;Bankname Auftragskonto;Buchungstag;Valutadatum;Name Zahlungsbeteiligter;IBAN Zahlungsbeteiligter;BIC (SWIFT-Code) Zahlungsbeteiligter;Buchungstext;Verwendungszweck;Betrag;Waehrung;Saldo nach Buchung;Bemerkung;Gekennzeichneter Umsatz;Glaeubiger ID;Mandatsreferenz
Giro;DE89370400440532013000;GENODEM1GLS;GLS;30.01.2026;30.01.2026;Strom AG;DE75512108001245126199;X;Lastschrift;Abschlag;-80,10;EUR;1119,90;;;DE98ZZZ09999999999;M-1
Giro;DE89370400440532013000;GENODEM1GLS;GLS;15.01.2026;15.01.2026;Anna;DE21500500009876543210;Y;Gutschrift;Danke;1200,00;EUR;1200,00;;;;
""",
        "-80.10 1200.00",
        {"account": "IBAN Auftragskonto", "payee": "Name Zahlungsbeteiligter", "description": "Verwendungszweck"},
    ),
    "aib": (
        """Posted Account, Posted Transactions Date, Description1, Description2, Description3, Debit Amount, Credit Amount,Balance,Posted Currency,Transaction Type,Local Currency Amount,Local Currency
"93-00-00-12345678","30/01/2026","ELECTRIC","","",80.10,,1119.90,EUR,"Debit",80.10,EUR
"93-00-00-12345678","15/01/2026","ACME","PAY","",,1200.00,1200.00,EUR,"Credit",1200.00,EUR
""",
        "-80.10 1200.00",
        {"account": "Posted Account", "currency": "Posted Currency"},
    ),
    "revolut, german": (
        """Typ,Produkt,Datum des Beginns,Datum des Abschlusses,Beschreibung,Betrag,Gebühr,Währung,Status,Kontostand
KARTENZAHLUNG,Girokonto,2026-01-30 10:00:00,2026-01-30 10:00:00,Strom,-80.00,0.10,EUR,ABGESCHLOSSEN,1119.90
KARTENZAHLUNG,Girokonto,2026-01-30 09:00:00,,Hotel,-99.00,0.00,EUR,RÜCKGÄNGIG GEMACHT,
AUFLADUNG,Girokonto,2026-01-15 10:00:00,2026-01-15 10:00:00,Anna,1200.00,0.00,EUR,ABGESCHLOSSEN,1200.00
""",
        "-80.10 1200.00",
        {"fee": "Gebühr", "status": "Status"},
    ),
    "wise, all accounts": (
        """ID,Status,Direction,Created on,Finished on,Source fee amount,Source fee currency,Target fee amount,Target fee currency,Source name,Source amount (after fees),Source currency,Target name,Target amount (after fees),Target currency,Exchange rate,Reference,Batch
TRANSFER-2,COMPLETED,OUT,2026-01-30 10:00:00,2026-01-30 10:00:09,0.10,EUR,,,A Sample,80.00,EUR,Bob,86.40,USD,1.08,rent,
TRANSFER-1,COMPLETED,IN,2026-01-15 10:00:00,2026-01-15 10:00:09,0.00,EUR,,,Carol,1200.00,EUR,A Sample,1200.00,EUR,1.0,thanks,
""",
        "-80.10 1200.00",
        {"sign": "Direction", "bank_id": "ID", "payee": "Target name", "payer": "Source name"},
    ),
    "hdfc": (
        """HDFC BANK Ltd.,,,,,,
Statement From : 01/01/2026 To : 31/01/2026,,,,,,
,,,,,,
Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance
********,**********,****,********,****,****,****
30/01/26,ELECTRIC,0001,30/01/26,80.10,,"1,01,119.90"
15/01/26,ACME,0002,15/01/26,,1200.00,"1,01,200.00"
********,**********,****,********,****,****,****
""",
        "-80.10 1200.00",
        {"balance": "Closing Balance", "value_date": "Value Dt"},
    ),
    "citi card": (
        """Status,Date,Description,Debit,Credit,Member Name
Cleared,01/30/2026,"ELECTRIC",80.10,,A SAMPLE
Cleared,01/15/2026,"PAYMENT THANK YOU",,-1200.00,A SAMPLE
""",
        "-80.10 1200.00",
        {"debit": "Debit", "status": "Status"},
    ),
    "nordea finland": (
        """Kirjauspäivä;Määrä;Maksaja;Maksunsaaja;Nimi;Otsikko;Viitenumero;Saldo;Valuutta
2026/01/30;-80,10;FI21 1234 5600 0007 85;;Sähkö Oy;Sähkö;;1119,90;EUR
2026/01/15;1200,00;;FI21 1234 5600 0007 85;Anna;Palkka;;1200,00;EUR
""",
        "-80.10 1200.00",
        {"payee": "Nimi", "currency": "Valuutta", "description": "Otsikko"},
    ),
    "paypal, german": (
        """"Datum","Uhrzeit","Zeitzone","Name","Typ","Status","Währung","Brutto","Gebühr","Netto","Absender E-Mail-Adresse","Empfänger E-Mail-Adresse","Transaktionscode","Guthaben"
"30.01.2026","10:00:00","CET","Laden","Zahlung","Abgeschlossen","EUR","-80,10","0,00","-80,10","me@x","y@x","AAA1","1.119,90"
"15.01.2026","10:00:00","CET","Anna","Zahlung erhalten","Abgeschlossen","EUR","1.210,00","-10,00","1.200,00","anna@x","me@x","AAA2","1.200,00"
""",
        "-80.10 1200.00",
        {"amount": "Netto", "payee": "Name", "bank_id": "Transaktionscode", "balance": "Guthaben"},
    ),
    "one payee only": (
        "Buchung;Auftraggeber/Empfänger;Verwendungszweck;IBAN;Betrag\n30.01.2026;Anna;Miete;DE89370400440532013000;-80,10\n"
        "02.01.2026;Anna;Miete;DE89370400440532013000;-80,10\n",
        "-80.10 -80.10",
        {"payee_account": "IBAN", "account": None},
    ),
    "one row only": (
        "Buchung;Auftraggeber/Empfänger;Verwendungszweck;IBAN;Betrag\n30.01.2026;Anna;Danke;DE89370400440532013000;-80,10\n",
        "-80.10",
        {"payee_account": "IBAN"},
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_the_columns_of_many_banks_are_found(name: str) -> None:
    table, amounts, columns = TABLES[name]

    found = detected(table)
    rows = rows_of(table)

    assert found.problems == ()
    assert [row.amount for row in rows] == [Decimal(amount) for amount in amounts.split()]
    assert rows[0].on.isoformat() == "2026-01-30"
    assert {role: found.layout.columns.get(role) for role in columns} == columns
    assert all(row.description or row.payee for row in rows)


def test_a_table_with_a_header_and_no_rows_is_an_empty_statement() -> None:
    table = "Buchungstag;Verwendungszweck;Betrag\n"

    assert detected(table).problems == ()
    assert rows_of(table) == []
