"""Reads a catalogue, and finds the template that an English sentence was made from."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from gettext import c2py
from pathlib import Path
from typing import Any

from babel.messages.pofile import read_po
from msgspec import Struct

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_KEY = re.compile(r"\w+(?:\.\w+)+")
_OPENING_MARKS = ("“", "‘", "'", '"', "`")
_SENTENCE_END = re.compile(r"(?<=[.!?]) (?=\S)")
_CLAUSE_END = re.compile("; ")
_DEPTH_MAX = 4
_LOOSE_LETTERS = 4
_COUNT_DIGITS_MAX = 19
# Longer texts are not ours.
_CHARACTERS_MAX = 5000


class Template(Struct, frozen=True):
    """An English sentence with gaps, and its translation. `literals` are the English texts around the gaps."""

    literals: tuple[str, ...]
    names: tuple[str, ...]
    translations: tuple[str, ...]

    @property
    def length(self) -> int:
        return sum(map(len, self.literals))

    @property
    def letters(self) -> int:
        return sum(letter.isalpha() for literal in self.literals for letter in literal)

    @property
    def is_loose(self) -> bool:
        """Returns whether the template has so few words of its own that it would fit sentences that are not ours."""
        return self.letters < _LOOSE_LETTERS and not self.counts

    @property
    def counts(self) -> bool:
        """Returns whether the first value is a number that decides between the forms of a noun."""
        return len(self.translations) > 1

    def split(self, text: str) -> Iterator[tuple[str, ...]]:
        """Yields the values with which the template becomes the text. There may be several ways."""
        first, last = self.literals[0], self.literals[-1]
        if text.startswith(first) and text.endswith(last) and len(text) > len(first) + len(last):
            inner = text[len(first) : len(text) - len(last)]
            yield from _split(inner, self.literals[1:-1])


def _split(text: str, literals: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Splits a text at literals. Only the place of the last one varies, so the number of ways is never large."""
    values: list[str] = []
    for literal in literals[:-1]:
        value, found, text = text.partition(literal)
        if not found:
            return
        values.append(value)
    if not literals:
        yield (text,)
        return
    start = text.find(literals[-1])
    while start >= 0:
        yield (*values, text[:start], text[start + len(literals[-1]) :])
        start = text.find(literals[-1], start + 1)


class Catalogue:
    def __init__(self, exact: Mapping[str, str], templates: list[Template], plural: Any) -> None:
        self._exact = exact
        self._plural = plural
        # By their first word, because most sentences then have few candidates. "" has those that begin with a value.
        self._by_word: dict[str, list[Template]] = defaultdict(list)
        for template in sorted(templates, key=lambda template: -template.length):
            word, space, _ = template.literals[0].partition(" ")
            self._by_word[word if space else ""].append(template)

    def say(self, text: str) -> str:
        if len(text) > _CHARACTERS_MAX:
            return text
        said = self.find(text)
        if said is not None:
            return said
        for end, joint in ((_SENTENCE_END, " "), (_CLAUSE_END, "; ")):
            parts = end.split(text)
            if len(parts) > 1:
                return joint.join(self.find(part) or part for part in parts)
        return text

    def find(self, text: str, depth: int = 0, *, loosely: bool = True) -> str | None:
        """Returns the translation, or None if no template could have made the text."""
        exact = self._exact.get(text)
        if exact is not None or depth > _DEPTH_MAX:
            return exact
        word = text.partition(" ")[0]
        for templates in (self._by_word.get(word, ()), self._by_word[""]):
            for template in templates:
                if loosely or not template.is_loose:
                    said = self._fill(template, text, depth)
                    if said is not None:
                        return said
        return None

    def _fill(self, template: Template, text: str, depth: int) -> str | None:
        values = self._choose_values(template, text, depth)
        if values is None:
            return None
        said = {
            name: self._say_value(value, before, depth)
            for name, value, before in zip(template.names, values, template.literals, strict=False)
        }
        form = self._plural(int(values[0])) if template.counts else 0
        return _PLACEHOLDER.sub(lambda match: said[match[1]], template.translations[form])

    def _choose_values(self, template: Template, text: str, depth: int) -> tuple[str, ...] | None:
        """Chooses the way in which the template became the text.

        In a template of few words, such as `The {label} {problem}.`, the last value must be a text of ours of several
        words. In one without words, the first must be.
        """
        for values in template.split(text):
            if template.counts and not _is_count(values[0]):
                return None
            deciding = values[-1 if template.letters else 0]
            if not template.is_loose or (" " in deciding and self.find(deciding, depth + 1, loosely=False)):
                return values
        return None

    def _say_value(self, value: str, before: str, depth: int) -> str:
        """Translates a value that is a text of ours, such as the name of a field. What is quoted is the user's."""
        if before.endswith(_OPENING_MARKS):
            return value
        said = self.find(value, depth + 1)
        if said is None and _KEY.fullmatch(value):
            said = self._exact.get(value.rpartition(".")[2].replace("_", " "))
        return value if said is None else said


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < _COUNT_DIGITS_MAX


def load(language: str) -> Catalogue:
    with (Path(__file__).parent / f"{language}.po").open("rb") as file:
        entries = read_po(file, locale=language)
    plural = c2py(entries.plural_expr)
    exact: dict[str, str] = {}
    templates: list[Template] = []
    for message in entries:
        if not message.id or not message.string:
            continue
        if isinstance(message.id, str):
            ids = [message.id]
            translations: tuple[str, ...] = (str(message.string),)
        else:
            # In English, 1 always takes the singular and every other number the plural.
            ids, translations = [message.id[1]], tuple(message.string)
            exact[message.id[0].format(count=1)] = translations[plural(1)].format(count=1)
        for template in (make_template(text, translations) for text in ids):
            exact.setdefault(ids[0], translations[0])
            if template is not None:
                templates.append(template)
    return Catalogue(exact, templates, plural)


def make_template(text: str, translations: tuple[str, ...]) -> Template | None:
    """Returns None for a text without gaps."""
    parts = _PLACEHOLDER.split(text)
    return Template(tuple(parts[::2]), tuple(parts[1::2]), translations) if len(parts) > 1 else None
