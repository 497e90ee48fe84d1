"""The files of the web app are served compressed, cached, and behind any path."""

import gzip
import json
import re
import struct
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from farthing.http.service.web_app import BUILT, WebApp
from farthing.identity.user import ApiVersion

FIRST_PAGE_BYTES_MAX = 200_000


def client(folder: Path) -> TestClient:
    """The files alone, with what the edge tells everybody behind it."""
    app = Starlette(routes=[*WebApp(folder).addresses()])

    async def edge(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope.setdefault("state", {}).update(
                headers=dict(scope["headers"]), api_version=ApiVersion.V1, root="/farthing"
            )
        await app(scope, receive, send)

    return TestClient(edge)


@pytest.fixture
def built(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<p>hello")
    script = tmp_path / "assets" / "a-1234.js"
    script.write_text("run()")
    script.with_name("a-1234.js.gz").write_bytes(gzip.compress(b"run()", mtime=0))
    return tmp_path


def test_the_page_is_revalidated_and_its_files_are_cached(built: Path) -> None:
    page, script = client(built).get("/"), client(built).get("/assets/a-1234.js")

    assert (page.text, page.headers["cache-control"]) == ("<p>hello", "no-cache")
    assert "immutable" in script.headers["cache-control"]
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"


def test_files_may_be_cached_by_anyone_and_the_page_may_not(built: Path) -> None:
    """A frame without an origin, where PDFs are shown, has to get its code; see ADR 17."""
    page, script = client(built).get("/"), client(built).get("/assets/a-1234.js")

    assert script.headers["cross-origin-resource-policy"] == "cross-origin"
    assert "cross-origin-resource-policy" not in page.headers, "the edge says same-origin, as with everything"


@pytest.mark.parametrize(("accepted", "expected"), [("gzip, br", "gzip"), ("identity", None), ("gzip;q=0", None)])
def test_a_browser_gets_what_it_can_read(built: Path, accepted: str, expected: str | None) -> None:
    answer = client(built).get("/assets/a-1234.js", headers={"accept-encoding": accepted})

    assert answer.headers.get("content-encoding") == expected
    assert answer.text == "run()"
    assert answer.headers["vary"] == "accept-encoding"


def test_an_unchanged_file_is_not_sent_again(built: Path) -> None:
    tag = client(built).get("/").headers["etag"]
    again = client(built).get("/", headers={"if-none-match": tag})

    assert (again.status_code, again.content) == (304, b"")


def test_only_our_own_files_may_run_in_the_page(built: Path) -> None:
    policy = client(built).get("/").headers["content-security-policy"]

    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


def test_only_reading_is_allowed(built: Path) -> None:
    assert client(built).post("/").status_code == 405
    assert client(built).head("/").content == b""


def test_no_path_leads_out_of_the_folder(built: Path) -> None:
    (built.parent / "secret").write_text("no")

    for name in ("/../secret", "/assets/../../secret", "/assets/%2e%2e/%2e%2e/secret", "/index.html.br"):
        assert client(built).get(name).status_code == 404


def test_without_a_build_it_says_how_to_build(tmp_path: Path) -> None:
    answer = client(tmp_path).get("/")

    assert answer.status_code == 200
    assert "make web" in answer.text


def test_the_page_is_served_beside_the_api(world) -> None:
    answer = world.http.get("/")

    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert world.http.get("/api/v1/accounts").status_code == 401


@pytest.mark.skipif(not (BUILT / "index.html").is_file(), reason="the web app is not built")
def test_the_first_page_is_small_and_contacts_no_other_server() -> None:
    page = (BUILT / "index.html").read_text()
    names = re.findall(r'(?:src|href)="\./([^"]+)"', page)
    compressed = [BUILT / f"{name}.br" for name in names if name.endswith((".js", ".css"))]

    assert compressed
    assert not re.search(r'(?:src|href)="(?!\./)', page), "only relative addresses work behind a path"
    assert sum(file.stat().st_size for file in compressed) < FIRST_PAGE_BYTES_MAX


def test_the_built_app_can_be_installed_behind_any_path() -> None:
    """What Chromium asks of an app before it offers to install it."""
    served = client(BUILT)
    page, answer, worker = served.get("/"), served.get("/manifest.webmanifest"), served.get("/sw.js")
    manifest = json.loads(answer.text)

    assert '<link rel="manifest" href="./manifest.webmanifest"' in page.text
    assert answer.headers["content-type"] == "application/manifest+json"
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("./", "./", "standalone")
    assert {manifest["name"], manifest["short_name"]} == {"Farthing"}
    shown = {(icon.get("purpose", "any"), icon["sizes"]) for icon in manifest["icons"]}
    assert shown >= {(purpose, size) for purpose in ("any", "maskable") for size in ("192x192", "512x512")}
    for picture in (*manifest["icons"], *manifest["screenshots"]):
        width, height = struct.unpack(">II", served.get(f"/{picture['src']}").content[16:24])
        assert picture["sizes"] == f"{width}x{height}"
    addresses = [*(one["url"] for one in manifest["shortcuts"]), manifest["share_target"]["action"]]
    assert all(address.startswith("./") for address in addresses)
    assert re.search(r"addEventListener\([`'\"]fetch", worker.text)
    assert worker.headers["cache-control"] == "no-cache", "a new version is found at once"


def test_files_that_are_shared_before_the_worker_is_there_lead_to_the_page_that_says_so(built: Path) -> None:
    answer = client(built).post("/share", content=b"a receipt", follow_redirects=False)

    assert (answer.status_code, answer.headers["location"]) == (303, "/farthing/#/share?missed=1")
