"""Which signals do the processes get that tests start? All of them, whatever pytest itself inherited."""

import signal

# A shell ignores the first two in what it runs in the background, `nohup` the third, and some supervisors the last.
ASKED_TO_END = (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM)


def stop_inheriting() -> None:
    """Goes on ignoring what was ignored, but by a handler: that does not pass to another program, as SIG_IGN does."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ASKED_TO_END)
    for number in ASKED_TO_END:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)
