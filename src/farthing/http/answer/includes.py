"""Loads related objects. Each kind of object registers its loaders; one query serves a whole page."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct, field

from ..request.call import Answer, Call
from .document import All, Item, Page, Thing, relate


class Shown(Struct, frozen=True):
    """Relatives that may include others in turn: as shown, and as loaded, in the same order."""

    things: Sequence[Thing[Any]]
    objects: Sequence[Any]


Related = Thing[Any] | list[Thing[Any]] | Shown


class Include(Struct, frozen=True):
    """`load` gives for each object, in order, one thing (a relation to one) or several (a relation to many).

    `further` are what these can include in turn, if `load` gives `Shown`. `default` ones are always included; `large`
    ones are not made on the event loop.
    """

    name: str
    load: Callable[[Call, Sequence[Any]], list[Related]]
    default: bool = False
    further: "Mapping[str, Include]" = field(default_factory=dict)
    large: bool = False


Document = Item[Thing[Any]] | Page[Thing[Any]] | All[Thing[Any]]


def answer(call: Call, document: Document, objects: Sequence[Any], includes: Mapping[str, Include]) -> Answer:
    """The document with what its objects include, by default or because the request asks for it."""
    include(call, document, objects, includes)
    return Answer(document)


def include(call: Call, document: Document, objects: Sequence[Any], includes: Mapping[str, Include]) -> None:
    """Adds `relationships` to each object of the document and `included` to the document, each relative once."""
    if "include" not in call.query and not _bring_any(includes):
        return
    roots = document.data if isinstance(document.data, list) else [document.data]
    names = {word.strip() for word in call.query.get("include", "").split(",")}
    relatives: dict[tuple[str, str], Thing[Any]] = {}
    _bring(call, Shown(roots, objects), includes, names, relatives)
    if relatives:
        own = {(root.type, root.id) for root in roots}
        document.included = [one for key, one in relatives.items() if key not in own] or UNSET


def _bring_any(includes: Mapping[str, Include]) -> bool:
    """Whether any are included by default."""
    for one in includes.values():  # noqa: SIM110 -- called for every answer, and three times as fast
        if one.default:
            return True
    return False


def _bring(
    call: Call,
    owners: Shown,
    includes: Mapping[str, Include],
    names: set[str],
    relatives: dict[tuple[str, str], Thing[Any]],
) -> None:
    """Unknown and repeated names are ignored; `a.b` asks for `a`, and for the `b` of each."""
    asked = {name.partition(".")[0] for name in names}
    for chosen in includes.values():
        if not (chosen.default or chosen.name in asked):
            continue
        loaded = chosen.load(call, owners.objects)
        for owner, related in zip(owners.things, loaded, strict=True):
            things = related.things if isinstance(related, Shown) else related
            relate(call.base, owner, chosen.name, things)
            for one in [things] if isinstance(things, Thing) else things:
                relatives.setdefault((one.type, one.id), one)
        if chosen.further:
            _bring(call, _together(loaded), chosen.further, _below(chosen.name, names), relatives)


def _below(name: str, names: set[str]) -> set[str]:
    return {one.removeprefix(f"{name}.") for one in names if one.startswith(f"{name}.")}


def _together(loaded: Sequence[Related]) -> Shown:
    shown = [one for one in loaded if isinstance(one, Shown)]
    return Shown([thing for one in shown for thing in one.things], [each for one in shown for each in one.objects])


def brings_large(includes: Mapping[str, Include], names: str) -> bool:
    """Whether this text may ask for large relations; when in doubt, yes, to keep them off the event loop."""
    return any(one.name in names and (one.large or brings_large(one.further, names)) for one in includes.values())


def registry(*includes: Include) -> dict[str, Include]:
    return {one.name: one for one in includes}
