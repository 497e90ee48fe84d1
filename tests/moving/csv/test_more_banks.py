"""Headers and tables of more banks, after their published layouts; each is understood without a hint."""
# ruff: noqa: E501

from decimal import Decimal
from io import BytesIO

import pytest

from farthing.moving.formats.csv.detect import detect
from farthing.moving.formats.csv.read import read
from farthing.moving.statements import StatementRow

# Of each: the table, and the amounts if they are not the usual ones.
TABLES: dict[str, tuple[str, str]] = {
    "hsbc uk (no header)": (
        """\
30/01/2026,ELECTRIC CO,-80.10
15/01/2026,"ACME LTD, PAY","1,200.00"
14/01/2026,SHOP,-3.00
""",
        "-80.10 1200.00 -3.00",
    ),
    "tsb": (
        """\
Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,Credit Amount,Balance,
30/01/2026,DD,'11-22-33,12345678,ELECTRIC CO,80.10,,1119.90,
15/01/2026,BGC,'11-22-33,12345678,ACME,,1200.00,1200.00,
""",
        "-80.10 1200.00",
    ),
    "metro uk": (
        """\
Date,Details,Transaction Type,In,Out,Balance
30/01/2026,ELECTRIC,Direct Debit,0.00,80.10,1119.90
15/01/2026,ACME,Inward Payment,1200.00,0.00,1200.00
""",
        "-80.10 1200.00",
    ),
    "virgin money card": (
        """\
Transaction Date,Posting Date,Billing Amount,Merchant,Merchant City,Merchant State,Merchant Postcode,Reference Number,Debit or Credit,SICMCC Code,Status,Transaction Currency,Additional Card Holder,Card Used
2026-01-30,2026-01-31,80.10,ELECTRIC,LONDON,,SW1,5540001,DBIT,4900,BILLED,GBP,,1234
2026-01-15,2026-01-15,1200.00,PAYMENT,,,,5540002,CRDT,0,BILLED,GBP,,1234
""",
        "-80.10 1200.00",
    ),
    "barclaycard (no header)": (
        """\
30 Jan 2026 ," Electric Co, London Gb",Visa,A SAMPLE,Utilities,,80.10
15 Jan 2026 ," Payment, Thank You",Visa,A SAMPLE,Payments,-1200.00,
13 Jan 2026 ," Shop",Visa,A SAMPLE,Other,,3.00
""",
        "-80.10 1200.00 -3.00",
    ),
    "discover": (
        """\
Trans. Date,Post Date,Description,Amount,Category
01/30/2026,01/30/2026,"ELECTRIC CO",80.10,"Services"
01/15/2026,01/15/2026,"INTERNET PAYMENT - THANK YOU",-1200.00,"Payments and Credits"
01/14/2026,01/14/2026,"SHOP",3.00,"Merchandise"
01/13/2026,01/13/2026,"SHOP",2.00,"Merchandise"
""",
        "-80.10 1200.00 -3.00 -2.00",
    ),
    "ally": (
        """\
Date, Time, Amount, Type, Description
2026-01-30,10:00:00,-80.1,Withdrawal,ELECTRIC CO
2026-01-15,11:00:00,1200,Deposit,ACME PAYROLL
""",
        "-80.10 1200.00",
    ),
    "schwab": (
        """\
"Date","Status","Type","CheckNumber","Description","Withdrawal","Deposit","RunningBalance"
"01/30/2026","Posted","ACH","","ELECTRIC","$80.10","","$1,119.90"
"01/15/2026","Posted","ACH","","ACME","","$1,200.00","$1,200.00"
""",
        "-80.10 1200.00",
    ),
    "amex us": (
        """\
Date,Description,Card Member,Account #,Amount
01/30/2026,ELECTRIC CO,A SAMPLE,-11001,80.10
01/15/2026,AUTOPAY PAYMENT - THANK YOU,A SAMPLE,-11001,-1200.00
01/14/2026,SHOP,A SAMPLE,-11001,3.00
01/13/2026,SHOP,A SAMPLE,-11001,2.00
""",
        "-80.10 1200.00 -3.00 -2.00",
    ),
    "venmo": (
        """\
,ID,Datetime,Type,Status,Note,From,To,Amount (total),Amount (tip),Amount (tax),Amount (fee),Tax Rate,Tax Exempt,Funding Source,Destination,Beginning Balance,Ending Balance,Statement Period Venmo Fees,Terminal Location,Year to Date Venmo Fees,Disclaimer
,,,,,,,,,,,,,,,,$100.00,,,,,
,3001,2026-01-30T10:00:00,Payment,Complete,rent,Ann,Bob,- $80.10,,0,,0,,Venmo balance,,,,,Venmo,,
,3002,2026-01-15T10:00:00,Payment,Complete,pay,Carl,Ann,"+ $1,200.00",,0,,0,,,Venmo balance,,,,Venmo,,
,,,,,,,,,,,,,,,,,"$1,219.90",$0.00,,$0.00,"In case of errors..."
""",
        "-80.10 1200.00",
    ),
    "rbc": (
        """\
"Account Type","Account Number","Transaction Date","Cheque Number","Description 1","Description 2","CAD$","USD$"
Chequing,01234-5678901,1/30/2026,,"ELECTRIC","BILL",-80.10,,
Chequing,01234-5678901,1/15/2026,,"ACME","PAYROLL",1200.00,,
""",
        "-80.10 1200.00",
    ),
    "scotiabank (no header)": (
        """\
1/30/2026,-80.10,-,"POINT OF SALE PURCHASE ","ELECTRIC CO"
1/15/2026,1200.00,-,"PAYROLL DEP. ","ACME"
1/13/2026,-3.00,-,"POINT OF SALE PURCHASE ","SHOP"
""",
        "-80.10 1200.00 -3.00",
    ),
    "bmo": (
        """\
Following data is valid as of 20260131101010 (Year/Month/Day/Hour/Minute/Second)


First Bank Card,Transaction Type,Date Posted, Transaction Amount,Description

'500766',DEBIT,20260130,-80.1,[DN]ELECTRIC CO
'500766',CREDIT,20260115,1200.0,[DN]ACME PAY
""",
        "-80.10 1200.00",
    ),
    "cibc (no header)": (
        """\
2026-01-30,"ELECTRIC CO",80.10,,4500********1234
2026-01-15,"PAYMENT THANK YOU",,1200.00,4500********1234
2026-01-14,"SHOP",3.00,,4500********1234
2026-01-13,"SHOP",2.00,,4500********1234
""",
        "-80.10 1200.00 -3.00 -2.00",
    ),
    "nab": (
        """\
Date,Amount,Account Number,,Transaction Type,Transaction Details,Balance,Category,Merchant Name
30 Jan 26,-80.10,123456789,,MISCELLANEOUS DEBIT,ELECTRIC CO,1119.90,Utilities,Electric Co
15 Jan 26,1200.00,123456789,,TRANSFER CREDIT,ACME,1200.00,Income,
""",
        "-80.10 1200.00",
    ),
    "ing au": (
        """\
Date,Description,Credit,Debit,Balance
30/01/2026,"ELECTRIC - Direct Debit",,-80.10,1119.90
15/01/2026,"ACME - Salary",1200.00,,1200.00
""",
        "-80.10 1200.00",
    ),
    "kiwibank": (
        """\
Account number,Date,Memo/Description,Source Code (payment type),TP ref,TP part,TP code,OP ref,OP part,OP code,OP name,OP Bank Account Number,Amount (credit),Amount (debit),Amount,Balance
38-9000-0000000-00,30-01-2026,ELECTRIC ;Ref: 1,DIRECT DEBIT,,,,,,,ELECTRIC CO,01-0001-0000001-00,,80.10,-80.10,1119.90
38-9000-0000000-00,15-01-2026,ACME,DIRECT CREDIT,,,,,,,ACME,01-0001-0000002-00,1200.00,,1200.00,1200.00
""",
        "-80.10 1200.00",
    ),
    "asb": (
        """\
Created date / time : 31 January 2026 / 10:00:00
Bank 12; Branch 3040; Account 0123456-50 (Streamline)
From date 20260101
To date 20260131
Avail Bal : 1119.90 as of 20260131
Ledger Balance : 1119.90 as of 20260131
Date,Unique Id,Tran Type,Cheque Number,Payee,Memo,Amount

2026/01/30,2026013001,D/D,,"ELECTRIC","bill",-80.10
2026/01/15,2026011501,D/C,,"ACME","pay",1200.00
""",
        "-80.10 1200.00",
    ),
    "erste george": (
        """\
Buchungsdatum,Partnername,Partner IBAN,BIC/SWIFT,Partner Kontonummer,Bankleitzahl,Betrag,Währung,Buchungs-Info,Buchungsreferenz,Notiz
30.01.2026,Strom AG,AT611904300234573201,X,,,"-80,10",EUR,Abschlag,2015001,
15.01.2026,Anna,AT021100000012345678,Y,,,"1.200,00",EUR,Danke,2015002,
""",
        "-80.10 1200.00",
    ),
    "raiffeisen at (no header)": (
        """\
30.01.2026;"Abschlag Strom AG";30.01.2026;-80,10;EUR;30.01.2026 05:10:11:123
15.01.2026;"Gehalt Acme";15.01.2026;1.200,00;EUR;15.01.2026 05:10:11:123
""",
        "-80.10 1200.00",
    ),
    "bawag (no header)": (
        """\
AT611904300234573201;"Abschlag MC/000001 STROM AG";30.01.2026;30.01.2026;-80,10;EUR
AT611904300234573201;"Gehalt VB/000002 ACME";15.01.2026;15.01.2026;+1.200,00;EUR
""",
        "-80.10 1200.00",
    ),
    "zkb": (
        """\
Datum;Buchungstext;Whg;Betrag Detail;ZKB-Referenz;Referenznummer;Belastung CHF;Gutschrift CHF;Valuta;Saldo CHF;Zahlungszweck;Details
"30.01.2026";"Belastung Strom";"";"";"Z1";"";"80.10";"";"30.01.2026";"1119.90";"";""
"15.01.2026";"Gutschrift Lohn";"";"";"Z2";"";"";"1200.00";"15.01.2026";"1200.00";"";""
""",
        "-80.10 1200.00",
    ),
    "raiffeisen ch": (
        """\
IBAN;Booked At;Text;Credit/Debit Amount;Balance;Valuta Date
CH9300762011623852957;2026-01-30 00:00:00.0;Strom AG;-80.1;1119.9;2026-01-30 00:00:00.0
CH9300762011623852957;2026-01-15 00:00:00.0;Lohn;1200;1200;2026-01-15 00:00:00.0
""",
        "-80.10 1200.00",
    ),
    "postbank": (
        """\
"Umsätze";
"Konto";"DE89370400440532013000";"Girokonto"

"1.1.2026 - 31.1.2026"
"Letzter Kontostand";;;;"1.119,90";"EUR"
"Buchungstag";"Wert";"Umsatzart";"Begünstigter / Auftraggeber";"Verwendungszweck";"IBAN / Kontonummer";"BIC";"Kundenreferenz";"Mandatsreferenz";"Gläubiger ID";"Fremde Gebühren";"Betrag";"Abweichender Empfänger";"Anzahl der Aufträge";"Anzahl der Schecks";"Soll";"Haben";"Währung"
"30.1.2026";"30.1.2026";"SEPA Lastschrift";"Strom AG";"Abschlag";"DE75512108001245126199";"X";"";"";"";"";"-80,1";"";"";"";"-80,1";"";"EUR"
"15.1.2026";"15.1.2026";"Gutschrift";"Anna";"Danke";"DE21500500009876543210";"Y";"";"";"";"";"1.200";"";"";"";"";"1.200";"EUR"
"Kontostand";"31.1.2026";;;"1.119,90";"EUR"
""",
        "-80.10 1200.00",
    ),
    "consors": (
        "\ufeffBuchung;Valuta;Sender / Empfänger;IBAN / Konto-Nr.;BIC / BLZ;Buchungstext;Verwendungszweck;Kategorie;Stichwörter;Umsatz geteilt;Betrag in EUR\n30.01.2026;30.01.2026;Strom AG;DE75512108001245126199;X;LASTSCHRIFT;Abschlag;Wohnen;;;-80,10\n15.01.2026;15.01.2026;Anna;DE21500500009876543210;Y;GUTSCHRIFT;Danke;;;;1.200,00\n",
        "-80.10 1200.00",
    ),
    "targobank (no header)": (
        """\
30.01.2026;Abschlag Strom AG;-80,10;1234567;
15.01.2026;Gehalt Acme;1.200,00;1234567;
""",
        "-80.10 1200.00",
    ),
    "n26 new": (
        """\
"Booking Date","Value Date","Partner Name","Partner Iban",Type,"Payment Reference","Account Name","Amount (EUR)","Original Amount","Original Currency","Exchange Rate"
2026-01-30,2026-01-30,Strom AG,DE75512108001245126199,"Direct Debit",Abschlag,"Main Account",-80.10,,,
2026-01-15,2026-01-15,Anna,DE21500500009876543210,Income,Danke,"Main Account",1200.00,,,
""",
        "-80.10 1200.00",
    ),
    "trade republic": (
        """\
datetime,date,account_type,category,type,asset_class,name,symbol,shares,price,amount,fee,tax,currency,original_amount,original_currency,fx_rate,description,transaction_id,counterparty_name,counterparty_iban,payment_reference,mcc_code
2026-01-30T10:00:00.000Z,2026-01-30,DEFAULT,CASH,CARD_TRANSACTION,,STROM,,,,-80.10,,,EUR,,,,Strom,aa-1,,,,4900
2026-01-15T10:00:00.000Z,2026-01-15,DEFAULT,CASH,TRANSFER_INBOUND,,Anna,,,,1200.00,,,EUR,,,,Danke,aa-2,Anna,DE21500500009876543210,,
""",
        "-80.10 1200.00",
    ),
    "c24": (
        """\
Transaktionstyp,Buchungsdatum,Karteneinsatz,Betrag,Zahlungsempfänger,IBAN,BIC,Verwendungszweck,Beschreibung,Kontonummer,Kontoname,Kategorie,Unterkategorie,Bargeldabhebung
SEPA-Lastschrift,30.01.2026,,"-80,10 €",Strom AG,DE75512108001245126199,X,Abschlag,,DE89370400440532013000,Giro,Wohnen,,
SEPA-Gutschrift,15.01.2026,,"1.200,00 €",Anna,DE21500500009876543210,Y,Danke,,DE89370400440532013000,Giro,,,
""",
        "-80.10 1200.00",
    ),
    "la banque postale": (
        """\
Numéro Compte   ;0123456A020
Type         ;CCP
Compte tenu en  ;euros
Date            ;31/01/2026
Solde (EUROS)   ;1119,90
Solde (FRANCS)   ;7346,06

Date;Libellé;Montant(EUROS);Montant(FRANCS)
30/01/2026;"PRELEVEMENT EDF";-80,10;-525,42
15/01/2026;"VIREMENT DE ANNA";1200,00;7871,48
""",
        "-80.10 1200.00",
    ),
    "lcl (no header)": (
        """\
30/01/2026;-80,10;Prélèvement;;EDF FACTURE;;0;Divers
15/01/2026;1200,00;Virement;;VIR ANNA;;0;Divers
31/01/2026;1119,90;;01234 567890A
""",
        "-80.10 1200.00",
    ),
    "caisse epargne": (
        """\
Date de comptabilisation;Libelle simplifie;Libelle operation;Reference;Informations complementaires;Type operation;Categorie;Sous categorie;Debit;Credit;Date operation;Date de valeur;Pointage operation
30/01/2026;EDF;PRLV EDF;R1;;Prelevement;Logement;Energie;-80,10;;30/01/2026;30/01/2026;0
15/01/2026;Anna;VIR ANNA;R2;;Virement;Revenus;Salaire;;+1200,00;15/01/2026;15/01/2026;0
""",
        "-80.10 1200.00",
    ),
    "bnp fortis": (
        """\
Volgnummer;Uitvoeringsdatum;Valutadatum;Bedrag;Valuta rekening;Rekeningnummer;Type verrichting;Tegenpartij;Naam van de tegenpartij;Mededeling;Details;Status;Reden van weigering
2026-00002;30/01/2026;30/01/2026;-80,10;EUR;BE68539007547034;Domiciliering;BE71096123456769;STROOM NV;klant;BETALING;Geaccepteerd;
2026-00001;15/01/2026;15/01/2026;1200,00;EUR;BE68539007547034;Overschrijving;BE71096123456769;ANNA;dank;STORTING;Geaccepteerd;
""",
        "-80.10 1200.00",
    ),
    "knab": (
        """\
KNAB EXPORT;;;;;;;;;;;;;;;
Rekeningnummer;Transactiedatum;Valutacode;CreditDebet;Bedrag;Tegenrekeningnummer;Tegenrekeninghouder;Valutadatum;Betaalwijze;Omschrijving;Type betaling;Machtigingsnummer;Incassant ID;Adres;Referentie;Boekdatum;
NL44KNAB0123456789;30-01-2026;EUR;D;80,10;NL69INGB0123456789;Bakker;30-01-2026;Incasso;brood;;;;;R1;30-01-2026;
NL44KNAB0123456789;15-01-2026;EUR;C;1200,00;NL91ABNA0417164300;Anna;15-01-2026;Overschrijving;dank;;;;;R2;15-01-2026;
""",
        "-80.10 1200.00",
    ),
    "bbva": (
        """\
F.Valor;Fecha;Concepto;Movimiento;Importe;Divisa;Disponible;Divisa;Observaciones
30/01/2026;30/01/2026;RECIBO LUZ;ADEUDO;-80,10;EUR;1.119,90;EUR;LUZ SA
15/01/2026;15/01/2026;NOMINA;ABONO;1.200,00;EUR;1.200,00;EUR;ACME
""",
        "-80.10 1200.00",
    ),
    "ing es": (
        """\
Movimientos de la Cuenta
Número de cuenta:;1465 0100 72 0123456789

F. VALOR;CATEGORÍA;SUBCATEGORÍA;DESCRIPCIÓN;COMENTARIO;IMPORTE (€);SALDO (€)
30/01/2026;Hogar;Luz;Recibo LUZ SA;;-80,10;1.119,90
15/01/2026;Nómina;Nómina;Nomina ACME;;1.200,00;1.200,00
""",
        "-80.10 1200.00",
    ),
    "sabadell (no header)": (
        """\
30/01/2026|RECIBO LUZ SA|30/01/2026|-80.10|1119.90|0001|||
15/01/2026|NOMINA ACME|15/01/2026|1200.00|1200.00|0002|||
""",
        "-80.10 1200.00",
    ),
    "fineco": (
        """\
Conto Corrente: 1234567
Intestazione Conto Corrente: MARIO ROSSI
Periodo Dal: 01/01/2026 Al: 31/01/2026

Data;Entrate;Uscite;Descrizione;Descrizione_Completa;Stato;Moneymap
30/01/2026;;-80,10;SDD;Addebito ENEL;Contabilizzato;Casa
15/01/2026;1200,00;;Bonifico;Bonifico ANNA;Contabilizzato;Entrate
""",
        "-80.10 1200.00",
    ),
    "ing pl": (
        """\
"Lista transakcji";;;;
"Dokument nr 1";
"Wybrane rachunki:";

"Data transakcji";"Data księgowania";"Dane kontrahenta";"Tytuł";"Nr rachunku";"Nazwa banku";"Szczegóły";"Nr transakcji";"Kwota transakcji (waluta rachunku)";"Waluta";"Kwota blokady/zwolnienie blokady";"Waluta";"Kwota płatności w walucie";"Waluta";"Konto";"Saldo po transakcji";"Waluta";;;;
2026-01-30;2026-01-30;" PRAD SA ";" Faktura ";'11 1010 0000 0000 0000 0000 0000 ';" ING ";;"'2026'";-80,10;PLN;;;;;"KONTO Direct";1119,90;PLN;;;;
2026-01-15;2026-01-15;" ACME ";" Pensja ";'11 1010 0000 0000 0000 0000 0001 ';" ING ";;"'2027'";1200,00;PLN;;;;;"KONTO Direct";1200,00;PLN;;;;
""",
        "-80.10 1200.00",
    ),
    "millennium pl": (
        """\
"Numer rachunku/karty","Data transakcji","Data rozliczenia","Rodzaj transakcji","Na konto/Z konta","Odbiorca/Zleceniodawca","Opis","Obciążenia","Uznania","Saldo","Waluta"
"PL61109010140000071219812874","2026-01-30","2026-01-30","PRZELEW","PL27114020040000300201355387","PRAD SA","Faktura","-80.10","","1119.90","PLN"
"PL61109010140000071219812874","2026-01-15","2026-01-15","PRZELEW PRZYCHODZĄCY","PL27114020040000300201355387","ACME","Pensja","","1200.00","1200.00","PLN"
""",
        "-80.10 1200.00",
    ),
    "santander pl (no header)": (
        """\
31-01-2026,01-01-2026,'61109010140000071219812874,JAN KOWALSKI,PLN,"0,00","1119,90",2,
30-01-2026,30-01-2026,Faktura,PRAD SA,'27114020040000300201355387,"-80,10","1119,90",1,
15-01-2026,15-01-2026,Pensja,ACME,'27114020040000300201355387,"1200,00","1200,00",2,
""",
        "-80.10 1200.00",
    ),
    "fio": (
        """\
accountId;2000000000
bankId;2010
currency;CZK
iban;CZ6508000000192000145399
bic;FIOBCZPPXXX
openingBalance;0,00
closingBalance;1119,90
dateStart;01.01.2026
dateEnd;31.01.2026
idFrom;1
idTo;2

ID operace;Datum;Objem;Měna;Protiúčet;Název protiúčtu;Kód banky;Název banky;KS;VS;SS;Poznámka;Zpráva pro příjemce;Typ;Provedl;Upřesnění;Poznámka;BIC;ID pokynu
1;30.01.2026;-80,10;CZK;123;ELEKTRINA;0100;KB;;;;faktura;;Platba;;;;;1
2;15.01.2026;1200,00;CZK;124;ACME;0100;KB;;;;mzda;;Příjem;;;;;2
""",
        "-80.10 1200.00",
    ),
    "csob cz": (
        """\
Pohyby na účtu 123456789/0300

číslo účtu;datum zaúčtování;částka;měna;zůstatek;číslo účtu protiúčtu;kód banky protiúčtu;název účtu protiúčtu;konstantní symbol;variabilní symbol;specifický symbol;označení operace;ID transakce;poznámka
123456789/0300;30.01.2026;-80,10;CZK;1119,90;123;0100;ELEKTRINA;;;;Inkaso;T1;
123456789/0300;15.01.2026;1200,00;CZK;1200,00;124;0100;ACME;;;;Příchozí;T2;
""",
        "-80.10 1200.00",
    ),
    "otp (no header)": (
        """\
"117730160123456700000000";"T";-80;"HUF";"20260130";"20260130";1120;"123";"ARAM KFT";"szamla";"";"";"BESZEDES"
"117730160123456700000000";"J";1200;"HUF";"20260115";"20260115";1200;"124";"ACME";"ber";"";"";"JOVAIRAS"
""",
        "-80 1200",
    ),
    "dnb": (
        """\
"Dato";"Forklaring";"Rentedato";"Ut fra konto";"Inn på konto"
"30.01.2026";"Varekjøp STRØM AS";"30.01.2026";"80,10";""
"15.01.2026";"Lønn ACME";"15.01.2026";"";"1200,00"
""",
        "-80.10 1200.00",
    ),
    "sparebank1": (
        """\
Dato;Beskrivelse;Rentedato;Inn;Ut;Til konto;Fra konto;
30.01.2026;STRØM AS;30.01.2026;;-80,10;12345678901;15031234567;
15.01.2026;Lønn;15.01.2026;1200,00;;15031234567;12345678902;
""",
        "-80.10 1200.00",
    ),
    "seb": (
        """\
Bokföringsdatum;Valutadatum;Verifikationsnummer;Text;Belopp;Saldo
2026-01-30;2026-01-30;5490990001;EL AB /26-01-29;-80,100;1119,900
2026-01-15;2026-01-15;5490990002;LÖN;1200,000;1200,000
""",
        "-80.10 1200.00",
    ),
    "handelsbanken": (
        "Reskontradatum\tTransaktionsdatum\tText\tBelopp\tSaldo\n2026-01-30\t2026-01-29\tEL AB\t-80,10\t1 119,90\n2026-01-15\t2026-01-15\tLÖN\t1 200,00\t1 200,00\n",
        "-80.10 1200.00",
    ),
    "op finland": (
        """\
"Kirjauspäivä";"Arvopäivä";"Määrä EUROA";"Laji";"Selitys";"Saaja/Maksaja";"Saajan tilinumero";"Saajan pankin BIC";"Viite";"Viesti";"Arkistointitunnus"
2026-01-30;2026-01-30;-80,10;106;TILISIIRTO;Sähkö Oy;FI2112345600000785;OKOYFIHH;ref=1;;20260130/1
2026-01-15;2026-01-15;+1200,00;588;PALKKA;Acme;FI2112345600000786;OKOYFIHH;;;20260115/2
""",
        "-80.10 1200.00",
    ),
    "lhv": (
        """\
Customer account no,Document no,Date,Sender/receiver account,Sender/receiver name,Sender bank code,Unnamed,Debit/Credit (D/C),Amount,Reference number,Archiving code,Description,Fee,Currency,Personal code or register code,Sender/receiver bank BIC,Ultimate debtor name,Transaction reference,Account servicer reference
EE471000001020145685,,2026-01-30,EE382200221020145685,Elekter AS,,,D,-80.10,,A1,arve,,EUR,,,,,1
EE471000001020145685,,2026-01-15,EE382200221020145685,Acme,,,C,1200.00,,A2,palk,,EUR,,,,,2
""",
        "-80.10 1200.00",
    ),
    "bradesco": (
        """\
Extrato de: Ag: 1234 | Conta: 12345-6 | Entre 01/01/2026 e 31/01/2026;
Data;Histórico;Docto.;Crédito (R$);Débito (R$);Saldo (R$);
30/01/26;CONTA DE LUZ;0001;;-80,10;1.119,90;
15/01/26;SALARIO;0002;1.200,00;;1.200,00;
;;Total;1.200,00;-80,10;1.119,90;
""",
        "-80.10 1200.00",
    ),
    "icici": (
        """\
S No.,Value Date,Transaction Date,Cheque Number,Transaction Remarks,Withdrawal Amount (INR ),Deposit Amount (INR ),Balance (INR )
1,30/01/2026,30/01/2026,-,ELECTRIC,80.10,0.00,1119.90
2,15/01/2026,15/01/2026,-,ACME,0.00,1200.00,1200.00
""",
        "-80.10 1200.00",
    ),
    "sbi": (
        "Account Name       :\tMr. A\nAccount Number     :\t_00000012345678901\nStart Date         :\t1 Jan 2026\nEnd Date           :\t31 Jan 2026\n\nTxn Date\tValue Date\tDescription\tRef No./Cheque No.\t        Debit\tCredit\tBalance\n30 Jan 2026\t30 Jan 2026\tBY DEBIT ELECTRIC\tTRANSFER TO 1\t80.10\t \t1,119.90\n15 Jan 2026\t15 Jan 2026\tACME SALARY\tTRANSFER FROM 2\t \t1,200.00\t1,200.00\n**This is a computer generated statement and does not require a signature\n",
        "-80.10 1200.00",
    ),
    "dbs": (
        """\
Account Details For:,DBS Savings 123-4-567890
Statement as at:,31 Jan 2026

Transaction Date,Reference,Debit Amount,Credit Amount,Transaction Ref1,Transaction Ref2,Transaction Ref3

30 Jan 2026,ITR,80.10, ,ELECTRIC,BILL,
15 Jan 2026,SAL, ,1200.00,ACME,PAY,
""",
        "-80.10 1200.00",
    ),
    "fnb": (
        """\
2,12345678,'MR A SAMPLE'
Account:, 12345678, [Cheque Account]
Balance:, 1119.90, 1119.90

Date, Amount, Balance, Description
2026/01/30, -80.10, 1119.90, ELECTRIC CO
2026/01/15, 1200.00, 1200.00, ACME SALARY
""",
        "-80.10 1200.00",
    ),
    "ptsb": (
        """\
Date,Description,Money In (€),Money Out (€),Balance (€)
30/01/2026,ELECTRIC,,80.10,1119.90
15/01/2026,ACME,1200.00,,1200.00
""",
        "-80.10 1200.00",
    ),
    "curve": (
        """\
Date (YYYY-MM-DD as UTC),Merchant,Txn Amount (Funding Card),Txn Currency (Funding Card),Txn Amount (Foreign Spend),Txn Currency (Foreign Spend),Card Name,Card Last 4 Digits,Type,Category,Notes
2026-01-30,ELECTRIC,-80.10,GBP,,,Monzo,1234,Personal,Bills,
2026-01-15,REFUND,1200.00,GBP,,,Monzo,1234,Personal,Other,
""",
        "-80.10 1200.00",
    ),
    "mintos-like quotes": (
        """\
'Date';'Details';'Amount'
'2026-01-30';'Electric';'-80.10'
'2026-01-15';'Acme';'1200.00'
""",
        "-80.10 1200.00",
    ),
    "sparkasse mt940 csv": (
        """\
"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Beguenstigter/Zahlungspflichtiger";"Kontonummer";"BLZ";"Betrag";"Waehrung";"Info"
"1234567";"30.01.";"30.01.26";"LASTSCHRIFT";"Abschlag";"STROM AG";"DE75512108001245126199";"X";"-80,10";"EUR";"Umsatz gebucht"
"1234567";"15.01.";"15.01.26";"GUTSCHRIFT";"Danke";"ANNA";"DE21500500009876543210";"Y";"1200,00";"EUR";"Umsatz gebucht"
""",
        "-80.10 1200.00",
    ),
}
# What is not in UTF-8.
ENCODINGS = {
    "erste george": "utf-16",
    "raiffeisen at (no header)": "cp1252",
    "bawag (no header)": "cp1252",
    "targobank (no header)": "cp1252",
    "la banque postale": "cp1252",
    "lcl (no header)": "cp1252",
    "ing pl": "cp1250",
    "csob cz": "cp1250",
    "dnb": "cp1252",
    "bradesco": "cp1252",
    "sparkasse mt940 csv": "cp1252",
}


