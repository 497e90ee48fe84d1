"""Do tests mean the same in the background, where a shell ignores signals?"""

import signal
import subprocess
import sys

from .signals import ASKED_TO_END

STARTS_A_CHILD = """
import subprocess, sys
from tests.signals import stop_inheriting
stop_inheriting()
sys.exit(subprocess.run([sys.executable, "-c", sys.argv[1]], capture_output=True).returncode)
"""
RAISES = "import signal; signal.raise_signal({number}); print('not even noticed')"


def ignore_all() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, ASKED_TO_END)
    for number in ASKED_TO_END:
        signal.signal(number, signal.SIG_IGN)


def test_what_a_test_starts_gets_signals_that_its_shell_ignores() -> None:
    for number in ASKED_TO_END:
        words = [sys.executable, "-c", STARTS_A_CHILD, RAISES.format(number=int(number))]
        done = subprocess.run(words, preexec_fn=ignore_all, check=False)

        assert done.returncode == -number % 256, number
