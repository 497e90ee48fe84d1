"""How long the proofs run: a short form with every test run, the long one with `make proof`."""

import os

LONG = os.environ.get("FARTHING_PROOF") == "long"


def databases(short: str) -> list[str]:
    """Both in the long forms; in the short one only the one where more can go wrong."""
    return ["sqlite", "postgresql"] if os.environ.get("FARTHING_PROOF") else [short]


def examples(number: int) -> int:
    """How many of these are drawn: all in the long form, a sixth in the short one."""
    return number if LONG else number // 6