@pytest.mark.parametrize("name", TABLES)
def test_the_table_of_a_bank_is_understood_without_a_hint(name: str) -> None:
    table, amounts = TABLES[name]
    file = BytesIO(table.encode(ENCODINGS.get(name, "utf-8")))

    found = detect(file)
    rows = [part for part in read(file, found.layout) if isinstance(part, StatementRow)]

    assert found.problems == ()
    assert [row.amount for row in rows] == [Decimal(amount) for amount in amounts.split()]
    assert rows[0].on.isoformat() == "2026-01-30"
    assert all(row.description or row.payee for row in rows)


AMOUNTS = {
    "apostrophe": "-80.10 1’200.00 -3.00",
    "brackets and dollars": "($80.10) $1,200.00 ($3.00)",
    "reals": "-R$80,10 R$1.200,00 -R$3,00",
    "rupees": "-₹80.10 ₹1,200.00 -₹3.00",
    "credits and debits": "80.10Dr 1,200.00Cr 3.00Dr",
    "only credits are marked": "80.10 1,200.00CR 3.00",
    "signs behind": "80,10- 1.200,00+ 3,00-",
    "guarded": '="-80.10" ="1200.00" ="-3.00"',
    "few decimals": "-80.1 1200 -3",
    "three decimals": "-80.100 1200.000 -3.000",
}


