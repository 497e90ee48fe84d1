"""Which related objects go along? Each kind of object registers its loaders; one query serves a whole page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from .call import Call
from .document import All, Item, Page, Thing, relate

Related = Thing[Any] | list[Thing[Any]]
O = TypeVar("O")  # noqa: E741 -- the object whose relatives are loaded


@dataclass(frozen=True)
class Include:
    """`load` gives for each object, in order, one thing (a relation to one) or a list (a relation to many)."""

    name: str
    load: Callable[[Call, Sequence[Any]], list[Related]]
    default: bool = False


def wanted(call: Call, includes: Mapping[str, Include]) -> list[Include]:
    """Unknown names are ignored, as are doubles."""
    named = {word.strip() for word in call.query.get("include", "").split(",")}
    return [include for include in includes.values() if include.default or include.name in named]


def include(
    call: Call,
    document: Item[Thing[Any]] | Page[Thing[Any]] | All[Thing[Any]],
    objects: Sequence[Any],
    includes: Mapping[str, Include],
) -> None:
    """Adds `relationships` to each object of the document and `included` to the document, each relative once."""
    roots = document.data if isinstance(document.data, list) else [document.data]
    relatives: dict[tuple[str, str], Thing[Any]] = {}
    for chosen in wanted(call, includes):
        for root, related in zip(roots, chosen.load(call, objects), strict=True):
            relate(call.base, root, chosen.name, related)
            for one in related if isinstance(related, list) else [related]:
                relatives.setdefault((one.type, one.id), one)
    for root in roots:
        relatives.pop((root.type, root.id), None)
    if relatives:
        document.included = list(relatives.values())


def registry(*includes: Include) -> dict[str, Include]:
    return {one.name: one for one in includes}
