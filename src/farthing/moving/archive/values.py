"""Reads one line of an archive strictly: every field by its type, nothing that is not known.

What comes out is as it is stored, but for references, which still are the ids of the archive, and currencies, which
are still codes.
"""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any

import msgspec

from farthing.kernel.limits import ID_MAX
from farthing.kernel.money import UNITS_MAX, Currency, NotRepresentable, to_units

from .fields import ArchiveField, ArchiveKind, ArchivePart, FieldType

Values = dict[str, Any]
_SHOWN_MAX = 80
_NUMBER = re.compile(r"-?[0-9]{1,40}(?:\.[0-9]{1,40})?")
_HEX = re.compile("[0-9a-f]+")
_TYPES: dict[FieldType, tuple[type, ...]] = {
    FieldType.FLAG: (bool,),
    FieldType.ID: (int,),
    FieldType.WHOLE: (int,),
    FieldType.REFERENCE: (int,),
    FieldType.WORDS: (list,),
    FieldType.VALUE: (str, int, bool, list),
    FieldType.DATA: (dict, list),
}


class Misfit(ValueError):
    """Explains what is wrong with a field; the message begins with its name."""


def read_line(kind: ArchiveKind, line: bytes, currencies: Mapping[str, Currency]) -> Values:
    try:
        fields = msgspec.json.decode(line, type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise Misfit(f"the line is not a JSON object: {error}") from error
    parts = {part.name: part for part in kind.parts}
    values = _read_fields(kind.fields, {name: fields[name] for name in fields if name not in parts}, currencies)
    for name, part in parts.items():
        values[name] = _read_part(part, fields.get(name, []), currencies)
    return values


def _read_part(part: ArchivePart, items: Any, currencies: Mapping[str, Currency]) -> list[Values]:
    if not isinstance(items, list) or not part.least <= len(items) <= part.most:
        raise Misfit(f"{part.name}: must be a list of {part.least} to {part.most} items")
    values = []
    for number, item in enumerate(items):
        fields = item if len(part.fields) > 1 else {part.fields[0].name: item}
        try:
            if not isinstance(fields, dict):
                raise Misfit("must be an object")
            values.append(_read_fields(part.fields, fields, currencies))
        except Misfit as error:
            raise Misfit(f"{part.name}[{number}]: {error}") from error
    return values


def _read_fields(
    fields: tuple[ArchiveField, ...], line: Mapping[str, Any], currencies: Mapping[str, Currency]
) -> Values:
    unknown = line.keys() - {field.name for field in fields}
    if unknown:
        raise Misfit(f"{_show(min(unknown))}: is not a field that this version knows")
    values: Values = {}
    for field in fields:
        value = line.get(field.name)
        if value is None and not field.optional:
            raise Misfit(f"{field.name}: is missing; it must be {_describe(field)}")
        values[field.name] = field.usual if value is None else _read(field, value, line, currencies)
    return values


def _read(field: ArchiveField, value: Any, line: Mapping[str, Any], currencies: Mapping[str, Currency]) -> Any:
    types = _TYPES.get(field.type, (str,))
    if type(value) not in types:
        raise _misfit(field, value)
    if isinstance(value, str) and ("\0" in value or (not value.isascii() and _has_surrogates(value))):
        raise Misfit(f"{field.name}: contains a character that cannot be stored")
    if field.type is FieldType.AMOUNT:
        return _read_amount(field, value, currencies.get(line.get(field.currency) or ""))
    try:
        return _READERS[field.type](field, value)
    except (ValueError, InvalidOperation):
        raise _misfit(field, value) from None


def _has_surrogates(text: str) -> bool:
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def _read_amount(field: ArchiveField, text: str, currency: Currency | None) -> int:
    if not _NUMBER.fullmatch(text):
        raise _misfit(field, text)
    if currency is None:
        raise Misfit(f"{field.name}: the line names no currency for it that this installation has")
    try:
        units = to_units(Decimal(text), currency)
    except NotRepresentable as error:
        raise Misfit(f"{field.name}: {_show(text)} {error}") from error
    if units < field.least:
        raise Misfit(f"{field.name}: must be more than zero, not {_show(text)}")
    return units


def _read_text(field: ArchiveField, text: str) -> str:
    if not field.least <= len(text) <= field.most:
        raise ValueError
    return text


def _read_day(_field: ArchiveField, text: str) -> str:
    if date.fromisoformat(text).isoformat() != text:
        raise ValueError
    return text


def _read_moment(_field: ArchiveField, text: str) -> str:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None or moment.astimezone(UTC).isoformat() != text:
        raise ValueError
    return text


def _read_whole(field: ArchiveField, number: int) -> int:
    if not field.least <= number <= field.most:
        raise ValueError
    return number


def _read_id(_field: ArchiveField, number: int) -> int:
    if not 1 <= number <= ID_MAX:
        raise ValueError
    return number


def _read_number(_field: ArchiveField, text: str) -> str:
    if not _NUMBER.fullmatch(text) or abs(Decimal(text)) > UNITS_MAX:
        raise ValueError
    return text


def _read_choice(field: ArchiveField, word: str) -> Any:
    if word not in field.words:
        raise ValueError
    return field.words[word]


def _read_words(field: ArchiveField, words: list[Any]) -> list[str]:
    texts = [word for word in words if isinstance(word, str) and "\0" not in word and not _has_surrogates(word)]
    if len(texts) != len(words) or not all(texts) or len(texts) < field.least or len(",".join(texts)) > field.most:
        raise ValueError
    return texts


def _read_hash(field: ArchiveField, text: str) -> str:
    if len(text) != field.most or not _HEX.fullmatch(text):
        raise ValueError
    return text


def _read_data(_field: ArchiveField, value: Any) -> Any:
    """Accepts anything that can be written as JSON again; text may hold half letters, which cannot."""
    msgspec.json.encode(value).decode()
    return value


_READERS: dict[FieldType, Callable[[ArchiveField, Any], Any]] = {
    FieldType.ID: _read_id,
    FieldType.REFERENCE: _read_id,
    FieldType.TEXT: _read_text,
    FieldType.FLAG: lambda _field, flag: int(flag),
    FieldType.DAY: _read_day,
    FieldType.MOMENT: _read_moment,
    FieldType.WHOLE: _read_whole,
    FieldType.NUMBER: _read_number,
    FieldType.CURRENCY: lambda _field, code: code,
    FieldType.CHOICE: _read_choice,
    FieldType.WORDS: _read_words,
    FieldType.VALUE: lambda _field, value: value,
    FieldType.HASH: _read_hash,
    FieldType.DATA: _read_data,
}


def _misfit(field: ArchiveField, value: Any) -> Misfit:
    return Misfit(f"{field.name}: must be {_describe(field)}, not {_show(value)}")


def _describe(field: ArchiveField) -> str:
    match field.type:
        case FieldType.CHOICE:
            return f"one of {', '.join(field.words)}"
        case FieldType.TEXT:
            return f"text of {field.least} to {field.most} characters"
        case FieldType.WHOLE:
            return f"a whole number from {field.least} to {field.most}"
    return field.type.value


def _show(value: Any) -> str:
    text = str(value)
    return repr(text if len(text) <= _SHOWN_MAX else f"{text[:_SHOWN_MAX]}…")
