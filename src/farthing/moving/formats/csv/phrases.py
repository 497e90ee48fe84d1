"""Lists the words that banks write above and into their columns, in eleven languages, without accents."""

# Of each role, the better ones first.
PHRASES = {
    "date": """
        buchungstag, buchungsdatum, buchung, booking date, completed date, date comptable, date de
        comptabilisation, date operation, date de l operation, date d operation, boekdatum, boekingsdatum, datum,
        transactiedatum, fecha operacion, fecha de operacion, fecha contable, f contable, fecha, data
        operazione, data contabile, data registrazione, data, data mov, data do movimento, data movimento,
        data lancamento, data lanc, data operacji, data ksiegowania, data transakcji, reskontradatum, bokforingsdag,
        bokforingsdatum, bokfort, transaktionsdag, transaktionsdatum, transaction date, transaction date
        utc, posted date, posting date, date, bogforingsdato, dato, bogfort, bokforingsdato, bokfort dato,
        utfort dato, betaldag, belegdatum, kaufdatum, umsatzdatum, created on, created at, timestamp utc,
        date time, datetime, timestamp, date started, finished on, day, kirjauspaiva, pvm, trans date,
        effective date, post date, process date, settlement date, execution date, uitvoeringsdatum, date op,
        dateop, booked at, booked on, booking, datum zeit, date booked, operation date, posted on, trans dt,
        datum uitvoering, clearing date, txn date, tran date, datum zauctovani, datum
        provedeni, posted transactions date
    """,
    "value_date": """
        valuta, wertstellung, valutadatum, valuta datum, wert, wertstellungsdatum, value date, date valeur,
        date de valeur, rentedatum, fecha valor, f valor, data valuta, data valor, data waluty, rantedatum,
        valutadag, rentedato, post date, posting date, posted date, posted, arvopaiva, maksupaiva, interest
        date, date val, dateval, valuta date, valutum, valuta datum wertstellung, wertstellung valuta,
        value, clearing date, purchase date, value dt
    """,
    "amount": """
        betrag, umsatz, buchungsbetrag, betrag in eur, amount, net, net amount, netto, transaction amount,
        montant, montant de l operation, bedrag, transactiebedrag, importe, importe eur, cantidad, importo,
        importo in euro, valor, montante, quantia, kwota, kwota operacji, kwota transakcji, belopp, belob,
        belop, value, montant net, montant eur, summe, geldbetrag, total, wartosc, maara, summa, sum, gross,
        brutto, billing amount, amount in account currency, ledger amount, montant operation, amount in eur,
        cad, amt, transaction value, betrag in kontowahrung, bedrag in eur, kwota transakcji waluta
        rachunku, umsatz in eur, source amount after fees, source amount, castka, maara euroa, montant en
        euros, importo euro, credit debit amount, debit credit amount, txn amount, txn amount funding card
    """,
    "debit": """
        soll, belastung, belastungen, belastungsbetrag, lastschrift, ausgang, ausgaben, ausgabe, abgang,
        debit, debit amount, debits, paid out, money out, withdrawal, withdrawals, withdrawal amt,
        withdrawal amount, out, spent, spend, outflow, expense, charges, retraits, depenses, debits euros,
        montant debit, af, uit, uitgaven, debet, afschrift, cargo, cargos, debe, gastos, salidas, addebiti,
        addebito, dare, uscite, debito, debitos, saidas, despesas, obciazenia, obciazenie, wydatki, uttag,
        ut, ud, haevet, ut fra konto, ut av konto, utgift, utgifter, withdrawals in eur, paid out gbp, debit
        euros, lastschrift in chf, debit in chf, money out gbp, withdrawn
    """,
    "credit": """
        haben, gutschrift, gutschriften, gutschriftsbetrag, eingang, einnahmen, einnahme, zugang, credit,
        credit amount, credits, paid in, money in, deposit, deposits, deposit amt, deposit amount, in,
        received, inflow, income, versements, recettes, credits euros, montant credit, bij, inkomsten,
        bijschrift, abono, abonos, haber, ingresos, entradas, accrediti, accredito, avere, entrate, credito,
        creditos, receitas, uznania, uznanie, wplywy, insattning, ind, indsat, inn, inn pa konto, innskudd,
        inntekt, inntekter, receipts, credit euros, gutschrift in chf, credit in chf, money in gbp,
        deposited
    """,
    "sign": """
        soll haben, s h, sh, haben soll, soll haben kennzeichen, kennzeichen, shkz, vorzeichen, debit
        credit, credit debit, dr cr, cr dr, d c, c d, dc, cd, type d c, debit or credit, credit or debit,
        credit debit indicator, debit credit indicator, af bij, bij af, af of bij, debet credit, debit
        credit code, sens, signe, debe haber, segno, dare avere, direction, drcr, cargo abono, sinal, znak,
        strona, fortecken, fortegn, transaction type, type, mutation, umsatzart
    """,
    "currency": """
        wahrung, waehrung, kontowahrung, currency, currency code, account currency, ccy, devise, monnaie,
        valuta, munt, muntsoort, muntcode, moneda, divisa, moeda, waluta, waluta rachunku, waluta operacji,
        valutakod, wahrung betrag, transaction currency, local currency, mutationcurrency, valuuttakoodi,
        cur, curr, devies, munteenheid, monnaie du compte, waluta konta, source currency, valuutta, mena, txn
        currency, txn currency funding card
    """,
    "foreign_amount": """
        fremdwahrungsbetrag, betrag in fremdwahrung, ursprungsbetrag, originalbetrag, betrag in
        originalwahrung, foreign amount, original amount, amount foreign currency, amount in foreign
        currency, type foreign amount, montant en devise, montant devise, montant d origine, oorspr bedrag,
        bedrag vreemde valuta, originele valuta bedrag, importe original, importe en divisa, importo
        originale, importo in divisa, valor original, kwota oryginalna, kwota w walucie, kwota w walucie
        transakcji, belopp i utlandsk valuta, ursprungligt belopp, original belob, transaction amount
        foreign, local amount, amount foreign, transaktionsbetrag, target amount after fees, target amount, txn amount
        foreign spend
    """,
    "foreign_currency": """
        fremdwahrung, ursprungswahrung, originalwahrung, foreign currency, original currency, type foreign
        currency, devise d origine, devise origine, oorspr munt, vreemde valuta, originele valuta, moneda
        original, divisa original, divisa originale, moeda original, waluta oryginalna, waluta transakcji,
        utlandsk valuta, ursprunglig valuta, local currency, transaktionswahrung, target currency, txn currency
        foreign spend
    """,
    "description": """
        verwendungszweck, zweck, buchungsdetails, beschreibung, description, transaction description, original
        description, details, narrative, particulars, transaction details, memo, remittance information,
        payment details, payment reference, purpose, libelle, libelle operation, libelle complet, libelle de
        l operation, libelle simplifie, motif, communication, omschrijving, omschrijving 1, omschrijving 2,
        omschrijving 3, mededelingen, mededeling, description 1, description 2, concepto, descripcion,
        descripcion ampliada, concepto ampliado, mas datos, movimiento, observaciones, descrizione, causale,
        descrizione operazione, descrizione estesa, causale estesa, descricao, descricao do movimento,
        historico, opis, opis operacji, opis transakcji, tytul, tytul operacji, tytulem, text, texte,
        meddelande, beskrivning, rubrik, tekst, beskrivelse, forklaring, melding, transaktion, descrizione completa,
        specification, selite, viesti, text 1, vorgang verwendungszweck, informations, transaction,
        transaktionsbeschreibung, transaktionsbeschreibung zusatz,
        buchungsinformationen, subject, verwendungszweck zahlungsgrund, booking text, betreff, extended
        details, operazione, dettagli, detalles, detalhes, szczegoly, vwz, label, title, avisierungstext,
        vrije mededeling, transactie, libelle complet operation, wording, payment text, buchungs text,
        narration, comments description, szczegoly transakcji, bezeichnung, otsikko, selitys, popis,
        poznamka, zprava pro prijemce
    """,
    "payee": """
        name zahlungsbeteiligter, beguenstigter zahlungspflichtiger, begunstigter zahlungspflichtiger,
        auftraggeber empfanger, auftraggeber begunstigter, auftraggeber beguenstigter, empfanger
        auftraggeber, zahlungsempfanger, zahlungsempfanger in, zahlungsempfanger in zahlungspflichtige r,
        empfanger, beguenstigter, begunstigter, payee, payee name, payee payer, payer payee, partner name,
        partner, merchant, merchant name, counterparty, counterparty name, counter party, counterpart, name
        of counterparty, beneficiary, beneficiary name, beneficiary originator, recipient, sender or
        recipient, tiers, beneficiaire, contrepartie, nom de la contrepartie, naam tegenpartij, tegenpartij,
        naam tegenrekening, beneficiario, ordenante beneficiario, contraparte, controparte, beneficiario
        ordinante, nadawca odbiorca, odbiorca, kontrahent, dane kontrahenta, nazwa odbiorcy, nazwa
        kontrahenta, mottagare, motpart, modtager, mottaker, saaja, saaja maksaja, partnername,
        zahlungsbeteiligter, target name, to name, to, from to, begunstigter auftraggeber, beguenstigter
        auftraggeber, empfanger zahlungspflichtiger, target, supplier found, supplierfound, empfanger name,
        empfanger auftraggeber name, other party, contact, naam tegenpartij bevat, other account owner,
        name, naam, nom, nombre, namn, navn, sender empfanger, nimi, maksunsaaja, nazev protiuctu, member
        name, naam omschrijving
    """,
    "payer": """
        zahlungspflichtige r, zahlungspflichtiger, auftraggeber, payer name, payer, sender, sender name,
        ordenante, ordinante, nadawca, nazwa nadawcy, avsandare, afsender, avsender, emetteur, maksaja,
        from, opdrachtgever, donneur d ordre, originator, source name, absender, odesilatel
    """,
    "payee_account": """
        iban zahlungsbeteiligter, kontonummer iban, iban des zahlungsbeteiligten, gegenkonto, konto
        gegenpartei, iban empfanger, partner iban, partner account iban, counterparty iban, counterparty
        account, counterparty account number, counter account, payee account number, beneficiary account,
        beneficiary iban, account number of counterparty, tegenrekening, tegenrekening iban bban,
        tegenrekening iban, rekening tegenpartij, rekeningnummer tegenpartij, iban tegenpartij, tegenpartij
        iban bban, compte contrepartie, compte beneficiaire, numero de compte de la contrepartie, iban
        contrepartie, cuenta destino, cuenta beneficiario, iban beneficiario, conto controparte, iban
        controparte, iban ordinante beneficiario, rachunek odbiorcy, nr rachunku kontrahenta, numer rachunku
        nadawcy odbiorcy, numer konta odbiorcy, rachunek kontrahenta, numer rachunku kontrahenta,
        mottagarkonto, motkonto, modkonto, til konto, fra konto, saajan tilinumero, iban kontrahent,
        glaubiger konto, empfangerkonto, kontonummer iban des begunstigten, counterparty iban bban, to
        account number, target account, iban kontonummer, iban bban tegenpartij, konto nr, gegenkonto iban,
        payer account number, protiucet, cislo protiuctu
    """,
    "account": """
        auftragskonto, iban auftragskonto, kontonummer auftragskonto, eigenes konto, own account, account,
        account number, account no, account name, source account, account iban, from account, numero de
        compte, compte, n compte, iban bban, rekening, rekeningnummer, eigen rekening, product account,
        cuenta, numero de cuenta, conto, numero conto, rapporto, conta, numero da conta, rachunek, numer
        rachunku, nr rachunku, rachunek wlasny, konto, kontonummer, kontonr, iban, tilinumero,
        kontobezeichnung, accountnumber, card number, account id, kontonamn, kontonavn, wallet, naam
        rekening, auftraggeberkonto, iban auftraggeberkonto, kontonummer auftraggeberkonto, account num,
        accountnum, account type, account label, rekeningnummer iban, iban rekening
    """,
    "bank_id": """
        transaction id, transactionid, transferwise id, fitid, id, unique id, transaktions id,
        transaktionsid, transaction code id, transaktionscode, volgnr, volgnummer, identifiant, identifiant
        operation, id transaccion, id transazione, id transacao, id transakcji, id operacji, numer
        transakcji, numero transaccion, archive id, arkistointitunnus, verifikationsnummer, arkivreferanse,
        transaktionsnummer, buchungs id, transaction number, transactiereferentie, entry reference,
        identifier, uuid, numero de operacion, transaktions nr, transaktionsnr, transaction no, transaction
        ref, transaction reference, transactienummer, nr transakcji, identificador, fit id, transaction
        identifier, referentienummer, txn id, bank transaction id
    """,
    "reference": """
        kundenreferenz, kundenreferenz end to end, ende zu ende referenz, end to end reference, end to end
        id, endtoendid, sammlerreferenz, reference, ref, reference number, bank reference, payment ref,
        customer reference, referentie, kenmerk, betalingskenmerk, referencia, riferimento, nr referencyjny,
        referens, referanse, reference client, zahlungsreferenz, kid, ocr, check number, check or slip,
        check, cheque number, serial, viite, viitenumero, n de piece, num doc, n doc, reference operation,
        chk ref, numero de reference, chq ref no, ref no cheque no, chq no, variabilni symbol
    """,
    "balance": """
        saldo, kontostand, saldo nach buchung, balance, running balance, running bal, account balance,
        balance after, balance after transaction, available balance, closing balance, solde, solde apres
        operation, saldo na mutatie, saldo na trn, saldo na boeking, resulting balance, saldo disponible,
        saldo contable, saldo contabile, saldo progressivo, saldo contabilistico, saldo po operacji, saldo
        po transakcji, saldo efter transaktion, saldo rachunku, bokfort saldo, ny saldo, saldi, bogfort
        saldo, kontosaldo, balance gbp, ledger balance, balance eur, saldo apos movimento, current balance,
        new balance, guthaben, accountbalance, saldo eur, stand, kontostand nach buchung, new balance eur,
        saldo apos, bal, zustatek, saldo kontoen
    """,
    "category": """
        kategorie, category, category name, categorie, categoria, kategoria, kategori, spending category,
        categorie operation, hauptkategorie, luokka, unterkategorie, sous categorie, sub category,
        subcategoria, categorie parent, parent category
    """,
    "tags": """
        tags, tag, labels, stichworte, schlagworte, etiketten, etiquettes, etiquetas, etichette, marcadores,
        etykiety, taggar, category tags, hashtags, stichworter
    """,
    "notes": """
        notizen, notiz, notes, note, notes and tags, note personnelle, commentaire, commentaires, notitie,
        notities, opmerkingen, nota, notas, note personali, comentario, comentarios, notatki, anteckning,
        anteckningar, notater, kommentar, bemerkung, bemerkungen, comment, comments, notes and hashtags,
        remarks, buchungstext, umsatztyp, transaktionstyp, transaction type, type, mutatiesoort, type
        operation, type d operation, nature, tipo, tipo de movimiento, tipo movimento, tipo operazione, typ,
        typ transakcji, typ operacji, rodzaj transakcji, rodzaj operacji, transaktionstyp text, transaction
        kind, art, vorgangsart, buchungsart, umsatzart, payment type, soort, laji, subcategory, libelle
        court, vorgang, bewegungstyp, movement type, rubrieknaam, tran type, kind, operation type, code
        description
    """,
    "fee": """
        fee, fees, gebuhr, gebuhren, frais, kosten, comision, commissione, taxa, prowizja, avgift, gebyr,
        source fee amount, entgelt
    """,
    "status": """
        status, state, info, buchungsstatus, umsatzstatus, statut, etat, estado, stato, situacao, stan,
        tila, transaction status, stav, review status, contabilizzazione
    """,
}

