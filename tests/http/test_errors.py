"""Is every error told? The page of errors and the tree of errors say the same, in the code's own words."""

import re
from pathlib import Path

import pytest

from farthing.http.answer import problems
from farthing.kernel import errors

PAGE = (Path(__file__).parents[2] / "docs" / "errors.md").read_text()
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("| ")]
TREE = {
    name: one
    for name, one in vars(errors).items()
    if isinstance(one, type) and issubclass(one, errors.FarthingError) and one is not errors.FarthingError
}
TOLD = {row[0]: row for row in ROWS if row[0] in TREE}


def an_error(kind):
    return (
        errors.Invalid([errors.Problem("name", "The name field is required.")])
        if kind is errors.Invalid
        else kind("Why.")
    )


@pytest.mark.parametrize("name", TREE)
def test_every_error_is_on_the_page_with_its_cause_and_its_cure(name):
    assert name in TOLD
    assert all(sentence.endswith((".", "?")) for sentence in TOLD[name][-2:])


def test_the_page_tells_of_no_error_that_is_none():
    named = {row[0] for row in ROWS if re.fullmatch(r"[A-Z][A-Za-z]+", row[0])}

    assert named - {"Error", "Status"} == set(TREE)


@pytest.mark.parametrize("name", [name for name, kind in TREE.items() if kind in problems.STATUSES])
def test_an_error_is_answered_as_the_page_says(name):
    answer = problems.answer_to(an_error(TREE[name]))

    _, status, exception, *_ = TOLD[name]
    assert (answer.status, answer.media_type) == (int(status), "application/json")
    assert getattr(answer.document, "exception", "–") == exception


def test_what_has_no_status_is_never_an_answer():
    unanswered = {name for name, kind in TREE.items() if kind not in problems.STATUSES}

    assert unanswered == {row[0] for row in TOLD.values() if len(row) == 3}
    for name in unanswered:
        with pytest.raises(TREE[name]):
            problems.answer_to(TREE[name]("Why."))


@pytest.mark.parametrize("answer", [problems.wrong_method(["GET"]), problems.crash("1234")], ids=["405", "500"])
def test_the_two_without_an_error_are_told_as_well(answer):
    assert [str(answer.status), answer.document.exception] in [row[:2] for row in ROWS]


def test_who_comes_too_early_is_told_when_to_come_back():
    answer = problems.answer_to(errors.Unavailable("The disk is full."))

    assert answer.headers == (("retry-after", "5"),)
    assert "disk" not in answer.document.message


def test_a_field_with_two_problems_has_two_sentences_and_no_doubles():
    told = [
        errors.Problem("a", "One."),
        errors.Problem("b", "Two."),
        errors.Problem("a", "Three."),
        errors.Problem("a", "One."),
    ]

    answer = problems.answer_to(errors.Invalid(told))

    assert answer.document.errors == {"a": ["One.", "Three."], "b": ["Two."]}
