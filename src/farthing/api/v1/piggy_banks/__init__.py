"""Piggy banks: a part of an account's money, set aside for a target."""
