"""`python -m manual` builds the site and checks its links; `python -m manual serve` shows it on port 8001."""

import shutil
import subprocess
import sys
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path

from . import links, stage

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build"
ADDRESS = ("127.0.0.1", 8001)


def build(to: Path = BUILD) -> list[str]:
    """Builds the site into the folder `site`; returns what is wrong with it, the generator's warnings included."""
    stage.write(ROOT, to)
    shutil.rmtree(to / "site", ignore_errors=True)
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", str(to / "zensical.toml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return [done.stdout + done.stderr] if done.returncode else links.find_broken(to / "site")


def serve() -> None:
    """Only for this machine."""

    class Pages(SimpleHTTPRequestHandler):
        def __init__(self, *words: object) -> None:
            super().__init__(*words, directory=BUILD / "site")  # type: ignore[arg-type]

    print(f"The manual is at http://{ADDRESS[0]}:{ADDRESS[1]}; Ctrl-C stops.")  # noqa: T201
    HTTPServer(ADDRESS, Pages).serve_forever()


def main(words: list[str]) -> int:
    problems = build()
    for problem in problems:
        print(problem, file=sys.stderr)  # noqa: T201
    if not problems and words == ["serve"]:
        serve()
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
