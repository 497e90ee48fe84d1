"""Defines the envelope around every object and list in an answer."""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType, field, structs

from farthing.kernel.languages import is_translated, say
from farthing.kernel.shown import Number, ShownDay

from ..request.public_address import API

Attributes = TypeVar("Attributes")
Data = TypeVar("Data")


class Reference(Struct, gc=False):
    """Refers to another object in the same answer."""

    type: str
    id: str


class RelationLinks(Struct, gc=False):
    self_: str = field(name="self")
    related: str


class Relationship(Struct, gc=False):
    links: RelationLinks
    data: Reference | list[Reference]


class SelfUri(Struct, gc=False):
    rel: str
    uri: str


class ObjectLinks(Struct, gc=False):
    self_: str = field(name="self")
    zero: SelfUri | UnsetType = field(name="0", default=UNSET)


class Thing(Struct, Generic[Attributes], gc=False):
    """Wraps one object. `relationships` holds only relations that are included in the answer."""

    type: str
    id: str
    attributes: Attributes
    links: ObjectLinks
    relationships: dict[str, Relationship] | UnsetType = UNSET
    meta: list[dict[str, Any]] | UnsetType = UNSET


class Item(Struct, Generic[Data], gc=False):
    data: Data
    included: list[Thing[Any]] | UnsetType = UNSET


class Pagination(Struct, gc=False):
    total: int
    count: int
    per_page: int
    current_page: int
    total_pages: int


class PageMeta(Struct, gc=False):
    """Describes one page of a list.

    `not_matching` has the ids of the splits on this page that belong to a matching transaction, but do not pass the
    filters themselves. `searched_from` is set only if the search ended early: there may be more results on or before
    that day. `widened` is set only if no words begin with those of the query, so that the results have words that
    contain them. `balances` is set only if the query asks for balances. It maps the id of each transaction on the page
    to the account's balance after that transaction.
    """

    pagination: Pagination
    searched_from: ShownDay | UnsetType = UNSET
    not_matching: list[str] | UnsetType = UNSET
    widened: bool | UnsetType = UNSET
    balances: dict[str, Number] | UnsetType = UNSET


class PageLinks(Struct, gc=False):
    self_: str = field(name="self")
    first: str
    last: str
    prev: str | UnsetType = UNSET
    next: str | UnsetType = UNSET


class Page(Struct, Generic[Data], gc=False):
    data: list[Data]
    meta: PageMeta
    links: PageLinks
    included: list[Thing[Any]] | UnsetType = UNSET


class All(Struct, Generic[Data], gc=False):
    """Wraps a list that is never paged."""

    data: list[Data]
    included: list[Thing[Any]] | UnsetType = UNSET


class Problems(Struct, gc=False):
    """Lists the problems of a request. `meta` contains what a client needs to continue, such as the second factors."""

    message: str
    errors: dict[str, list[str]]
    meta: dict[str, Any] | UnsetType = UNSET


class Failure(Struct, gc=False):
    message: str
    exception: str
    request_id: str | UnsetType = UNSET


class AppFailure(Struct, gc=False):
    """Reports an error to an app, in the format that RFC 6749 prescribes."""

    error: str
    error_description: str


_ENCODER = msgspec.json.Encoder()
Document = Struct | list[Any] | dict[str, Any] | msgspec.Raw


def translate(document: Document, language: str) -> Document:
    """Translates the messages of an answer that refuses a request. All other documents stay as they are."""
    if not is_translated(language):
        return document
    if isinstance(document, Failure):
        return structs.replace(document, message=say(document.message, language))
    if isinstance(document, Problems):
        message, sentences = say(document.message, language), translate_all(document.errors, language)
        return structs.replace(document, message=message, errors=sentences)
    return document


def translate_all(problems: Mapping[str, Sequence[str]], language: str) -> dict[str, list[str]]:
    return {field: [say(sentence, language) for sentence in sentences] for field, sentences in problems.items()}


def encode(document: Document) -> bytes:
    return _ENCODER.encode(document)


def thing(base: str, kind: str, object_id: int, attributes: Attributes, *, uri: str | None = None) -> Thing[Attributes]:
    """Wraps the attributes of one object. `uri` is the relative address for the link "0", which a few types lack."""
    links = ObjectLinks(f"{base}{API}/{kind}/{object_id}", SelfUri("self", uri) if uri else UNSET)
    return Thing(kind, str(object_id), attributes, links)


def relate(base: str, owner: Thing[Any], name: str, related: Sequence[Thing[Any]] | Thing[Any]) -> None:
    """Adds the relation `name` to `owner`. `related` is one object or a list of objects."""
    address = f"{base}{API}/{owner.type}/{owner.id}"
    links = RelationLinks(f"{address}/relationships/{name}", f"{address}/{name}")
    if isinstance(related, Thing):
        data: Reference | list[Reference] = Reference(related.type, related.id)
    else:
        data = [Reference(relative.type, relative.id) for relative in related]
    if isinstance(owner.relationships, UnsetType):
        owner.relationships = {}
    owner.relationships[name] = Relationship(links, data)
