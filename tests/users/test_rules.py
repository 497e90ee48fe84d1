"""Somebody always owns the installation, even when two owners act on what they saw a moment ago."""

import pytest
from msgspec.structs import replace

from farthing.identity.user import Role, User, change_problems, removal_problems

OWNER = User(
    id=1,
    email="one@farthing.example",
    role=Role.OWNER.value,
    blocked=False,
    blocked_code=None,
    created_at="",
    updated_at="",
)


def after(**fields: object) -> User:
    return replace(OWNER, **fields)


@pytest.mark.parametrize(
    ("change", "field"),
    [({"role": None}, "role"), ({"role": "demo", "blocked": True}, "role"), ({"blocked": True}, "blocked")],
)
def test_nobody_takes_the_last_owner_away(change: dict[str, object], field: str) -> None:
    problems = change_problems(OWNER, after(**change), by_id=2, has_other_owner=False)

    assert [problem.field for problem in problems] == [field]


@pytest.mark.parametrize("change", [{"role": None}, {"blocked": True}, {"email": "two@farthing.example"}])
def test_with_another_owner_anything_goes(change: dict[str, object]) -> None:
    assert change_problems(OWNER, after(**change), by_id=2, has_other_owner=True) == []


def test_the_last_owner_may_change_their_address() -> None:
    assert change_problems(OWNER, after(email="new@farthing.example"), by_id=1, has_other_owner=False) == []


def test_nobody_deletes_the_last_owner() -> None:
    assert [problem.field for problem in removal_problems(OWNER, by_id=2, has_other_owner=False)] == ["id"]
    assert removal_problems(OWNER, by_id=2, has_other_owner=True) == []
