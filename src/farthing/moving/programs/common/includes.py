"""Reads files that include each other. Limits stop cycles and excessive includes."""

import posixpath
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase

from msgspec import Struct

from ...findings import Findings, Unreadable, shorten
from .text import LINE_LETTERS_MAX, decode

LINES_MAX = 1_000_000
INCLUDE_DEPTH_MAX = 20
INCLUDES_MAX = 10_000
PATTERN_LETTERS_MAX = 255
# Limits how often file names are compared with patterns, plus how many files the patterns find.
COMPARED_MAX = 1_000_000
# Preparing a new pattern takes as long as comparing this many names.
_NEW_PATTERN = 100
LETTERS_MAX = 256 * 2**20
FINDINGS_MAX = 1000
_ENDINGS = ("", ".journal", ".j", ".hledger", ".ledger", ".ldg", ".dat", ".txt", ".beancount", ".bean")


class SourceLine(Struct, frozen=True):
    file: str
    number: int
    text: str


class Sources:
    """Reads the given files. `included` returns the path in a line that includes a file, otherwise None."""

    def __init__(self, contents: Mapping[str, bytes], included: Callable[[str], str | None]) -> None:
        self.texts = {posixpath.normpath(name): decode(content, name) for name, content in contents.items()}
        self._is_one = len(self.texts) == 1
        self.findings = Findings()
        self.read: set[str] = set()
        self._included = included
        self._lines = self._letters = self._opened = self._compared = 0
        # Caches the files that each pattern finds, because many files use the same pattern.
        self._matching: dict[str, list[str]] = {}

    def finding(
        self, message: str, line: SourceLine | None = None, field: str | None = None, *, rejects: bool = False
    ) -> None:
        if len(self.findings) < FINDINGS_MAX or rejects:
            name = f"{line.file}: " if line and not self._is_one else ""
            self.findings.add(f"{name}{message}", line.number if line else None, field, rejects=rejects)

    def lines(self) -> Iterator[SourceLine]:
        """Yields all lines. Those of an included file come where the file is included."""
        for name in self._roots():
            yield from self._file(name)
        for name in sorted(set(self.texts) - self.read):
            self.finding(f"The file {shorten(name)} is not included by any other file and is not read.")
        self.texts = {}

    def _roots(self) -> list[str]:
        targets: set[str] = set()
        for name, text in self.texts.items():
            for line in text.split("\n"):
                if path := self._included(line):
                    targets.update(self._targets(name, path))
        likely = [name for name in self.texts if posixpath.splitext(name)[1].lower() in _ENDINGS] or list(self.texts)
        return [name for name in likely if name not in targets] or likely[:1]

    def _open(self, name: str) -> Iterator[tuple[int, str]]:
        self.read.add(name)
        self._opened += 1
        if self._opened > INCLUDES_MAX:
            raise Unreadable(f"More than {INCLUDES_MAX} files are included.")
        self._letters += len(self.texts[name])
        if self._letters > LETTERS_MAX:
            raise Unreadable(f"With its includes the file has more than {LETTERS_MAX >> 20} million letters.")
        return enumerate(self.texts[name].split("\n"), start=1)

    def _file(self, root: str) -> Iterator[SourceLine]:
        """Yields the lines of a file and its includes. Files that are being read are on a stack."""
        stack: list[tuple[str, Iterator[tuple[int, str]], tuple[str, ...]]] = [(root, self._open(root), (root,))]
        while stack:
            name, rest, above = stack[-1]
            for number, text in rest:
                self._lines += 1
                if self._lines > LINES_MAX:
                    raise Unreadable(f"With its includes the file has more than {LINES_MAX} lines.")
                if len(text) > LINE_LETTERS_MAX:
                    raise Unreadable(f"Line {number} of {name} has more than {LINE_LETTERS_MAX} letters.")
                path = self._included(text)
                if path is None:
                    yield SourceLine(name, number, text)
                    continue
                yield SourceLine(name, number, "")
                inner = self._include(SourceLine(name, number, text), path, above)
                stack += ((target, self._open(target), (*above, target)) for target in reversed(inner))
                break
            else:
                stack.pop()

    def _include(self, line: SourceLine, path: str, above: tuple[str, ...]) -> list[str]:
        names = [name for name in self._targets(line.file, path) if name != line.file]
        if not names:
            message = f"“{shorten(path)}” is included, but is not among the files; add it to the archive."
            self.finding(message, line, "include", rejects=True)
        good = [name for name in names if name not in above and len(above) <= INCLUDE_DEPTH_MAX]
        read = set(good)
        for name in names:
            if name not in read:
                message = f"“{shorten(name)}” includes itself, or is included too deeply; it is not read again."
                self.finding(message, line, "include")
        return good

    def _targets(self, file: str, path: str) -> list[str]:
        path = path.strip().strip('"')
        if path.startswith(("/", "~")) or "\\" in path or len(path) > PATTERN_LETTERS_MAX:
            return []
        joined = posixpath.normpath(posixpath.join(posixpath.dirname(file), path))
        if joined.startswith(".."):
            return []
        if joined in self.texts:
            return [joined]
        if not any(letter in path for letter in "*?[") or path.count("*") > 4:
            return []
        return self._match(joined)

    def _match(self, pattern: str) -> list[str]:
        """Returns the files that a pattern finds. Counts the comparisons first, so that too many are never made."""
        names = self._matching.get(pattern)
        self._compared += len(self.texts) + _NEW_PATTERN if names is None else len(names) + 1
        if self._compared > COMPARED_MAX:
            raise Unreadable("Too many files are compared with patterns: include files by name instead.")
        if names is None:
            names = self._matching[pattern] = sorted(name for name in self.texts if fnmatchcase(name, pattern))
        return names