@pytest.mark.parametrize("name", AMOUNTS)
def test_amounts_are_read_as_they_are_meant(name: str) -> None:
    first, second, third = AMOUNTS[name].split()
    table = f"Date;Text;Amount\n30.01.2026;Power;{first}\n15.01.2026;Pay;{second}\n02.01.2026;Shop;{third}\n"

    assert [row.amount for row in _read(table)] == [Decimal("-80.10"), Decimal(1200), Decimal(-3)]


DAYS = """
Fri 30 Jan 2026|Fri, 30 Jan 2026|30 janv. 2026|2026. 01. 30.|2026.01.30|30. 1. 2026|30.1.26|30.01.2026 00:00:00
2026-01-30 10:00:00+01:00|2026-01-30T10:00:00.000+0100|01/30/2026 10:00 AM|30-JAN-26|Jan 30 2026|20260130100000|20260130 10:00
30012026|30 de janeiro de 2026|30 stycznia 2026|2026-01-30 22:15:00 UTC|30th Jan 2026|30/Jan/2026|'30/01/2026|="30/01/2026"
"""


@pytest.mark.parametrize("day", [day for line in DAYS.strip().splitlines() for day in line.split("|")])
def test_days_are_read_as_they_are_meant(day: str) -> None:
    assert [row.on.isoformat() for row in _read(f"Date;Text;Amount\n{day};Power;-80,10\n")] == ["2026-01-30"]


