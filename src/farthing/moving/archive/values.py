"""Reads one line of an archive strictly: checks every field by its type, and refuses unknown fields.

The values are returned as they will be stored, except that references are still the ids of the archive, and currencies
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
    **dict.fromkeys((FieldType.ID, FieldType.WHOLE, FieldType.REFERENCE), (int,)),
    FieldType.WORDS: (list,),
    FieldType.VALUE: (str, int, float, bool, list, dict),
    FieldType.DATA: (dict, list),
}


class Misfit(ValueError):
    """Explains what is wrong with a field; the message begins with the field's name."""


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
        raise Misfit(f"{_show(min(unknown))}: is a field unknown to this version")
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
    if not _fits(field, value):
        raise _misfit(field, value)
    match field.type:
        case FieldType.CHOICE:
            return field.words[value]
        case FieldType.FLAG:
            return int(value)
    return value


def _fits(field: ArchiveField, value: Any) -> bool:
    try:
        return field.type not in _CHECKS or _CHECKS[field.type](field, value)
    except (ValueError, InvalidOperation):
        return False


def _has_surrogates(text: str) -> bool:
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def _read_amount(field: ArchiveField, text: str, currency: Currency | None) -> int:
    if not _NUMBER.fullmatch(text):
        raise _misfit(field, text)
    if currency is None:
        raise Misfit(f"{field.name}: its currency is missing, or unknown to this installation")
    try:
        units = to_units(Decimal(text), currency)
    except NotRepresentable as error:
        raise Misfit(f"{field.name}: {_show(text)} {error}") from error
    if units < field.least:
        raise Misfit(f"{field.name}: must be more than zero, not {_show(text)}")
    return units


def _is_moment(text: str) -> bool:
    moment = datetime.fromisoformat(text)
    return moment.tzinfo is not None and moment.astimezone(UTC).isoformat() == text


def _are_words(field: ArchiveField, words: list[Any]) -> bool:
    texts = [word for word in words if isinstance(word, str) and "\0" not in word and not _has_surrogates(word)]
    return len(texts) == len(words) and all(texts) and field.least <= len(texts) and len(",".join(texts)) <= field.most


def _is_id(_field: ArchiveField, number: int) -> bool:
    return 1 <= number <= ID_MAX


# Each returns False or raises ValueError for a value that does not fit.
_CHECKS: dict[FieldType, Callable[[ArchiveField, Any], bool]] = {
    FieldType.ID: _is_id,
    FieldType.REFERENCE: _is_id,
    FieldType.TEXT: lambda field, text: field.least <= len(text) <= field.most,
    FieldType.DAY: lambda _field, text: date.fromisoformat(text).isoformat() == text,
    FieldType.MOMENT: lambda _field, text: _is_moment(text),
    FieldType.WHOLE: lambda field, number: field.least <= number <= field.most,
    FieldType.NUMBER: lambda _field, text: bool(_NUMBER.fullmatch(text)) and abs(Decimal(text)) <= UNITS_MAX,
    FieldType.CHOICE: lambda field, word: word in field.words,
    FieldType.WORDS: _are_words,
    FieldType.HASH: lambda field, text: len(text) == field.most and bool(_HEX.fullmatch(text)),
    # Text with half a surrogate pair, for example, cannot be written as JSON again.
    FieldType.DATA: lambda _field, value: bool(msgspec.json.encode(value).decode()),
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
