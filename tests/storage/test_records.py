"""The columns that follow from the fields of a draft."""

from datetime import date
from decimal import Decimal

import pytest

from farthing.books.attachments.model import AttachmentDraft, AttachmentTarget, Model
from farthing.books.budget_limits.model import BudgetLimitDraft
from farthing.books.rule_groups.model import RuleGroupDraft
from farthing.books.tags.model import TagDraft
from farthing.kernel.money import Currency
from farthing.storage.change_log.records import columns_of_draft

EURO = Currency(id=7, code="EUR", name="Euro", symbol="€", places=2)


def test_a_name_is_also_stored_folded_and_a_day_in_its_column() -> None:
    tag = TagDraft(
        name="Été", on=date(2024, 7, 1), description=None, latitude=Decimal("48.50"), longitude=None, zoom_level=6
    )

    assert columns_of_draft("tags", tag) == {
        "name": "Été", "name_fold": "été", "on_day": "2024-07-01", "description": None, "latitude": "48.5",
        "longitude": None, "zoom_level": 6,
    }  # fmt: skip


def test_a_currency_is_stored_by_its_id() -> None:
    limit = BudgetLimitDraft(budget_id=3, currency=EURO, units=500, start_on=date(2024, 1, 1), end_on=date(2024, 1, 31))

    assert columns_of_draft("budget_limits", limit) == {
        "budget_id": 3, "currency_id": 7, "units": 500, "start_on": "2024-01-01", "end_on": "2024-01-31",
            "notes": None,
    }  # fmt: skip


def test_fields_without_a_column_are_named() -> None:
    group = RuleGroupDraft(title="Food", description=None, active=True, order=2)
    file = AttachmentDraft(filename="a.pdf", title="A", notes=None, target=AttachmentTarget(model=Model.BILL, id=1))

    assert columns_of_draft("rule_groups", group, ["order"]) == {
        "title": "Food", "title_fold": "food", "description": None, "active": 1,
    }  # fmt: skip
    assert columns_of_draft("attachments", file, ["target"]) == {
        "filename": "a.pdf", "title": "A", "notes": None, "split_id": None,
    }  # fmt: skip
    with pytest.raises(AssertionError, match="rule_groups has no column for order"):
        columns_of_draft("rule_groups", group)
