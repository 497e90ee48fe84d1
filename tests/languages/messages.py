"""Collects the English texts that people read from the sources, and tells which of them a catalogue lacks.

A text counts if it stands in a room of the program that speaks to people, and if it reads as a sentence or is handed
to something that says it (`SPEAKERS`). A value in it becomes `{}`. Run as `python -m tests.languages.messages`, this
lists what is not translated.
"""

import ast
import re
import sys
from calendar import day_name, month_name
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from farthing.kernel import languages
from farthing.kernel.fields import RequestBody
from farthing.kernel.languages import TRANSLATED
from farthing.kernel.languages.catalogue import Catalogue, load
from farthing.kernel.parsed import label
from farthing.overviews.notices.letters import TITLES

SOURCES = Path(languages.__file__).parents[2]
CATALOGUES = Path(languages.__file__).parent
GAP = re.compile(r"\{\w*\}")
# The command line and logs are English, and so is what only programs and their programmers read, such as what is wrong
# in a line of an archive that somebody has edited.
_SILENT = re.compile(
    r"^(cli|demo|web|care/(doctor|backup|watch)|storage/(drivers|migrations|rows|blobs|schema|installation|outages"
    r"|queue|tables|copying|change_log|grains)|kernel/(apart|config|environment|settings|log|languages)"
    r"|http/(openapi|server|route\.|request/visitor|service/web_app)|api/(oauth|metrics)|app\.py"
    r"|jobs/(process|worker|firing|sweeping|hooks|__main__)|moving/exports|moving/archive/(consistency|job_checks|loading|reading|values)|identity/(scopes|audit|callers|sessions)"
    r"|identity/providers/documents|overviews/(insight|summary|reports/reading/ranges)|ledger"
    r"|api/v6/(configuration|cron|summary|user_groups|objects)|(\w+/)+store\.py|books/transactions/groups|overviews/search/amounts)"
)
_SPEAKERS = """
Problem Conflict Forbidden Forged Gone Invalid Malformed Misdirected NotFound OverQuota Outdated Overloaded Refused
TooLarge TooLong TooMany Unauthenticated Unavailable UnknownBodyType WrongRange DiskFull Finding Skip Unreadable
Unfitting Misfit Spec SignInRefusal NotRepresentable NotAllowed NotProved Unreachable NotSent AnswerTooLarge BadArchive
FetchFailed NotFetched Duplicate NotUsable OutOfRange _Within64Bits _Rejected _BadCell _Skipped report refuse
refuse_field refuse_value refuse_state finding remark tell add leave_out reject row_problem owner_only session_only
full_access_only say add_counts _complain _break _refuse _refuse_if _report_unknown _claim _text_triggers _word_that
_objects
"""
SPEAKERS = frozenset(re.findall(r"\w+", _SPEAKERS))
# Calls that document the API.
_DOCUMENTING = frozenset(("described", "Parameter", "Field", "FieldParser", "describe_ids", "describe_query"))
_DOCUMENTS = frozenset(("summary", "description", "schema"))
_PASSED_THROUGH = frozenset(("format", "join", "extend", "get", "append", "partial"))
_SENTENCE = re.compile(r"[A-Z“{‘].* .*[.!?]", re.DOTALL)
_PREDICATE = re.compile(
    r"(must|may|cannot|needs?|is|are|has|have|does|do|it|there|this|only|not|contains?|works|each|the|every"
    r"|linked|unlinked) .*[a-z}”]|.*\{\w*\}.* .*[a-z]{3,}.*"
)
_CODE = re.compile(
    r"\b(SELECT|FROM|WHERE|UPDATE|DELETE|INSERT|ORDER BY|JOIN|EXISTS|VALUES|CASE|LIKE|NULL)\b"
    r"|(?<![`_]with_later)(?<!others)[=]|[<>]|^[\w{}]+\.[\w{}.\[\]]+$|: :|:\w+$|^bytes "
)


class Text(NamedTuple):
    """A text, and the file in which it was found."""

    text: str
    where: str


@cache
def collect() -> tuple[Text, ...]:
    texts = {text.text: text for path in sorted(SOURCES.rglob("*.py")) for text in _read(path)}
    return tuple(texts.values())


def every_literal() -> Iterator[str]:
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


@cache
def terms() -> tuple[str, ...]:
    """Returns what is said without being a literal of its own: names of fields, days, months and notices."""
    import farthing.api.v1.routes
    import farthing.api.v6.routes  # noqa: F401 -- both declare the fields

    names = {label(name) for body in _bodies(RequestBody) for name in body.model_fields}
    return (*sorted(names), *day_name, *list(month_name)[1:], *TITLES.values())


