"""Collects the English texts that people read, and brings the catalogues up to date: `make messages`.

A text counts if it stands in a room of the program that speaks to people, and if it either reads as a sentence or is
handed to something that says it (`SPEAKERS`). Values in it become named gaps: `f"There is no {kind.value}."` is
`There is no {kind}.` in the catalogues.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from farthing.kernel import languages

SOURCES = Path(languages.__file__).parents[2]
CATALOGUES = Path(languages.__file__).parent
# The command line and logs are English, and so is what only programs read.
_SILENT = re.compile(
    r"^(cli|demo|web|care/(doctor|backup|watch)|storage/(drivers|migrations|rows|blobs|schema|installation|outages"
    r"|queue|tables)|kernel/(apart|config|environment|settings|log|network/web_push|languages)|http/(openapi|server|route\.)"
    r"|api/(oauth|metrics)|app\.py|jobs/(process|worker|firing|sweeping|hooks|__main__)|moving/exports"
    r"|identity/(providers|scopes|audit|callers)|overviews/(insight|summary)|ledger|api/v6/(configuration|cron|summary|user_groups))"
)
SPEAKERS = frozenset(
    ["Problem", "Conflict", "Forbidden", "Forged", "Gone", "Invalid", "Malformed", "Misdirected", "NotFound", "OverQuota", "Outdated", "Overloaded", "Refused", "TooLarge", "TooLong", "TooMany", "Unauthenticated", "Unavailable", "UnknownBodyType", "WrongRange", "Unreadable", "Unfitting", "Misfit", "Skip", "SignInRefusal", "NotRepresentable", "NotAllowed", "Unreachable", "NotSent", "AnswerTooLarge", "BadArchive", "FetchFailed", "NotFetched", "report", "refuse", "refuse_field", "refuse_value", "finding", "remark", "remarks", "tell", "add", "leave_out", "reject", "_complain", "_break", "_refuse", "_refuse_if", "_report_unknown", "_report_missing", "_Rejected", "_BadCell", "_Skipped", "Duplicate", "Finding", "Spec", "_text_triggers", "_word_that", "_objects", "owner_only", "session_only", "full_access_only", "refuse_state", "_claim", "say", "Redirect", "row_problem", "NotUsable", "OutOfRange", "_Within64Bits", "add_counts", "append", "Counted", "_count_words"]
)
_DOCUMENTING = frozenset(("described", "Parameter", "Field", "FieldParser", "describe_ids", "describe_query"))
_DOCUMENTS = frozenset(("summary", "description", "schema"))
_SENTENCE = re.compile(r"[A-Z“{‘].*[.!?]", re.DOTALL)
_PREDICATE = re.compile(
    r"(must|may|can|cannot|needs?|is|are|has|have|had|does|do|was|were|it|there|this|only|not|no|contains?|belongs?"
    r"|works|each|only|the|a|an|runs|add|set|remove|begin|end|link|every|from|in|on|of|and|all|none|linked|unlinked"
    r"|[a-z]+s are|but|because|[a-z]+ not) .*[a-z}”]|.*\{\w+\}.* .*[a-z]{3,}.*"
)
_CODE = re.compile(r"[=<>]| LIKE |^[\w{}]+\.[\w{}.]+$|: :|:\w+$|^[a-z]+\.\{")
_SQL = re.compile(r"\b(SELECT|FROM|WHERE|AND|UPDATE|DELETE|INSERT|ORDER BY|JOIN|EXISTS|OR|IN|VALUES|CASE|AS|NULL)\b")


class Text(NamedTuple):
    """A text with the place where it was found. `plural` is set for a noun that is counted."""

    id: str
    where: str
    plural: str | None = None


@cache
def collect() -> tuple[Text, ...]:
    return tuple(dict.fromkeys([*_terms(), *_texts()]))


def _texts() -> Iterator[Text]:
    for path in sorted(SOURCES.rglob("*.py")):
        where = path.relative_to(SOURCES).as_posix()
        if not _SILENT.match(where):
            yield from _Reader(where, ast.parse(path.read_text())).texts()


class _Reader:
    def __init__(self, where: str, tree: ast.Module) -> None:
        self.where, self.tree = where, tree
        self.parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        documented = [
            node for node in ast.walk(tree) if isinstance(node, ast.Call) and _name(node.func) in _DOCUMENTING
        ]
        # Constants that document the API.
        self.documents = {inner.id for call in documented for inner in ast.walk(call) if isinstance(inner, ast.Name)}

    def texts(self) -> Iterator[Text]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call) and _name(node.func) == "pluralize":
                yield from self._counted(node)
            is_text = isinstance(node, ast.JoinedStr) or (
                isinstance(node, ast.Constant) and isinstance(node.value, str)
            )
            if is_text and not isinstance(self.parents[node], ast.JoinedStr | ast.FormattedValue):
                text = to_template(node)
                if self._is_said(node, text):
                    yield Text(text, self.where)

    def _counted(self, call: ast.Call) -> Iterator[Text]:
        nouns = [node.value for node in call.args[1:] if isinstance(node, ast.Constant)]
        if nouns:
            many = nouns[1] if len(nouns) > 1 else f"{nouns[0]}s"
            yield Text(f"{{count}} {nouns[0]}", self.where, f"{{count}} {many}")

    def _is_said(self, node: ast.AST, text: str) -> bool:
        bare = re.sub(r"\{\w+\}", "", text)
        if (
            not re.search("[a-z]{2}", bare)
            or _SQL.search(text)
            or _CODE.search(bare.replace("`with_later=1`", "").replace("`others=1`", ""))
        ):
            return False
        speaker, is_document = self._find_context(node)
        if is_document:
            return False
        if speaker:
            return bool(re.search(r"[a-z]{2,} |[a-z]{2,}\.|\} [a-z]| [a-z]{3,}", text))
        return bool(_SENTENCE.fullmatch(text) and " " in text) or bool(_PREDICATE.fullmatch(text))

    def _find_context(self, node: ast.AST) -> tuple[bool, bool]:
        """Returns whether a speaker says the text, and whether the text is documentation or a line of the log."""
        inner = node
        while (outer := self.parents.get(inner)) is not None:
            if isinstance(outer, ast.Call) and inner is not outer.func:
                name = _name(outer.func)
                if name in SPEAKERS or (name[:1].isupper() and name in SPEAKERS):
                    return True, False
                if name == "pluralize" or name in ("describe_ids",):
                    return False, True
                if isinstance(outer.func, ast.Attribute) and name in ("format", "join", "extend", "get"):
                    inner = outer
                    continue
                return False, True
            if isinstance(outer, ast.Expr | ast.Assert | ast.Compare | ast.Subscript | ast.Slice | ast.arguments):
                return False, True
            if isinstance(outer, ast.Dict) and inner in outer.keys:
                return False, True
            if isinstance(outer, ast.Assign | ast.AnnAssign):
                target = outer.targets[0] if isinstance(outer, ast.Assign) else outer.target
                is_field = isinstance(self.parents[outer], ast.ClassDef)
                return False, is_field or _name(target) in self.documents or _name(target) in _DOCUMENTS
            if isinstance(outer, ast.stmt):
                return False, False
            inner = outer
        return False, False


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def to_template(node: ast.AST) -> str:
    """Writes a text as the catalogues do. Equal values get one gap, and different ones different names."""
    if not isinstance(node, ast.JoinedStr):
        return str(node.value)  # type: ignore[attr-defined]
    template, gaps = "", {}
    for part in node.values:
        if isinstance(part, ast.Constant):
            template += str(part.value)
        else:
            assert isinstance(part, ast.FormattedValue)
            source = ast.unparse(part.value)
            if source not in gaps:
                name = (_gap(part.value) or "value").strip("_").lower()
                taken = set(gaps.values())
                gaps[source] = next(new for new in (name, *(f"{name}{n}" for n in range(2, 9))) if new not in taken)
            template += f"{{{gaps[source]}}}"
    return template


_PASSING = frozenset(["shorten", "str", "len", "repr", "cents", "sorted", "quote"])


def _gap(node: ast.AST) -> str:
    """Names a gap after the value in it."""
    match node:
        case ast.Attribute(value=inner, attr="value" | "name") if not isinstance(inner, ast.Call):
            return _gap(inner) if node.attr == "value" else "name"
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case ast.Call(func=ast.Attribute(attr="join"), args=[inner]):
            return _gap(inner)
        case ast.Call(func=ast.Attribute(value=inner, attr="lower" | "strip" | "replace" | "upper" | "isoformat")):
            return _gap(inner)
        case ast.Call(func=ast.Name(id=name), args=[inner, *_]) if name in _PASSING:
            return _gap(inner)
        case ast.Call(func=func):
            return _gap(func)
        case ast.Subscript(value=inner) | ast.BinOp(left=inner):
            return _gap(inner)
        case ast.GeneratorExp() | ast.ListComp():
            return _gap(node.generators[0].iter)
    return ""


def _terms() -> Iterator[Text]:
    return iter(())
