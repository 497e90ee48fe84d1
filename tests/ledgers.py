"""hledger and Beancount, as programs that judge our exports.

Beancount's licence does not fit ours, so it stays in a virtual environment of its own: we run it, and never import it.
"""

import csv
import io
import os
import subprocess
import sys
from pathlib import Path

from .needs import find_program, or_skip

_BEAN_CHECK = Path(sys.prefix) / "beancount" / "bin" / "bean-check"


def check_hledger(path: Path) -> str:
    """What is wrong with a journal; nothing if it is right."""
    return _run([or_skip(find_program("hledger"), "hledger"), "-f", str(path), "check", "--strict"])


def balances_of_hledger(path: Path) -> dict[tuple[str, str], str]:
    """What each account holds of each commodity."""
    program = or_skip(find_program("hledger"), "hledger")
    words = [program, "-f", str(path), "balance", "--flat", "--no-total", "--output-format", "csv", "--layout", "bare"]
    printed = subprocess.run(words, capture_output=True, text=True, check=True, env=_utf8()).stdout
    rows = list(csv.reader(io.StringIO(printed, newline="")))[1:]
    return {(account, commodity): amount for account, commodity, amount in rows if amount.strip("-0.")}


def check_beancount(path: Path) -> str:
    return _run([or_skip(find_program(str(_BEAN_CHECK)), "bean-check"), "--no-cache", str(path)])


def _run(words: list[str]) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=_utf8())
    return done.stdout + done.stderr if done.returncode else ""


def _utf8() -> dict[str, str]:
    return os.environ | {"LC_ALL": "C.UTF-8"}
