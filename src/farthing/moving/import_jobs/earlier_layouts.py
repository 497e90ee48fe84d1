"""Reuses the decisions of an earlier import of a file with the same columns.

Decisions about columns can be reused for any account. Decisions about signs are reused only for the same account.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from ..findings import Finding
from ..formats.text import FALLBACK
from .examine import FileExamination
from .model import ImportJob

SIGNS = "invert"
_VERB = {"mapping": "is", "columns": "are"}
# The columns that determine amounts and their signs. They are detected in each file, if possible.
_MONEY = frozenset(("amount", "debit", "credit", "sign", "balance", "fee"))


def recall(
    examined: FileExamination, user_mapping: Mapping[str, Any], earlier: ImportJob | None, account_id: int | None
) -> FileExamination:
    """Reuses the answers of an earlier import for the same account; those for another account are only proposed.
    `user_mapping` is the part of the mapping that the user set.
    """
    if earlier is None:
        return examined
    if account_id is not None and earlier.account_id == account_id:
        return _recall_own(examined, user_mapping, earlier)
    if (
        examined.mapping["header"] is False
    ):  # without a header, the columns of another account's file may have other meanings
        return examined
    columns = _join_columns(examined.mapping["columns"], earlier.mapping["columns"])
    answers = {**_take_answers(earlier, examined), "columns": columns}
    proposed = {name: value for name, value in answers.items() if name != SIGNS and name not in user_mapping}
    questions = [_put_first(question, proposed) for question in _questions(examined)]
    return _with_answers(examined, proposed, questions, _remark("columns", user_mapping, earlier))


def _recall_own(examined: FileExamination, user_mapping: Mapping[str, Any], earlier: ImportJob) -> FileExamination:
    """Reuses all answers of an import for the same account, but signs only if the amount columns are the same."""
    taken = {**_take_answers(earlier, examined), **_take(earlier, "columns", SIGNS)}
    answers = {name: value for name, value in taken.items() if name not in user_mapping}
    if "columns" in user_mapping and _money(earlier.mapping) != _money(examined.mapping):
        answers.pop(SIGNS, None)
    questions = [question for question in _questions(examined) if question["field"] not in answers]
    return _with_answers(examined, answers, questions, _remark("mapping", user_mapping, earlier))


def _with_answers(
    examined: FileExamination, answers: Mapping[str, Any], questions: list[dict[str, Any]], remark: Finding | None
) -> FileExamination:
    detected = {**examined.detected, "questions": questions}
    return replace(examined, mapping={**examined.mapping, **answers}, detected=detected, remark=remark)


def _remark(what: str, user_mapping: Mapping[str, Any], earlier: ImportJob) -> Finding | None:
    return (
        None
        if "columns" in user_mapping
        else Finding(message=f"The {what} of import {earlier.id} {_VERB[what]} used again.")
    )


def _money(mapping: Mapping[str, Any]) -> dict[str, Any]:
    return {role: column for role, column in mapping["columns"].items() if role in _MONEY}


def turn_signs(examined: FileExamination) -> FileExamination:
    """Proposes to treat positive amounts as spent, and asks the user to confirm."""
    from ..formats.csv.detect import POSITIVE  # loaded late, because few requests need it

    sign_question = {"field": SIGNS, "message": POSITIVE, "choices": ["true", "false"]}
    others = [question for question in _questions(examined) if question["field"] != SIGNS]
    return _with_answers(examined, {SIGNS: True}, [*others, sign_question], examined.remark)


def _questions(examined: FileExamination) -> list[dict[str, Any]]:
    return list(examined.detected.get("questions", ()))


def _take_answers(earlier: ImportJob, examined: FileExamination) -> dict[str, Any]:
    """Reuses the earlier answer to each open question that still offers that answer. Reuses the encoding if this file
    does not reveal its own.
    """
    fields = [
        question["field"]
        for question in _questions(examined)
        if _as_choice(earlier, question["field"]) in question["choices"]
    ]
    answers = _take(earlier, *fields, *(("thousands",) if "decimal" in fields else ()))
    encoding = str(earlier.mapping["encoding"])
    if examined.mapping["encoding"] == FALLBACK and not encoding.upper().startswith("UTF"):
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
    """Keeps the earlier choice of text columns. Columns of amounts and accounts are those detected in this file."""
    shows_money = not detected.keys().isdisjoint(("amount", "debit", "credit"))
    own = {role: column for role, column in detected.items() if role in _MONEY or role == "account"}
    texts = {role: column for role, column in earlier.items() if role not in _MONEY or not shows_money}
    return texts | (own if shows_money else {})
