"""Defines the field types of request bodies, and parses a whole body into a model with these fields."""

import re
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, TypeVar

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationError
from pydantic_core import CoreSchema, ErrorDetails, core_schema

from .errors import Problem, refuse_field
from .limits import DESCRIPTION_MAX, ID_MAX, NAME_MAX, NOTES_MAX, ZOOM_MAX
from .parsed import ITEMS_MAX, TOO_MANY, Indexed, Parsed, clean, label
from .text import trim

M = TypeVar("M", bound=BaseModel)
Schema = dict[str, Any]

DIGITS_MAX = 100
DECIMAL_PLACES_MAX = 12
_INTEGER_MAX = 10**DIGITS_MAX - 1

UNREADABLE_NUMBER = Decimal("NaN")
"""Replaces a JSON number with too many digits or too large an exponent. Every field type below refuses it."""


class Refused(ValueError):
    """Refuses a value. The argument is the error message, in which `{label}` is replaced by the field's name."""


class RequestBody(BaseModel):
    """Declares the fields of a request body.

    Pydantic builds the parser on first use, because building dozens of parsers would delay the start of the server.
    """

    model_config = ConfigDict(defer_build=True)


def described(description: str, **more: Any) -> Any:
    """Declares a field that may be omitted, with its description for OpenAPI."""
    return Field(None, description=description, **more)


class FieldParser(Struct, frozen=True, eq=False):
    """Replaces Pydantic's own conversions when used in `Annotated`.

    `read` parses a value, and `schema` describes it for OpenAPI.
    """

    read: Callable[[Any], object]
    schema: Schema

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, _core: CoreSchema, _handler: GetJsonSchemaHandler) -> Schema:
        return dict(self.schema)


def _text(value: object) -> str:
    """Accepts text or a number. A number becomes its digits, because clients send account numbers as numbers."""
    if isinstance(value, str):
        text = value.strip()
    elif isinstance(value, int | Decimal) and not isinstance(value, bool):
        text = format(_number(value), "f")
    else:
        raise Refused("The {label} must be text.")
    if "\0" in text:
        raise Refused("The {label} may not contain the NUL character.")
    if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
        raise Refused("The {label} contains half of a surrogate pair, which is not a character: send the whole pair.")
    return text


def text(characters_max: int) -> FieldParser:
    def read(value: object) -> str:
        content = _text(value)
        if len(content) > characters_max:
            raise _too_long(characters_max)
        return content

    return FieldParser(read, {"type": ["string", "number"], "maxLength": characters_max})


# Bank exports contain unusual spaces and line breaks. If they were kept, one name could be stored as two.
_ODD = re.compile("\r\n|[\x01-\x1f\x7f-\xa0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]")


def _in_one_line(text: str) -> str:
    return text if text.isprintable() else trim(_ODD.sub(" ", text))


def line(characters_max: int) -> FieldParser:
    """Parses a single line of text. Control characters and unusual spaces become ordinary spaces."""
    whole = text(characters_max)

    def read(value: object) -> str:
        content = _in_one_line(str(whole.read(value)))
        if not content:
            raise Refused("The {label} must contain at least one visible character.")
        return content

    return FieldParser(read, whole.schema)


def _too_long(characters_max: int) -> Refused:
    return Refused(f"The {{label}} may not be greater than {characters_max} characters.")


def choice(*words: str) -> FieldParser:
    """Parses one of the given words (case-sensitive). If the words are members of a StrEnum, returns the member."""
    by_word = {str(word): word for word in words}

    def read(value: object) -> str:
        word = by_word.get(value.strip()) if isinstance(value, str) else None
        if word is None:
            raise Refused(f"The selected {{label}} is invalid: it must be one of {', '.join(by_word)}.")
        return word

    return FieldParser(read, {"type": "string", "enum": list(by_word)})


def words(characters_max: int) -> FieldParser:
    """Parses comma-separated text or a list. Trims each word, drops empty words, and limits the total length."""

    def read(value: object) -> list[str]:
        items = value if isinstance(value, list) else [value]
        trimmed = [word for item in items for piece in _in_one_line(_text(item)).split(",") if (word := trim(piece))]
        if len(",".join(trimmed)) > characters_max:
            raise _too_long(characters_max)
        return trimmed

    single, many = {"type": "string", "maxLength": characters_max}, {"type": "array", "items": {"type": "string"}}
    return FieldParser(
        read, {"anyOf": [single, many | {"maxItems": ITEMS_MAX}], "description": "A list, or comma-separated text."}
    )


