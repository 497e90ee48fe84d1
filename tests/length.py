"""How long the proofs run: a short form with every test run, the long one with `make proof`."""

import os

LONG = os.environ.get("FARTHING_PROOF") == "long"


def examples(number: int) -> int:
    """How many of these are drawn: all in the long form, a sixth in the short one."""
    return number if LONG else number // 6