# Markers of money that left, or that did not come after all (RC: the reversal of a credit).
DEBIT = """
    a, addebito, af, ausgabe, belastung, cargo, d, dare, db, dbit, deb, debe, debet, debit, debito, debits,
    depense, despesa, dr, expense, gasto, lastschrift, money_out, obciazenie, out, outflow, outgoing, paid_out,
    payment_out, rc, s, sent, soll, sortie, ud, uit, uitgaven, uscita, ut, withdrawal, wydatek
"""
CREDIT = """
    abono, accredito, avere, b, bij, c, cr, crd, crdt, cred, credit, credito, credits, deposit, einnahme,
    entrata, entree, gutschrift, h, haben, haber, in, income, incoming, ind, inflow, ingreso, inkomsten, inn,
    insattning, kredit, money_in, paid_in, payment_in, przychod, rd, receita, received, recette, uznanie
"""

# States of rows that are no bookings, or not yet.
UNBOOKED = """
    a venir, abgelehnt, annule, anulowana, ausstehend, authorised, authorized, blokada, canceled, cancelled,
    declined, denied, en attente, expired, failed, gereserveerd, held, hold, in afwachting, in sospeso, noch
    nicht gebucht, oczekujaca, oczekujace, odrzucona, pendente, pendiente, pending, rechazada, rechazado,
    refuse, rejected, reserverad, reserveret, reservert, reversed, reverted, rezerwacja, rifiutato, storniert,
    umsatz vorgemerkt, unclaimed, voided, vorgemerkt, w realizacji, w trakcie, non contabilizzato, offen,
    open, to be booked, not booked, unbooked, ruckgangig gemacht, revertido, revertida, annullato, annullata,
    anulado, anulada, cancelado, cancelada, stornato, teruggedraaid, geannuleerd, cofnieto, w toku, odwrocona,
    renvoye, venter, venter pa, vantar, zuruckgezogen, zuruckgewiesen, fehlgeschlagen, echoue, fallido,
    fallito, mislukt
"""

