"""Does the guide to the API tell the truth? Its examples run, in order, and answer what it says."""

import json
import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest

from ..users.people import an_owner

DOCS = Path(__file__).parents[2] / "docs"
HOW_TO = [page for page in sorted((DOCS / "how-to").glob("*.md")) if "\ncurl" in page.read_text()]
GUIDES = [DOCS.parent / "README.md", *sorted((DOCS / "api").glob("*.md")), *HOW_TO]
BLOCK = re.compile(r"^```(sh|json|csv)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FORM = "application/x-www-form-urlencoded"


def examples(text):
    """Each line of curl, with the answer that follows it, if the guide shows one. A table stands for files."""
    found, table = [], None
    for language, block in BLOCK.findall(text):
        if language == "csv":
            table = block
            continue
        if language == "json":
            found[-1] = (found[-1][0], block, found[-1][2])
            continue
        whole_lines = re.split(r"^(?=curl)", block.replace("\\\n", " "), flags=re.MULTILINE)
        found += [(line, None, table) for line in whole_lines if line.startswith("curl")]
    return found


def run(client, line, last_id, table=None):
    """What curl does with these options; `$ID` is the id of the object that was shown last."""
    for word, meaning in {"$FARTHING": "", "http://127.0.0.1:8000": "", "$TOKEN": client.token, "$ID": last_id}.items():
        line = line.replace(word, meaning)
    _, *words = shlex.split(line)
    address = next(word for word in words if word.startswith("/"))
    given = [(option, value) for option, value in pairwise(words) if option.startswith("-")]
    headers = dict(value.split(": ", 1) for option, value in given if option == "-H")
    if token := dict(given).get("--oauth2-bearer"):
        headers["Authorization"] = f"Bearer {token}"
    data = [value for option, value in given if option in ("-d", "--data-binary")]
    files = {
        name: part(text, table) for name, text in (value.split("=", 1) for option, value in given if option == "-F")
    }
    method = dict(given).get("-X") or ("POST" if data or files else "GET")
    if files:
        return client.request(method, address, headers=headers, files=files)
    headers = {"Content-Type": FORM, **headers} if data else headers
    return client.request(method, address, headers=headers, content="&".join(data))


def part(text, table):
    """`@name` is a file of that name; here it holds no more than that, unless the guide shows it."""
    return (text[1:], table or text) if text.startswith("@") else (None, text)


def holds(shown, real):
    """`…` stands for anything, and what the guide leaves out does not matter."""
    if isinstance(shown, dict):
        return isinstance(real, dict) and all(holds(value, real.get(name)) for name, value in shown.items())
    if isinstance(shown, list):
        return isinstance(real, list) and len(shown) == len(real) and all(map(holds, shown, real))
    return real is not None if shown == "…" else shown == real


def told(response):
    return response.json() if response.headers.get("content-type", "").endswith("json") else {}


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)
def test_the_examples_of_a_guide_run_as_they_stand_and_answer_what_it_shows(guide, world):
    owner = an_owner(world)  # as the reader is, who made the first user
    last_id = ""
    for line, shown, table in examples(guide.read_text()):
        response = run(owner, line, last_id, table)

        wanted, answered = json.loads(shown) if shown else {}, told(response)
        assert response.is_success or wanted.keys() & {"message", "error"}, f"{line}\n{response.text}"
        assert holds(wanted, answered), f"{line}\n{response.text}\nis not what {guide.name} shows:\n{shown}"
        one = answered.get("data") if isinstance(answered, dict) else None
        last_id = one.get("id", last_id) if isinstance(one, dict) else last_id


def test_a_guide_has_examples():
    assert all(examples(guide.read_text()) for guide in GUIDES)
