"""What banks do to the formats, each habit alone and in pairs: the rows stay the same."""

import re
from collections.abc import Callable
from decimal import Decimal
from html import unescape
from itertools import chain, combinations
from types import ModuleType

import pytest

from farthing.moving.formats.camt import reader as camt
from farthing.moving.formats.mt940 import reader as mt940
from farthing.moving.formats.ofx import reader as ofx
from farthing.moving.formats.qif import reader as qif

from .reading import messages_of, read, rows_of

Trait = Callable[[str], str]

ROWS = [
    ("2024-01-31", Decimal("-12.50"), "Müller"),
    ("2024-02-29", Decimal("1234.00"), "Café & Co"),
    ("2024-02-29", Decimal("-0.07"), "Müller"),
]

OFX = """OFXHEADER:100
DATA:OFXSGML
VERSION:102
CHARSET:1252

<OFX>
<SIGNONMSGSRSV1><SONRS><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS></SONRS></SIGNONMSGSRSV1>
<BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR</CURDEF>
<BANKACCTFROM><BANKID>1</BANKID><ACCTID>2</ACCTID></BANKACCTFROM>
<BANKTRANLIST>
<STMTTRN><TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20240131</DTPOSTED>
<TRNAMT>-12.50</TRNAMT><FITID>1</FITID><NAME>Müller</NAME></STMTTRN>
<STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20240229</DTPOSTED>
<TRNAMT>1234.00</TRNAMT><FITID>2</FITID><NAME>Café &amp; Co</NAME></STMTTRN>
<STMTTRN><TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20240229</DTPOSTED>
<TRNAMT>-0.07</TRNAMT><FITID>3</FITID><NAME>Müller</NAME></STMTTRN>
</BANKTRANLIST>
<LEDGERBAL><BALAMT>1.00</BALAMT><DTASOF>20240301</DTASOF></LEDGERBAL>
</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
"""
_LEAVES = "CODE|SEVERITY|CURDEF|BANKID|ACCTID|TRNTYPE|DTPOSTED|TRNAMT|FITID|NAME|BALAMT|DTASOF|MEMO"
OFX_TRAITS: dict[str, Trait] = {
    "unclosed": lambda text: re.sub(f"</({_LEAVES})>", "", text),
    "one value a line": lambda text: re.sub(r"(<[A-Z])", r"\n\1", text),
    "indented": lambda text: text.replace("<", "\n\t  <"),
    "no line ends": lambda text: text.replace("\n", ""),
    "times and zones": lambda text: text.replace("0131<", "0131233059.123[-5:EST]<").replace("0229<", "0229000000<"),
    "comma decimals": lambda text: re.sub(r"<TRNAMT>([-\d]+)\.", r"<TRNAMT>\1,", text),
    "thousands": lambda text: text.replace("1234.00", "1,234.00"),
    "plus signs": lambda text: text.replace("<TRNAMT>1", "<TRNAMT>+1"),
    "empty memos": lambda text: text.replace("<FITID>", "<MEMO><FITID>"),
    "xml": lambda text: '<?xml version="1.0"?>\n<?OFX OFXHEADER="200" VERSION="220"?>\n' + text[text.index("<OFX>") :],
    "comments": lambda text: text.replace("<STMTTRN>", "<!-- a <STMTTRN> follows --><STMTTRN>"),
    "cdata": lambda text: re.sub("Café &amp; Co|Müller", lambda name: f"<![CDATA[{unescape(name[0])}]]>", text),
    "bare ampersands": lambda text: text.replace("&amp;", "&"),
    "small letters": lambda text: re.sub(r"<[^!?>]*>", lambda tag: tag[0].lower(), text),
    "document type": lambda text: text.replace("<OFX>", '<!DOCTYPE OFX SYSTEM "ofx.dtd">\n<OFX>'),
    "unknown tags": lambda text: text.replace("<FITID>", "<X.BANK>y</X.BANK><FITID>"),
    "second list": lambda text: text.replace("<BANKTRANLIST>", "<BANKTRANLIST></BANKTRANLIST><BANKTRANLIST>"),
}

