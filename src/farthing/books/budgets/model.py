"""Defines budgets, to which withdrawals can be assigned."""

from enum import StrEnum

from msgspec import Struct


class Carry(StrEnum):
    """Says what a month carries over: nothing, what is left or overspent, or only what is overspent."""

    NO = "no"
    YES = "yes"
    OVERSPENT = "overspent"


class BudgetDraft(Struct, frozen=True):
    name: str
    active: bool
    carry: Carry = Carry.NO


class Budget(Struct, frozen=True):
    id: int
    name: str
    active: bool
    carry: Carry
    created_at: str
    updated_at: str
