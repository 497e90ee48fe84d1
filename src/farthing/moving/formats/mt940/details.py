"""Reads the details of a row (`:86:`): German subfields, slash codes as in the Netherlands, or plain text."""

import re
from collections.abc import Iterator

from msgspec import Struct

from ..values import clean, provided

# A code of the transaction, a separator, and numbered subfields: 166?00GUTSCHRIFT?20…
_SUBFIELDS = re.compile(r"(?:(\d{3})(?=[?<>~^@|])|(?=\?))(.)(?=\d\d)")
_NUMBERS = r"(0[0-9]|1[0-9]|2[0-9]|3[0-9]|6[0-9])"
# The length of a subfield. If the text fills it completely, its last word continues in the next subfield.
_SUBFIELD_CHARS = 27
_LINE_CHARS = 65
_SEPA = ("EREF", "KREF", "MREF", "CRED", "DEBT", "COAM", "OAMT", "SVWZ", "ABWA", "ABWE", "IBAN", "BIC", "PURP", "RREF")
_SEPA_WORD = re.compile(rf"(?:^|\s)({'|'.join(_SEPA)})\+")
_SLASH_WORD = re.compile(
    r"/(TRCD|TRTP|CNTP|ORDP|BENM|ULTD|ULTC|ULTB|NAME|IBAN|ACCW|BIC|REMI|EREF|PREF|IREF|MARF|CSID|ADDR|ISDT|RTRN|PURP|ID"
    r"|CREF|SVCL|KREF|RTYP|OCMT|EXCH|CHGS|PHON|CDTRREFTP|CDTRREF|ORMSG)/"
)


class Details(Struct, frozen=True, kw_only=True):
    description: str | None = None
    payee: str | None = None
    payee_account: str | None = None
    reference: str | None = None
    notes: tuple[str, ...] = ()


def read_details(fields: list[str]) -> Details:
    text = "\n".join(fields)
    joined = text.replace("\n", "")
    if match := _SUBFIELDS.match(joined):
        return _read_subfields(match[1], joined[match.start(2) :], match[2])
    if _SLASH_WORD.match(joined):
        return _read_slashes(joined)
    words = _split_words(_SEPA_WORD, _join_wrapped(text.split("\n"), _LINE_CHARS))
    return Details(
        description=clean(words.pop("SVWZ", None)) or clean(words.get("")),
        reference=provided(words.pop("EREF", None)),
        payee_account=clean(words.pop("IBAN", None)),
        notes=tuple(_note(words)),
    )


def rename_subfields(text: str) -> str:
    """Translates the older German field `:NS:`, whose lines begin with numbers, to the subfields of `:86:`."""
    names = {f"{number:02}": str(19 + number) if number <= 10 else str(49 + number) for number in range(1, 15)}
    names |= {"15": "32", "16": "33", "17": "00", "18": "10", "19": "11"}
    return "".join(f"?{names.get(line[:2], '69')}{line[2:]}" for line in text.split("\n") if line.strip())


def _read_subfields(code: str | None, text: str, separator: str) -> Details:
    """Reads subfields: `?20` to `?29` and `?60` to `?69` are the remittance, `?30` to `?33` the other party."""
    parts = re.split(re.escape(separator) + _NUMBERS, text)
    fields: dict[str, str] = {}
    for number, value in zip(parts[1::2], parts[2::2], strict=True):
        fields[number] = fields.get(number, "") + value
    remittance = [fields.pop(number) for number in sorted(fields) if number[0] in "26"]
    words = _split_words(_SEPA_WORD, _join_wrapped(remittance, _SUBFIELD_CHARS))
    booking, prima, bank, account = (clean(fields.pop(number, None)) for number in ("00", "10", "30", "31"))
    name = clean(_join_wrapped([fields.pop(number) for number in ("32", "33") if number in fields], _SUBFIELD_CHARS))
    plain = clean(words.pop("", None))
    purpose = clean(words.pop("SVWZ", None))
    notes = {"Code": code, "Booking": booking, "Prima nota": prima, "Bank": bank, "Text": plain if purpose else None}
    notes |= {f"?{number}": value for number, value in fields.items()}
    return Details(
        description=purpose or plain or booking,
        payee=name or clean(words.get("ABWE") or words.get("ABWA")),
        payee_account=account or clean(words.pop("IBAN", None)),
        reference=provided(words.pop("EREF", None)),
        notes=(*_note(notes), *_note(words)),
    )


def _join_wrapped(parts: list[str], width: int) -> str:
    joined = ""
    for index, part in enumerate(parts):
        goes_on = index > 0 and len(parts[index - 1]) >= width and not _SEPA_WORD.match(part)
        joined += part if goes_on or not joined else f" {part}"
    return joined


def _read_slashes(text: str) -> Details:
    words = _split_words(_SLASH_WORD, text)
    words.pop("", None)
    for side in ("ORDP", "BENM"):
        if not words.get(side, "").strip("/ "):
            words.pop(side, None)
    account, name = _read_counterparty(words)
    remittance = re.sub(r"^(USTD|STRD)/+", "", words.pop("REMI", "").strip(" "))
    kind = words.get("TRTP")
    return Details(
        description=_tidy(remittance) or _tidy(words.pop("CDTRREF", None)) or _tidy(kind) or name,
        payee=name,
        payee_account=account,
        reference=provided(_tidy(words.pop("EREF", None))),
        notes=tuple(_note({word: _tidy(value) for word, value in words.items()})),
    )


def _read_counterparty(words: dict[str, str]) -> tuple[str | None, str | None]:
    """Reads the counterparty from separate codes or from the combined code `/CNTP/IBAN/BIC/name/city/`."""
    account = _tidy(words.pop("IBAN", None)) or _tidy(words.pop("ACCW", None))
    name = _tidy(words.pop("NAME", None))
    parts = [part.strip() for part in words.pop("CNTP", "").split("/")]
    if len(parts) >= 3:
        account, name = account or parts[0], name or parts[2]
        words["CNTP"] = " ".join(part for part in (parts[1], *parts[3:]) if part)
    if account and "," in account:  # Rabobank: account, bank
        first, _, bank = account.partition(",")
        account, words["BIC"] = first, bank
    return clean(account), clean(name)


def _split_words(pattern: re.Pattern[str], text: str) -> dict[str, str]:
    """Splits a text at the code words of `pattern`; text before the first one gets the empty string as its key."""
    first, *rest = pattern.split(text)
    words = {"": first} if first.strip() else {}
    for word, value in zip(rest[::2], rest[1::2], strict=True):
        words[word] = f"{words[word]} {value}" if word in words else value
    return words


def _note(words: "dict[str, str] | dict[str, str | None]") -> Iterator[str]:
    for word, value in words.items():
        text = clean(value)
        if text and word:
            yield f"{word}: {text}"


def _tidy(text: str | None) -> str | None:
    return clean(text.strip("/ ")) if text else None