QIF = "!Type:Bank\nD1/31/2024\nT-12.50\nPMüller\n^\nD2/29/2024\nT1,234.00\nPCafé & Co\n^\n"
QIF += "D2/29/2024\nT-0.07\nPMüller\n^\n"
_AMOUNT = r"T(-?\d[\d.,]*)"
QIF_TRAITS: dict[str, Trait] = {
    "windows line ends": lambda text: text.replace("\n", "\r\n"),
    "old Mac line ends": lambda text: text.replace("\r\n", "\n").replace("\n", "\r"),
    "day first": lambda text: re.sub(r"D(\d+)/(\d+)/", r"D\2/\1/", text),
    "short years": lambda text: text.replace("/2024", "/24"),
    "apostrophe years": lambda text: text.replace("/2024", "'24").replace("/24", "'24"),
    "padded days": lambda text: re.sub(r"D(\d)/", r"D \1/", text),
    "decimal commas": lambda text: re.sub(_AMOUNT, lambda line: line[0].translate(str.maketrans(".,", ",.")), text),
    "double amounts": lambda text: re.sub(_AMOUNT, r"U\1\nT\1", text),
    "blank lines": lambda text: text.replace("^", "^\n\n"),
    "spaces at the end": lambda text: re.sub(r"([A-Za-z0-9^])([\r\n])", r"\1  \2", text),
    "account first": lambda text: "!Account\nNHome\nTBank\n^\n" + text,
    "categories": lambda text: re.sub(r"P([^\r\n]*)", r"P\1\nLFood:Out/Trip", text),
    "end-of-file mark": lambda text: text + "\x1a",
    "small letters": lambda text: text.replace("!Type:Bank", "!type:bank"),
    "space in type": lambda text: re.sub("!type:bank", "!Type: Bank ", text, flags=re.IGNORECASE),
}

CAMT = """<?xml version="1.0"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>
<Stmt><Id>1</Id><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">0.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>
<Dt><Dt>2024-01-31</Dt></Dt></Bal>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1221.43</Amt><CdtDbtInd>CRDT</CdtDbtInd>
<Dt><Dt>2024-02-29</Dt></Dt></Bal>
<Ntry><Amt Ccy="EUR">12.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2024-01-31</Dt></BookgDt>
<NtryDtls><TxDtls><RltdPties><Cdtr><Nm>Müller</Nm></Cdtr></RltdPties></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="EUR">1234.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2024-02-29</Dt></BookgDt>
<NtryDtls><TxDtls><RltdPties><Dbtr><Nm>Café &amp; Co</Nm></Dbtr></RltdPties></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="EUR">0.07</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2024-02-29</Dt></BookgDt>
<NtryDtls><TxDtls><RltdPties><Cdtr><Nm>Müller</Nm></Cdtr></RltdPties></TxDtls></NtryDtls></Ntry>
</Stmt></BkToCstmrStmt></Document>"""
CAMT_TRAITS: dict[str, Trait] = {
    "version 8": lambda text: text.replace(".001.02", ".001.08"),
    "no namespace": lambda text: re.sub(' xmlns="[^"]*"', "", text),
    "prefixes": lambda text: re.sub(r"<(/?)([A-Z])", r"<\1n:\2", text).replace("xmlns=", "xmlns:n="),
    "newer nesting": lambda text: re.sub(r"<(n:)?Nm>(.*?)</(n:)?Nm>", r"<\1Pty><\1Nm>\2</\1Nm></\1Pty>", text),
    "status with code": lambda text: re.sub(r"<(n:)?Sts>BOOK<", r"<\1Sts><\1Cd>BOOK</\1Cd><", text),
    "previous closing": lambda text: text.replace("OPBD", "PRCD"),
    "times": lambda text: re.sub(r"<(n:)?Dt>([-\d]+)</(n:)?Dt>", r"<\1DtTm>\2T23:59:59-11:00</\1DtTm>", text),
    "report": lambda text: text.replace("Stmt>", "Rpt>").replace("BkToCstmrRpt", "BkToCstmrAcctRpt"),
    "in an envelope": lambda text: re.sub("(<n:|<)Document", r"<Envelope>\1Document", text) + "</Envelope>",
    "indented": lambda text: re.sub(r">\s*<", ">\n    <", text),
    "one line": lambda text: text.replace("\n", ""),
    "white space before": lambda text: "\n  " + text,
    "comments": lambda text: text.replace("<Ntry>", "<!-- <Ntry> --><Ntry>"),
    "own party": lambda text: text.replace("<Cdtr><", "<Dbtr><Nm>Me</Nm></Dbtr><Cdtr><"),
    "no entry status": lambda text: text.replace("<Sts>BOOK</Sts>", ""),
}

