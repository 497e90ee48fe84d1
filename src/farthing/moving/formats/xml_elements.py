"""Parses XML piece by piece, in bounded memory. Document types and entities are refused, and nothing is fetched."""

from collections.abc import Container, Iterator
from typing import BinaryIO, NoReturn
from xml.parsers import expat

from ..findings import Unreadable

DEPTH_MAX = 60
# Limits of one element that is kept whole, such as an entry of a statement with all its transactions.
NODES_MAX = 300_000
CHARS_MAX = 10_000_000
# The most elements that are skipped, which also takes time.
SKIPPED_MAX = 100_000
# Longer than any tag or comment.
TOKEN_BYTES_MAX = 2**20
_CHUNK_BYTES = 2**16


class Node:
    """Holds an element with its content. Names are without namespaces."""

    __slots__ = ("attributes", "children", "name", "text")

    def __init__(self, name: str, attributes: dict[str, str]) -> None:
        self.name, self.attributes = name, attributes
        self.text = ""
        self.children: list[Node] = []

    def all(self, *path: str) -> "list[Node]":
        nodes = [self]
        for name in path:
            nodes = [child for node in nodes for child in node.children if child.name == name]
        return nodes

    def first(self, *path: str) -> "Node | None":
        node = self
        for name in path:
            for child in node.children:
                if child.name == name:
                    node = child
                    break
            else:
                return None
        return node

    def value(self, *path: str) -> str:
        node = self.first(*path)
        return node.text.strip() if node is not None else ""


class SkippedElements:
    """Counts the elements that are skipped, in all files of an import together."""

    def __init__(self) -> None:
        self.elements = 0

    def add(self) -> None:
        self.elements += 1
        if self.elements > SKIPPED_MAX:
            raise Unreadable(f"More than {SKIPPED_MAX} elements of this file are not known. Is it the right file?")


def iterate(
    file: BinaryIO,
    containers: Container[str],
    encoding: str | None = None,
    skipped: SkippedElements | None = None,
    *,
    through: Container[str] = (),
) -> Iterator[tuple[str, Node]]:
    """Yields `start` and `end` for each container, and `child` for each complete element directly in a container. The
    children of the elements named in `through` are treated as if they were directly in the container. Nothing outside
    of the containers is kept.
    """
    builder = _Builder(containers, through, skipped or SkippedElements())
    parser = _make_parser(builder, encoding)
    silent = 0
    is_first = True
    while True:
        chunk = file.read(_CHUNK_BYTES)
        _parse(parser, chunk.lstrip(b" \t\r\n") if is_first else chunk, is_last=not chunk)
        is_first = False
        silent = 0 if builder.is_active else silent + len(chunk)
        builder.is_active = False
        if silent > TOKEN_BYTES_MAX:
            raise Unreadable(f"A tag of this file is longer than {TOKEN_BYTES_MAX} bytes.")
        yield from builder.events
        builder.events.clear()
        if not chunk:
            return


def _make_parser(builder: "_Builder", encoding: str | None) -> expat.XMLParserType:
    try:
        parser = expat.ParserCreate(encoding)
    except ValueError:
        raise Unreadable("The encoding that was chosen is not known.") from None
    parser.buffer_text = True
    parser.buffer_size = _CHUNK_BYTES
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = _refuse_document_type
    parser.EntityDeclHandler = _refuse_document_type
    return parser


def _refuse_document_type(*_: object) -> NoReturn:
    raise Unreadable("The file declares a document type or entities, which such files do not need.")


def _parse(parser: expat.XMLParserType, chunk: bytes, *, is_last: bool) -> None:
    try:
        parser.Parse(chunk, is_last)
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, "error")
        raise Unreadable(f"The file is not complete or not XML: {reason} in line {error.lineno}.") from None
    except (LookupError, ValueError) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable("The encoding that the file names is not known.") from None


class _Builder:
    def __init__(self, containers: Container[str], through: Container[str], skipped: SkippedElements) -> None:
        self.containers, self.through, self.skipped = containers, through, skipped
        self.depth = self.container_depth = self.chars = self.nodes = 0
        self.is_active = False
        self.container: Node | None = None
        self.open: list[Node] = []
        self.texts: list[str] = []
        self.events: list[tuple[str, Node]] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.is_active = True
        self.depth += 1
        if self.depth > DEPTH_MAX:
            raise Unreadable(f"The elements of this file are nested more than {DEPTH_MAX} deep.")
        if ":" in name:
            name = name.rpartition(":")[2]
        if self.container is None:
            if name in self.containers:
                self.container, self.container_depth = Node(name, attributes), self.depth
                self.events.append(("start", self.container))
            else:
                self.skipped.add()
            return
        if not self.open and name in self.through:
            return
        self.nodes += 1
        if self.nodes > NODES_MAX:
            raise Unreadable(f"One element holds more than {NODES_MAX} others.")
        node = Node(name, attributes)
        if self.open:
            self.open[-1].children.append(node)
        self.open.append(node)
        self.texts.clear()

    def data(self, text: str) -> None:
        self.is_active = True
        if self.open:
            self.chars += len(text)
            if self.chars > CHARS_MAX:
                raise Unreadable(f"One element holds more than {CHARS_MAX} characters.")
            self.texts.append(text)

    def end(self, _name: str) -> None:
        self.is_active = True
        self.depth -= 1
        if self.open:
            node = self.open.pop()
            if self.texts:
                node.text = "".join(self.texts)
                self.texts.clear()
            if not self.open:
                self.events.append(("child", node))
                self.chars = self.nodes = 0
        elif self.container is not None and self.depth < self.container_depth:
            self.events.append(("end", self.container))
            self.container = None