def missing(catalogue: Catalogue) -> list[Text]:
    """Lists the texts for which a catalogue has no translation, with any value in their gaps."""
    return [text for text in collect() if not _is_glue(text.text) and not _is_known(catalogue, text.text)]


def _is_known(catalogue: Catalogue, text: str) -> bool:
    sample = GAP.sub("7", text).strip()
    return any(catalogue.find(sent) is not None for sent in (sample, sample.rstrip("."), f"{sample} 7", f"7 {sample}"))


def _is_glue(text: str) -> bool:
    """Returns whether a text only joins others, which are collected themselves."""
    return len(re.sub("[^a-z]", "", GAP.sub("", text))) < 4 or text in _GLUE


_GLUE = frozenset(
    (
        "The amount {}.",
        "The rate {}.",
        "The data {}.",
        "The email {}.",
        "The piggy bank ID {}.",
        "The {} field is required{}.",
        "Every month on the {} {}",
        "{} in {} on {}",
        "{} apart",
        "it is a",
        "The {} of import {} {} used again.",
    )
)


def _bodies(body: type[RequestBody]) -> Iterator[type[RequestBody]]:
    for heir in body.__subclasses__():
        yield heir
        yield from _bodies(heir)


def _read(path: Path) -> Iterator[Text]:
    where = path.relative_to(SOURCES).as_posix()
    if not _SILENT.match(where):
        yield from _Reader(where, ast.parse(path.read_text())).texts()


class _Reader:
    def __init__(self, where: str, tree: ast.Module) -> None:
        self.where, self.tree = where, tree
        self.parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        documenting = [
            call for call in ast.walk(tree) if isinstance(call, ast.Call) and _name(call.func) in _DOCUMENTING
        ]
        # Constants that document the API.
        self.documents = {inner.id for call in documenting for inner in ast.walk(call) if isinstance(inner, ast.Name)}

    def texts(self) -> Iterator[Text]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call) and _name(node.func) == "pluralize":
                nouns = [noun.value for noun in node.args[1:] if isinstance(noun, ast.Constant)]
                yield from (Text(f"{{}} {noun}", self.where) for noun in nouns[1:] or [f"{noun}s" for noun in nouns])
            if _is_text(node) and not isinstance(self.parents[node], ast.JoinedStr | ast.FormattedValue):
                text = to_template(node)
                if self._is_said(node, text):
                    yield Text(text, self.where)

    def _is_said(self, node: ast.AST, text: str) -> bool:
        words = GAP.sub("", text)
        if not re.search("[a-z]{2}", words) or _CODE.search(text):
            return False
        is_said, is_document = self._find_context(node)
        if is_document:
            return False
        if is_said:
            return bool(re.search(r"[a-z]{2,} |[a-z]{2,}\.|\} [a-z]| [a-z]{3,}", text))
        return bool(_SENTENCE.fullmatch(text) or _PREDICATE.fullmatch(text))

    def _find_context(self, node: ast.AST) -> tuple[bool, bool]:
        """Returns whether a speaker says the text, and whether it is documentation, a line of the log or a key."""
        inner = node
        while (outer := self.parents.get(inner)) is not None:
            match outer:
                case ast.Call() if inner is not outer.func and _name(outer.func) in _PASSED_THROUGH:
                    pass
                case ast.Call() if inner is not outer.func:
                    return _name(outer.func) in SPEAKERS, _name(outer.func) not in SPEAKERS
                case ast.Expr() | ast.Assert() | ast.Compare() | ast.Subscript() | ast.Slice() | ast.arguments():
                    return False, True
                case ast.Dict() if inner in outer.keys:
                    return False, True
                case ast.Assign(targets=[target, *_]) | ast.AnnAssign(target=target):
                    is_field = isinstance(self.parents[outer], ast.ClassDef)
                    return False, is_field or _name(target) in self.documents | _DOCUMENTS
                case ast.stmt():
                    return False, False
            inner = outer
        return False, False


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def to_template(node: ast.AST) -> str:
    """Writes a text with `{}` for each value."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    assert isinstance(node, ast.JoinedStr)
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)


if __name__ == "__main__":
    lacking = [(language, text) for language in TRANSLATED for text in missing(load(language))]
    for language, (text, where) in lacking:
        sys.stdout.write(f"{language}.po lacks {text!r} ({where})\n")
    sys.exit(1 if lacking else 0)
