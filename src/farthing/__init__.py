"""Farthing keeps a household's money: every amount exact, every day right, nothing lost."""

__version__ = "0.1.0"