_PLAIN_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")
_WHOLE_PATTERN = r"^[+-]?[0-9]+(\.0+)?$"
_NUMBER_SCHEMA: Schema = {"type": ["number", "string"], "pattern": r"^[+-]?[0-9]+(\.[0-9]+)?$"}


def _number(value: object) -> Decimal:
    """Parses a number. Refuses floats, because they are not exact."""
    if isinstance(value, str):
        value = _number_from_text(value.strip())
    if isinstance(value, int) and not isinstance(value, bool):
        value = Decimal(value) if -_INTEGER_MAX <= value <= _INTEGER_MAX else UNREADABLE_NUMBER
    if not isinstance(value, Decimal):
        raise Refused("The {label} must be a number.")
    if not value.is_finite():
        raise Refused(f"The {{label}} must be a number of at most {DIGITS_MAX} digits, with an exponent of at most 30.")
    return value or Decimal(0)


def _number_from_text(text: str) -> Decimal:
    if not _PLAIN_NUMBER.fullmatch(text):
        raise Refused("The {label} must be a number, written like 1234.56.")
    return Decimal(text) if len(text) <= DIGITS_MAX else UNREADABLE_NUMBER


def _positive(value: object) -> Decimal:
    number = _number(value)
    if number <= 0:
        raise Refused("The {label} must be more than zero.")
    return number


def decimal(*, minimum: int, maximum: int) -> FieldParser:
    def read(value: object) -> Decimal:
        number = _number(value)
        if not minimum <= number <= maximum:
            raise Refused(f"The {{label}} must be between {minimum} and {maximum}.")
        # Decimal.normalize() would not do: it rounds to 28 digits first, and so would hide further decimals.
        if len(format(number, "f").partition(".")[2].rstrip("0")) > DECIMAL_PLACES_MAX:
            raise Refused(f"The {{label}} may have at most {DECIMAL_PLACES_MAX} decimal places.")
        return number

    return FieldParser(read, _NUMBER_SCHEMA | {"minimum": minimum, "maximum": maximum})


def _integer(value: object) -> int:
    if type(value) is int and -_INTEGER_MAX <= value <= _INTEGER_MAX:
        return value
    number = _number(value)
    if number != number.to_integral_value():
        raise Refused("The {label} must be a whole number.")
    return int(number)


def whole(*, minimum: int, maximum: int) -> FieldParser:
    def read(value: object) -> int:
        number = _integer(value)
        if not minimum <= number <= maximum:
            raise Refused(f"The {{label}} must be between {minimum} and {maximum}.")
        return number

    bounds = {"minimum": minimum, "maximum": maximum, "pattern": _WHOLE_PATTERN}
    return FieldParser(read, {"type": ["integer", "string"], **bounds})


def _id(value: object) -> int:
    number = _integer(value)
    if not 1 <= number <= ID_MAX:
        raise Refused("The selected {label} is invalid.")
    return number


_FLAGS: dict[object, bool] = {0: False, 1: True, "0": False, "1": True, "false": False, "true": True}


def _flag(value: object) -> bool:
    word = value.strip().lower() if isinstance(value, str) else value
    flag = _FLAGS.get(word) if isinstance(word, str | int | Decimal) else None
    if flag is None:
        raise Refused("The {label} field must be true or false.")
    return flag


_OFFSET = r"[Zz]|[+-](?:[01][0-9]|2[0-3])(?::?[0-5][0-9])?"
_TIME = rf"(?:[01][0-9]|2[0-3]):[0-5][0-9](?::(?:[0-5][0-9]|60)(?:[.,][0-9]{{1,12}})?)?(?:{_OFFSET})?"
_DAY = re.compile(rf"([0-9]{{4}})-([0-9]{{2}})-([0-9]{{2}})(?:[Tt ]{_TIME})?")


def _day(value: object) -> date:
    """Parses a date or a date-time. The time and its offset are ignored, so the day never changes with a time zone."""
    match = _DAY.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        raise Refused("The {label} is not a valid date: write it as YYYY-MM-DD.")
    year, month, day = map(int, match.groups())
    if not 1000 <= year <= 9998:
        raise Refused("The {label} is not a valid date: its year must be between 1000 and 9998.")
    try:
        return date(year, month, day)
    except ValueError:
        raise Refused("The {label} is not a valid date: there is no such day in the calendar.") from None


