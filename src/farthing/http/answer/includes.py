"""Loads related objects. Each kind of object registers its loaders; a loader runs once for a whole page of objects."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct, field

from ..request.call import Answer, Call
from .document import All, Item, Page, Thing, relate


class Shown(Struct, frozen=True):
    """Holds related objects that may have related objects themselves.

    `things` are the objects as they are shown; `objects` are the same objects as loaded, in the same order.
    """

    things: Sequence[Thing[Any]]
    objects: Sequence[Any]


Related = Thing[Any] | list[Thing[Any]] | Shown


class Include(Struct, frozen=True):
    """Declares one relation. For each given object, in the same order, `load` returns one related object or a list.

    If `load` returns `Shown`, `further` declares the relations of the related objects. A relation with `default` is
    always included. A relation with `large` is not loaded on the event loop.
    """

    name: str
    load: Callable[[Call, Sequence[Any]], list[Related]]
    default: bool = False
    further: "Mapping[str, Include]" = field(default_factory=dict)
    large: bool = False


Document = Item[Thing[Any]] | Page[Thing[Any]] | All[Thing[Any]]


def answer(call: Call, document: Document, objects: Sequence[Any], includes: Mapping[str, Include]) -> Answer:
    """Answers with the document and its related objects: those included by default and those that the query names."""
    include(call, document, objects, includes)
    return Answer(document)


def include(call: Call, document: Document, objects: Sequence[Any], includes: Mapping[str, Include]) -> None:
    """Adds `relationships` to each object of the document. Adds `included`, with each related object once."""
    if "include" not in call.query and not _has_default(includes):
        return
    roots = document.data if isinstance(document.data, list) else [document.data]
    names = {word.strip() for word in call.query.get("include", "").split(",")}
    relatives: dict[tuple[str, str], Thing[Any]] = {}
    _add_relatives(call, Shown(roots, objects), includes, names, relatives)
    if relatives:
        own = {(root.type, root.id) for root in roots}
        document.included = [relative for key, relative in relatives.items() if key not in own] or UNSET


def _has_default(includes: Mapping[str, Include]) -> bool:
    for relation in includes.values():  # noqa: SIM110 -- runs for every answer, and is three times as fast
        if relation.default:
            return True
    return False


def _add_relatives(
    call: Call,
    owners: Shown,
    includes: Mapping[str, Include],
    names: set[str],
    relatives: dict[tuple[str, str], Thing[Any]],
) -> None:
    """Adds relations to `owners`, and the related objects to `relatives`. Ignores unknown and repeated names.

    The name `a.b` includes every related object `a`, and the `b` of every `a`.
    """
    heads = {name.partition(".")[0] for name in names}
    for relation in includes.values():
        if not (relation.default or relation.name in heads):
            continue
        loaded = relation.load(call, owners.objects)
        for owner, related in zip(owners.things, loaded, strict=True):
            things = related.things if isinstance(related, Shown) else related
            relate(call.base, owner, relation.name, things)
            for relative in [things] if isinstance(things, Thing) else things:
                relatives.setdefault((relative.type, relative.id), relative)
        if relation.further:
            inner = {name.partition(".")[2] for name in names if name.startswith(f"{relation.name}.")}
            _add_relatives(call, _join(loaded), relation.further, inner, relatives)


def _join(loaded: Sequence[Related]) -> Shown:
    groups = [relatives for relatives in loaded if isinstance(relatives, Shown)]
    things = [thing for group in groups for thing in group.things]
    return Shown(things, [instance for group in groups for instance in group.objects])


def includes_large(includes: Mapping[str, Include], names: str) -> bool:
    """Returns whether the text `names` may contain a large relation. When in doubt, the answer is True, so that large
    relations are never loaded on the event loop."""
    return any(
        relation.name in names and (relation.large or includes_large(relation.further, names))
        for relation in includes.values()
    )


def registry(*includes: Include) -> dict[str, Include]:
    return {relation.name: relation for relation in includes}
