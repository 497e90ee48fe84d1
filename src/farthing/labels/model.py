"""What is a label? A name that transactions carry."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Tag:
    id: int
    name: str
    created_at: str
    updated_at: str
