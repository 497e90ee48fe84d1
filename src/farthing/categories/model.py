"""What is a category? A name for what money was spent on, or came from."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Category:
    id: int
    name: str
    created_at: str
    updated_at: str
