"""`python -m manual` builds the site into `build/site` and checks it."""

import shutil
import subprocess
import sys
from pathlib import Path

from . import links, stage

ROOT = Path(__file__).parents[1]


def build(to: Path) -> list[str]:
    """Builds the site into the folder `site`; returns what is wrong with it, the generator's warnings included."""
    stage.write(ROOT, to)
    shutil.rmtree(to / "site", ignore_errors=True)
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", str(to / "zensical.toml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return [done.stdout + done.stderr] if done.returncode else links.find_broken(to / "site")


if __name__ == "__main__":
    sys.exit("\n".join(build(ROOT / "build")) or None)
