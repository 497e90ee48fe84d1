"""Reads an archive of the API's responses: `api/<list>/page-<n>.json` and `attachments/<id>`."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

import msgspec

from ....findings import Unreadable, shorten
from .items import Group, Remarks, SourceItem, item_of, journal_of
from .source_files import SourceFile

PAGE_BYTES_MAX = 32 * 2**20

_PAGE = re.compile(r"(?:.*/)?api/([a-z-]{1,40}(?:/[0-9]{1,20})?)/page-([0-9]{1,9})\.json")
_CONTENT = re.compile(r"(?:.*/)?attachments/([0-9]{1,20})")
_INDEX = re.compile(r"(?:.*/)?index\.json")
_ABOUT = re.compile(r"(?:.*/)?api/about\.json")
_decoder = msgspec.json.Decoder(float_hook=Decimal)


def has_pages(files: Mapping[str, SourceFile]) -> bool:
    return any(_PAGE.fullmatch(name) for name in files)


class ApiArchive:
    lacks_ids = False

    def __init__(self, files: Mapping[str, SourceFile], remarks: Remarks) -> None:
        self.remarks = remarks
        self._pages: dict[str, list[tuple[int, SourceFile]]] = {}
        self._contents: dict[str, str] = {}
        for name, file in files.items():
            if page := _PAGE.fullmatch(name):
                self._pages.setdefault(page[1], []).append((int(page[2]), file))
            elif content := _CONTENT.fullmatch(name):
                self._contents[content[1]] = name
        for folder in ("accounts", "transactions"):
            if folder not in self._pages:
                raise Unreadable(f"The archive has no pages of {folder}: api/{folder}/page-1.json is missing.")
        self._complained: set[str] = set()
        about = next((_decode_json(file) for name, file in files.items() if _ABOUT.fullmatch(name)), None)
        self.is_farthing = find_value(about, "data", "farthing_version") is not None
        # The index says which requests failed during the fetch.
        index = next((file for name, file in files.items() if _INDEX.fullmatch(name)), None)
        entries = _decode_json(index) if index else []
        for entry in entries if isinstance(entries, list) else []:
            if isinstance(entry, dict) and entry.get("problem"):
                request, problem = shorten(entry.get("request")), shorten(entry["problem"])
                self.remarks.add(f"Firefly III did not return {request}: {problem}.")

    def items(self, name: str, of: str | None = None, *, backwards: bool = False) -> Iterator[SourceItem]:
        """Yields each object once, even if the list grew during the fetch and repeats some objects on the next page."""
        ids: set[str] = set()
        path = f"{name}/{of}" if of else name
        total: int | None = None
        for page, document in self._documents(path, backwards=backwards):
            stated = find_value(document, "meta", "pagination", "total")
            total = stated if isinstance(stated, int) and not isinstance(stated, bool) else None
            for value in reversed(document["data"]) if backwards else document["data"]:
                if not _is_object(value):
                    self._complain(f"Page {page} of {path} has an object without id or attributes; it is skipped.")
                elif (key := str(value["id"])) not in ids:
                    ids.add(key)
                    yield item_of(name, key, value["attributes"], len(ids), self.remarks)
        if total is not None and total != len(ids):
            self._complain(f"Firefly III has {total} objects in its list {path}, the archive {len(ids)}: fetch again.")

    def groups(self) -> Iterator[Group]:
        # Oldest first, so that transactions of one day keep their order.
        for item in self.items("transactions", backwards=True):
            journals = item.values.get("transactions")
            if not isinstance(journals, list) or not all(isinstance(journal, dict) for journal in journals):
                self._complain(f"The transaction {item.id} has no list of journals; it is skipped.")
                continue
            title = item.values.get("group_title")
            yield Group(
                id=item.id,
                title=title if isinstance(title, str) else None,
                journals=tuple(journal_of(journal, item.row, self.remarks) for journal in journals),
            )

    def content(self, attachment_id: str) -> str | None:
        return self._contents.get(attachment_id)

    def _documents(self, path: str, *, backwards: bool) -> Iterator[tuple[int, Mapping[str, Any]]]:
        pages = sorted(self._pages.get(path, ()), key=lambda numbered: numbered[0])
        if [number for number, _ in pages] != list(range(1, len(pages) + 1)):
            self._complain(f"Pages of the list {path} are missing in the archive, or are there twice: fetch again.")
        for number, file in reversed(pages) if backwards else pages:
            document = _decode_json(file)
            if not isinstance(document, dict) or not isinstance(document.get("data"), list):
                raise Unreadable(f"The page {shorten(file.name)} is not a list of Firefly III: it has no data.")
            yield number, document

    def _complain(self, message: str) -> None:
        """Reports each problem once, although the transactions are read twice."""
        if message not in self._complained:
            self._complained.add(message)
            self.remarks.add(message, rejects=True)


def _decode_json(file: SourceFile) -> Any:
    try:
        return _decoder.decode(file.read(PAGE_BYTES_MAX))
    except (ValueError, RecursionError, ArithmeticError) as error:
        raise Unreadable(f"The file {shorten(file.name)} is not JSON: {shorten(error)}.") from error


def _is_object(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    return isinstance(value.get("attributes"), dict) and isinstance(value.get("id"), str | int)


def find_value(document: Any, *path: str) -> Any:
    for name in path:
        document = document.get(name) if isinstance(document, dict) else None
    return document