# Texts of rows that are balances.
BALANCES = """
    abschlusssaldo, account balance, alkusaldo, alter kontostand, alter saldo, ancien solde, anfangsbestand,
    anfangskontostand, anfangssaldo, available balance, balance at end, balance at start, balance b f, balance
    brought forward, balance c f, balance carried forward, balance forward, beginning balance, beginsaldo,
    brought forward, carried forward, closing balance, closing ledger balance, current balance, eindsaldo,
    endbestand, end balance, ending balance, endkontostand, endsaldo, eroffnungssaldo, final balance, huidig
    saldo, ingaende balans, ingaende saldo, inngaende saldo, inngaende balanse, ingaaende saldo, initial balance,
    inngaaende saldo, konecny zustatek, kontosaldo, kontostand, kontostand alt, kontostand neu, last balance,
    ledger balance, loppusaldo, neuer kontostand, neuer saldo, nieuw saldo, nouveau solde, nuevo
    saldo, nuovo saldo, ny saldo, nyito egyenleg, opening balance, opening ledger balance, openingssaldo, oud
    saldo, pocatecni zustatek, previous balance, primo saldo, primosaldo, saldo a fecha, saldo actual, saldo al,
    saldo alkaen, saldo alt, saldo anterior, saldo atual, saldo contabile, saldo contabile finale, saldo
    contabile iniziale, saldo disponibile, saldo disponivel, saldo disponible, saldo do dia, saldo ende, saldo
    final, saldo finale, saldo inicial, saldo iniziale, saldo koncowe, saldo koncowe rachunku, saldo neu, saldo
    op, saldo per, saldo poczatkowe, saldo poczatkowe rachunku, saldo precedente, saldo vom, saldo vormonat,
    saldo zum, saldovortrag, schlusssaldo, slotsaldo, slutsaldo, solde a la cloture, solde a l ouverture, solde
    au, solde crediteur, solde crediteur au, solde d ouverture, solde de cloture, solde de depart, solde
    debiteur, solde debiteur au, solde final, solde initial, solde precedent, solde precedent au, start balance,
    starting balance, startsaldo, statement balance, tagessaldo, tidligere saldo, ultimo saldo, ultimosaldo,
    utgaende balans, utgaende saldo, utgaaende saldo, utgaende balanse, vorig saldo, zaro egyenleg,
    zwischensaldo
"""
# Words that may accompany the day of a balance.
BALANCE_FILLERS = """
    a, ab, af, al, alle, am, as, at, au, auf, bis, buchung, data, date, datum, de, del, den, der, des, di, dia,
    dzien, el, em, fecha, for, fra, from, haben, il, in, int, konto, la, le, na, of, on, op, par, per, period,
    periode, pr, s, h, c, d, cr, dr, soll, stand, the, til, to, van, vom, von, zu, zum
"""