_ID_SCHEMA: Schema = {"type": ["integer", "string"], "minimum": 1, "maximum": ID_MAX, "pattern": _WHOLE_PATTERN}
_FLAG_SCHEMA: Schema = {
    "enum": [True, False, 0, 1, "0", "1", "true", "false"],
    "description": "If sent as text, `true` and `false` are case-insensitive.",
}
_DAY_SCHEMA: Schema = {
    "type": "string",
    "format": "date",
    "description": "Must be written as YYYY-MM-DD. If a date-time is sent, its time is ignored.",
}
_AMOUNT_SCHEMA = _NUMBER_SCHEMA | {
    "description": "A JSON number or a decimal string without an exponent. The value is never rounded."
}

Name = Annotated[str, line(NAME_MAX)]
Description = Annotated[str, line(DESCRIPTION_MAX)]
Notes = Annotated[str, text(NOTES_MAX)]
WordList = Annotated[list[str], words(NOTES_MAX)]
Flag = Annotated[bool, FieldParser(_flag, _FLAG_SCHEMA)]
Amount = Annotated[Decimal, FieldParser(_number, _AMOUNT_SCHEMA)]
PositiveAmount = Annotated[Decimal, FieldParser(_positive, _AMOUNT_SCHEMA | {"exclusiveMinimum": 0})]
Percentage = Annotated[Decimal, decimal(minimum=0, maximum=100)]
Latitude = Annotated[Decimal, decimal(minimum=-90, maximum=90)]
Longitude = Annotated[Decimal, decimal(minimum=-180, maximum=180)]
ZoomLevel = Annotated[int, whole(minimum=0, maximum=ZOOM_MAX)]
Id = Annotated[int, FieldParser(_id, _ID_SCHEMA)]
Day = Annotated[date, FieldParser(_day, _DAY_SCHEMA)]


def parse(model: type[M], raw: Mapping[str, object]) -> Parsed[M]:
    """Parses all fields of the body and collects all errors. Unknown fields are ignored."""
    sent = clean(raw)
    problems: list[Problem] = []
    while True:  # each round removes the invalid values; a second is rare, a third needs a field with three names
        try:
            values = model.model_validate(sent)
        except ValidationError as refusal:
            problems += _take_out(sent, refusal.errors(include_url=False))
        else:
            failed = frozenset(problem.field for problem in problems)
            return Parsed(values=values, problems=problems, failed=failed, raw=sent)


def parse_complete(model: type[M], raw: Mapping[str, object], *required: str) -> M:
    """Parses a body that needs no other checks. Raises if a field is invalid or a required one is missing."""
    parsed = parse(model, raw)
    parsed.require(*required)
    parsed.finish()
    return parsed.values


def _take_out(sent: dict[str, object], errors: list[ErrorDetails]) -> list[Problem]:
    keys = [_key(sent, error["loc"]) for error in errors]
    for error in reversed(errors):  # from the end, so that the remaining locations stay valid
        _remove(sent, error["loc"], keep_item=error["type"] in _NOT_A_GROUP)
    return [Problem(key, _sentence(key, error)) for key, error in zip(keys, errors, strict=True)]


def _key(sent: object, location: tuple[int | str, ...]) -> str:
    """Returns the location as the caller wrote it, with the indexes under which list items were sent."""
    parts = []
    for step in location:
        parts.append(sent.labels[step] if isinstance(sent, Indexed) and isinstance(step, int) else str(step))
        sent = sent[step] if isinstance(sent, dict | list) else None  # type: ignore[index]
    return ".".join(parts)


def _remove(sent: Any, location: tuple[int | str, ...], *, keep_item: bool) -> None:
    """Removes an invalid value. With `keep_item`, replaces a list item by an empty object, so that no index shifts."""
    *path, last = location
    for step in path:
        sent = sent[step]
    if keep_item and isinstance(sent, list):
        sent[int(last)] = {}
        return
    if isinstance(sent, Indexed):
        del sent.labels[int(last)]
    del sent[last]


_NOT_A_GROUP = ("model_type", "model_attributes_type")


def _sentence(key: str, error: ErrorDetails) -> str:
    cause = error.get("ctx", {}).get("error")
    if error["input"] is TOO_MANY:
        stock = f"The {{label}} may not have more than {ITEMS_MAX} items."
    elif isinstance(cause, Refused):
        stock = str(cause)
    elif error["type"] in _NOT_A_GROUP:
        stock = "The {label} must be a group of named fields."
    else:
        stock = "The {label} must be a list." if error["type"] == "list_type" else "The selected {label} is invalid."
    return stock.replace("{label}", label(key))


def query_day(raw: str | None, name: str) -> date | None:
    """Parses a day in the query. Empty text is treated as omitted, because old clients send `start=&end=`."""
    if raw is None or not raw.strip():
        return None
    try:
        return _day(raw)
    except Refused as refusal:
        refuse_field(name, str(refusal).replace("{label}", label(name)))