MT940 = """:20:1
:25:DE89370400440532013000
:28C:1/1
:60F:C240130EUR0,00
:61:2401310131D12,50NTRFNONREF
:86:177?00X?20Y?32Müller
:61:2402290229C1234,00NTRFNONREF
:86:166?00X?20Y?32Café & Co
:61:2402290229D0,07NTRFNONREF
:86:177?00X?20Y?32Müller
:62F:C240229EUR1221,43
-
"""
MT940_TRAITS: dict[str, Trait] = {
    "windows line ends": lambda text: text.replace("\n", "\r\n"),
    "blocks": lambda text: "{1:F01BANKDEFFXXXX}{2:I940X}{4:\n" + text.replace("\n-\n", "\n-}\n"),
    "blocks in one line": lambda text: "{1:F01BANKDEFFXXXX}{2:I940X}{4:" + text.replace("\n-\n", "\n-}{5:}\n"),
    "framing": lambda text: "\x01" + text + "\x03",
    "preamble": lambda text: "BANKDEFF\n940\nBANKDEFF\n" + text,
    "no cents": lambda text: text.replace("1234,00", "1234,"),
    "funds code": lambda text: re.sub(r"(:61:\d{10}R?[CD])(\d)", r"\1R\2", text),
    "no entry date": lambda text: re.sub(r"(:61:\d{6})\d{4}", r"\1", text),
    "reversals": lambda text: re.sub(r"(:61:\d{6}(?:\d{4})?)D", r"\1RC", text),
    "separate lines": lambda text: re.sub(r"\?(\d\d)", r"\n?\1", text),
    "other separator": lambda text: re.sub(r"[?](\d\d)", r"<\1", text),
    "slashes": lambda text: re.sub(r":86:.*[?<\n]32(.*)", r":86:/TRTP/X/NAME/\1/REMI/Y", text),
    "bank references": lambda text: text.replace("NONREF", "ABC//DEF\n/OCMT/EUR1,"),
    "no end": lambda text: text.removesuffix("-\n"),
    "available balances": lambda text: text.replace("\n-", "\n:64:C240229EUR1,\n:65:C240301EUR1,\n-"),
}

FORMATS: list[tuple[ModuleType, str, dict[str, Trait]]] = [
    (ofx, OFX, OFX_TRAITS),
    (qif, QIF, QIF_TRAITS),
    (camt, CAMT, CAMT_TRAITS),
    (mt940, MT940, MT940_TRAITS),
]
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "windows-1252"]


def _pairs(traits: dict[str, Trait]) -> list[tuple[str, ...]]:
    return [(), *((one,) for one in traits), *combinations(traits, 2)]


@pytest.mark.parametrize(("reader", "text", "traits"), FORMATS, ids=["ofx", "qif", "camt", "mt940"])
def test_habits_alone_and_in_pairs_leave_the_rows_as_they_are(
    reader: ModuleType, text: str, traits: dict[str, Trait]
) -> None:
    wrong = []
    for names in _pairs(traits):
        made = text
        for name in names:
            made = traits[name](made)
        if found := _differences(reader, made.encode()):
            wrong.append((names, found))

    assert wrong == []


@pytest.mark.parametrize(("reader", "text", "traits"), FORMATS, ids=["ofx", "qif", "camt", "mt940"])
def test_habits_go_with_every_encoding(reader: ModuleType, text: str, traits: dict[str, Trait]) -> None:
    wrong = []
    for encoding in ENCODINGS:
        for name, trait in chain([("none", str)], traits.items()):
            made = trait(text)
            if reader is camt:
                if encoding == "utf-16-le" or name == "white space before":
                    continue
                declared = "UTF-8" if encoding == "utf-8-sig" else encoding
                made = made.replace('<?xml version="1.0"', f'<?xml version="1.0" encoding="{declared}"')
            if found := _differences(reader, made.encode(encoding)):
                wrong.append((encoding, name, found))

    assert wrong == []


def _differences(reader: ModuleType, content: bytes) -> object:
    assert reader.looks_like(content[: 2**16], "file")
    parts = read(reader, content)
    rows = [(row.on.isoformat(), row.amount, row.payee) for row in rows_of(parts)]
    return None if rows == ROWS and not messages_of(parts) else (rows, messages_of(parts))