# Single words of lines below a table.
SUMMARIES = """
    anzahl, balance, count, eindsaldo, endsaldo, gesamt, gesamtsumme, kontostand, liczba, razem, records,
    saldo, schlusssaldo, solde, subtotal, sum, suma, sumaryczne, summa, summe, totaal, total, totale, totals,
    totalt, zwischensumme
"""

# Labels above a table.
ACCOUNT_LABELS = """
    account, account iban, account no, account number, ccc, clearingnummer kontonummer, compte, compte n,
    conta, conto, cuenta, girokonto, iban, iban konto, iban kontonummer, konto, kontonr, kontonummer,
    kreditkarte, kundenkonto, nr rachunku, number, numer rachunku, numero conto, numero cuenta, numero da
    conta, numero de compte, numero de cuenta, rachunek, rekening, rekeningnummer, sparkonto, tagesgeldkonto
"""
CURRENCY_LABELS = """
    account currency, currency, devise, divisa, kontowahrung, moeda, moneda, munt, valuta, waehrung, wahrung,
    waluta
"""

# Columns that contain only these are taken for currencies, whatever their header.
COMMON_CURRENCIES = """
    EUR, USD, GBP, CHF, JPY, PLN, SEK, NOK, DKK, CZK, HUF, RON, BGN, ISK, TRY, CAD, AUD, NZD, BRL, MXN, ARS,
    CLP, COP, ZAR, INR, CNY, HKD, SGD, KRW, THB, MYR, IDR, PHP, ILS, AED, SAR, KWD, BHD, EGP, MAD, NGN, KES,
    UAH, RUB, RSD, TWD, VND
"""

# Headers of accounts that do not say whose account it is.
GENERIC_ACCOUNTS = """
    account, account number, account no, account name, compte, rekening, rekeningnummer, cuenta, conto, conta,
    rachunek, konto, kontonummer, kontonr, iban, accountnumber, account iban
"""

# Above a column of these, purchases are positive.
CARD_HOLDERS = """
    card member, cardmember, cardholder, card holder, karteninhaber, titulaire de la carte, titular,
    kaarthouder, titolare
"""

# Kinds of transactions, and texts, by which one sees whether a card writes its purchases as positive amounts.
PURCHASES = """
    purchase, sale, kauf, achat, aankoop, compra, acquisto
"""
REPAYMENTS = """
    thank you, payment received, autopay, directpay, zahlung erhalten, besten dank, merci, paiement recu
"""
