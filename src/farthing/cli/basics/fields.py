"""Reads words as the API reads its fields, so that commands accept only what the API accepts."""

from typing import get_args

from farthing.kernel.errors import FarthingError


def read_field(label: str, word: str, field: object) -> str:
    """`field` is the type of such a field in the API, such as `Name`: text with the parser that reads it."""
    from farthing.kernel.fields import Refused

    _, parser = get_args(field)
    try:
        return str(parser.read(word))
    except Refused as refused:
        raise FarthingError(str(refused).format(label=label).rstrip(".")) from None
