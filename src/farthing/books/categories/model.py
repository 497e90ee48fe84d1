"""Defines categories, which say what money was spent on or where it came from.

Categories may have sub-categories, one level deep.
"""

from msgspec import Struct

from farthing.kernel.errors import Problem

# Each word is a colour of the web app, in a light and a dark shade.
COLOURS = (
    "red", "orange", "amber", "lime", "green", "teal", "sky", "blue", "violet", "purple", "pink", "brown",
)  # fmt: skip
# Each word is an icon of the web app.
ICONS = (
    "basket", "cart", "meal", "coffee", "drink", "house", "key", "lamp", "water", "heat", "wifi", "phone", "car",
    "fuel", "bus", "train", "bike", "plane", "bed", "heart", "pill", "baby", "school", "book", "music", "film",
    "game", "ticket", "gift", "shirt", "scissors", "sofa", "tool", "pet", "plant", "sport", "work", "coins",
    "savings", "bank", "receipt", "shield", "umbrella", "hands", "laptop", "camera", "star", "question",
)  # fmt: skip


class CategoryDraft(Struct, frozen=True):
    """Describes a category to store. `budget_id` is the default budget of withdrawals with this category."""

    name: str
    parent_id: int | None = None
    budget_id: int | None = None
    colour: str | None = None
    icon: str | None = None
    notes: str | None = None


class Category(Struct, frozen=True):
    id: int
    name: str
    parent_id: int | None
    budget_id: int | None
    colour: str | None
    icon: str | None
    notes: str | None
    created_at: str
    updated_at: str


def parent_problems(parent: Category | None, *, category_id: int, has_children: bool) -> list[Problem]:
    """Checks whether the category may have this parent. Pass None if the parent does not exist.

    `category_id` is 0 for a new category.
    """
    if parent is None:
        sentence = "The selected parent id is invalid: there is no such category."
    elif parent.id == category_id:
        sentence = "The parent id is invalid: a category cannot be its own parent."
    elif parent.parent_id is not None:
        sentence = f"The selected parent id is invalid: “{parent.name}” is a sub-category itself."
    elif has_children:
        sentence = (
            "The parent id must be empty: this category has sub-categories, so it cannot be a sub-category itself."
        )
    else:
        return []
    return [Problem("parent_id", sentence)]
