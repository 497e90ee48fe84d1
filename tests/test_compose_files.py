"""Are the compose files fit to be used as they are? `make packages` runs them for real."""

import json
import os
import re
import shutil
import subprocess
from itertools import count
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES = [(ROOT / name).read_text() for name in ("compose.yaml", "deploy/compose-postgres.yaml")]
SCRIPT = ROOT / "deploy" / "make-secrets.sh"
NAMES = {"s3_key", "s3_secret", "postgres_password", "database_url", "s3_config.json"}
COMMANDS = ("cat", "chmod", "mv", "od")
# Instead of the n-th of these commands, everything ends at once.
DEADLY = """#!/bin/sh
echo x >> {calls}
[ "$(wc -l < {calls})" -ne {number} ] || kill -KILL 0
exec {command} "$@"
"""


def make(folder: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    words = ["sh", folder / SCRIPT.name]
    return subprocess.run(
        words, env=os.environ | environment, capture_output=True, text=True, check=False, start_new_session=True
    )


def make_until(number: int, folder: Path) -> bool:
    """Whether it was interrupted."""
    shutil.copy(SCRIPT, folder)
    (folder / "bin").mkdir()
    for name in COMMANDS:
        words = {"calls": folder / "calls", "number": number, "command": shutil.which(name)}
        (folder / "bin" / name).write_text(DEADLY.format(**words))
        (folder / "bin" / name).chmod(0o755)
    return make(folder, PATH=f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}").returncode != 0


def secrets(folder: Path) -> dict[str, str]:
    return {
        file.name: text for file in (folder / "secrets").iterdir() if file.name in NAMES and (text := file.read_text())
    }


def test_interrupted_anywhere_it_goes_on_and_keeps_what_is_there(tmp_path: Path) -> None:
    for number in count(1):
        folder = tmp_path / str(number)
        folder.mkdir()
        if not make_until(number, folder):
            break
        before = secrets(folder)
        assert make(folder).returncode == 0

        after = secrets(folder)
        assert before.items() <= after.items()
        assert set(after) == NAMES
        assert len({after["s3_key"], after["s3_secret"], after["postgres_password"]}) == 3
        assert after["postgres_password"] in after["database_url"]
        [credentials] = json.loads(after["s3_config.json"])["identities"][0]["credentials"]
        assert credentials == {"accessKey": after["s3_key"], "secretKey": after["s3_secret"]}
        assert {(folder / "secrets" / name).stat().st_mode & 0o777 for name in NAMES} == {0o644}
        assert "nothing was changed" in make(folder).stdout
    assert number > len(NAMES)


def test_every_image_of_others_is_named_by_version_and_digest() -> None:
    images = [name for text in FILES for name in re.findall(r"^ +image: (.+)$", text, re.MULTILINE)]

    others = [name for name in images if name != "farthing"]  # which is built here
    assert len(others) == 2
    for name in others:
        assert re.fullmatch(r"docker\.io/[a-z/]+:\d+\.\d+@sha256:[0-9a-f]{64}", name)


def test_backups_are_made_in_a_volume_of_their_own() -> None:
    for text in FILES:
        [folder] = re.findall(r"FARTHING_BACKUP_FOLDER: (.+)", text)
        assert f'"backups:{folder}"' in text
        assert f"mkdir /data {folder} && chown 10001:10001 /data {folder}" in (ROOT / "Containerfile").read_text()
