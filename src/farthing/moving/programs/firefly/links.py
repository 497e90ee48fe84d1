"""Reads links between transactions, and the types of these links."""

from collections.abc import Iterator, Mapping

from ...source_books import SourceLink, SourceLinkType
from .files.items import Source
from .planning import JournalDay

LINKED = ("inward_id", "outward_id")


def read_link_types(source: Source) -> Iterator[SourceLinkType]:
    for item in source.items("link-types"):
        name = item.text("name")
        if name is None:
            item.reject("name")
        else:
            inward, outward = item.text("inward") or name, item.text("outward") or name
            yield SourceLinkType(key=item.id, name=name, inward=inward, outward=outward)


def read_links(source: Source, journals: Mapping[str, JournalDay]) -> Iterator[SourceLink]:
    """Reads the links. A link between two parts of the same transaction is skipped, because here they are one."""
    for item in source.items("transaction-links"):
        inward, outward = (journals.get(item.text(side) or "") for side in LINKED)
        type_ = item.text("link_type_id")
        if inward is None or outward is None or type_ is None:
            item.tell("links transactions that are not imported; it is skipped.", rejects=True)
        elif inward.key == outward.key:
            item.tell("links two splits of the same transaction; it is skipped.")
        else:
            yield SourceLink(key=item.id, type=type_, inward=inward.end, outward=outward.end, notes=item.text("notes"))