SIGNS = {
    "zeros": "Debit,Credit\n80.10,0.00\n0.00,1200.00",
    "dashes": "Debit,Credit\n-80.10,-\n-,1200.00",
    "words": "Type,Amount\nExpense,80.10\nIncome,1200.00",
    "phrases": "Direction,Amount\nPayment out,80.10\nPayment in,1200.00",
    "both in one name": "Credit/Debit Amount,Other\n-80.10,x\n1200.00,y",
}


@pytest.mark.parametrize("name", SIGNS)
def test_the_way_of_the_money_is_found(name: str) -> None:
    header, first, second = SIGNS[name].split("\n")
    table = f"Date,Text,{header}\n2026-01-30,Power,{first}\n2026-01-15,Pay,{second}\n"

    assert [row.amount for row in _read(table)] == [Decimal("-80.10"), Decimal(1200)]


def test_a_table_without_a_header_asks_which_column_is_money_spent() -> None:
    table = "2026-01-30,Power,,80.10\n2026-01-15,Payment - thank you,-1200.00,\n2026-01-14,Shop,,3.00\n"

    found = detect(BytesIO(table.encode()))

    assert [(one.field, one.choices) for one in found.questions] == [("invert", ("true", "false"))]
    assert [row.amount for row in _read(table)] == [Decimal("-80.10"), Decimal(1200), Decimal(-3)]


def _read(table: str) -> list[StatementRow]:
    file = BytesIO(table.encode())
    return [part for part in read(file, detect(file).layout) if isinstance(part, StatementRow)]
