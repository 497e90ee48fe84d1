"""How is the job process started? By `serve`, without the command line's weight: `python -m farthing.jobs`."""

from .. import log
from ..config import clock_of, load
from .process import work


def main() -> None:
    settings = load()
    log.configure(settings)
    work(settings, clock_of(settings))


if __name__ == "__main__":
    main()
