"""Reuses what an earlier import of such a file decided.

Columns belong to a header and may serve any account. Signs belong to an account: they serve only the same one.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..findings import Finding
from ..formats.text import FALLBACK
from .examine import FileExamination
from .model import ImportJob

SIGNS = "invert"
_VERB = {"mapping": "is", "columns": "are"}
# By which columns a file says how much it is and which way it went: each file shows them itself, if it can.
_MONEY = frozenset(("amount", "debit", "credit", "sign", "balance", "fee"))


class Layout(Struct, frozen=True, kw_only=True):
    """Describes how the file is read, what else was found out about it, and what the user is informed of."""

    mapping: Mapping[str, Any]
    detected: Mapping[str, Any]
    remark: Finding | None = None


def recall(
    found_out: FileExamination,
    mapping: Mapping[str, Any],
    user_mapping: Mapping[str, Any],
    earlier: ImportJob | None,
    account_id: int | None,
) -> Layout:
    """`mapping` is what was detected, and what the user has `given` of it. What an import of the same account answered
    is not asked again; an answer for another account is only proposed.
    """
    if earlier is None:
        return Layout(mapping=mapping, detected=found_out.detected)
    if account_id is not None and earlier.account_id == account_id:
        return _recall_own(found_out, mapping, user_mapping, earlier)
    if found_out.mapping["header"] is False:  # equally many columns are no reason to read another account's alike
        return Layout(mapping=mapping, detected=found_out.detected)
    taken = {
        **_take_answers(earlier, found_out),
        "columns": _join_columns(mapping["columns"], earlier.mapping["columns"]),
    }
    proposed = {name: value for name, value in taken.items() if name != SIGNS and name not in user_mapping}
    return Layout(
        mapping={**mapping, **proposed},
        detected={
            **found_out.detected,
            "questions": [_put_first(question, proposed) for question in _questions(found_out)],
        },
        remark=_remark("columns", user_mapping, earlier),
    )


def _recall_own(
    found_out: FileExamination, mapping: Mapping[str, Any], user_mapping: Mapping[str, Any], earlier: ImportJob
) -> Layout:
    """Takes over the signs only if the amounts came from the same columns."""
    taken = {**_take_answers(earlier, found_out), **_take(earlier, "columns", SIGNS)}
    answers = {name: value for name, value in taken.items() if name not in user_mapping}
    if "columns" in user_mapping and _money(earlier.mapping) != _money(mapping):
        answers.pop(SIGNS, None)
    questions = [question for question in _questions(found_out) if question["field"] not in answers]
    return Layout(
        mapping={**mapping, **answers},
        detected={**found_out.detected, "questions": questions},
        remark=_remark("mapping", user_mapping, earlier),
    )


def _remark(what: str, user_mapping: Mapping[str, Any], earlier: ImportJob) -> Finding | None:
    return (
        None
        if "columns" in user_mapping
        else Finding(message=f"The {what} of import {earlier.id} {_VERB[what]} used again.")
    )


def _money(mapping: Mapping[str, Any]) -> dict[str, Any]:
    return {role: column for role, column in mapping["columns"].items() if role in _MONEY}


def turn_signs(layout: Layout) -> Layout:
    """Proposes that positive amounts were spent, and asks."""
    from ..formats.csv.detect import POSITIVE  # loaded late, because few requests need it

    sign_question = {"field": SIGNS, "message": POSITIVE, "choices": ["true", "false"]}
    others = [question for question in layout.detected["questions"] if question["field"] != SIGNS]
    return replace(
        layout,
        mapping={**layout.mapping, SIGNS: True},
        detected={**layout.detected, "questions": [*others, sign_question]},
    )


def _questions(found_out: FileExamination) -> list[dict[str, Any]]:
    return list(found_out.detected.get("questions", ()))


def _take_answers(earlier: ImportJob, found_out: FileExamination) -> dict[str, Any]:
    """Takes earlier answers to questions that this file leaves open, if they are among its choices. The file itself
    shows how it is written.
    """
    fields = [
        question["field"]
        for question in _questions(found_out)
        if _as_choice(earlier, question["field"]) in question["choices"]
    ]
    answers = _take(earlier, *fields, *(("thousands",) if "decimal" in fields else ()))
    encoding = str(earlier.mapping["encoding"])
    if found_out.mapping["encoding"] == FALLBACK and not encoding.upper().startswith("UTF"):
        answers["encoding"] = encoding
    return answers


def _take(earlier: ImportJob, *names: str) -> dict[str, Any]:
    return {name: earlier.mapping[name] for name in names}


def _as_choice(earlier: ImportJob, field: str) -> str:
    value = earlier.mapping[field]
    return str(value).lower() if isinstance(value, bool) else str(value)


def _put_first(question: dict[str, Any], proposed: Mapping[str, Any]) -> dict[str, Any]:
    if question["field"] not in proposed:
        return question
    first = proposed[question["field"]]
    return {**question, "choices": [first, *(choice for choice in question["choices"] if choice != first)]}


def _join_columns(detected: Mapping[str, Any], earlier: Mapping[str, Any]) -> dict[str, Any]:
    """Keeps the earlier choice of text columns; amounts and accounts follow this file."""
    shows_money = not detected.keys().isdisjoint(("amount", "debit", "credit"))
    own = {role: column for role, column in detected.items() if role in _MONEY or role == "account"}
    texts = {role: column for role, column in earlier.items() if role not in _MONEY or not shows_money}
    return texts | (own if shows_money else {})
