"""Headers: every kind of answer carries what keeps browsers safe, and other pages are let in only where configured."""

import pytest

from farthing.http.answer.headers import CLOSED_POLICY, PAGE_POLICY

from ..accounts.making import asset
from ..attachments.making import attached
from ..conftest import running
from ..sessions.browser import signed_in
from ..versions import describe

ALWAYS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
SANDBOX = "sandbox; default-src 'none'"


def every_kind(world, me):
    """One answer of each kind, with the policy that it must have."""
    token = {"Authorization": f"Bearer {me.token}"}
    attachment_id = attached(me, b"hello")
    tag = me.get("/accounts").headers["etag"]
    file_tag = me.get(f"/attachments/{attachment_id}/download").headers["etag"]

    def ask(method, path, status, policy=CLOSED_POLICY, **headers):
        answer = world.http.request(method, path, headers={**token, **headers}, json=None)
        assert answer.status_code == status, (path, answer.status_code)
        return answer, policy

    yield ask("GET", "/api/v1/accounts", 200)
    yield ask("HEAD", "/api/v1/accounts", 200)
    yield ask("GET", "/api/v1/accounts", 304, **{"If-None-Match": tag})
    yield ask("GET", "/api/v1/accounts", 401, Authorization="Bearer nonsense")
    yield ask("GET", "/api/v1/accounts/999999999", 404)
    yield ask("PATCH", "/api/v1/accounts", 405)
    yield ask("OPTIONS", "/api/v1/accounts", 405)
    yield ask("POST", "/api/v1/accounts", 422)
    yield ask("DELETE", "/api/v1/session", 404)
    yield ask("GET", "/api/v1/tokens", 200)
    yield ask("GET", "/api/v1/nonsense", 404)
    yield ask("GET", "/v6/api/v1/about", 200)
    yield ask("GET", "/v6/api/v1/about", 401, Authorization="Bearer nonsense")
    yield ask("GET", "/v6/api/v1/nonsense", 404)
    yield ask("PATCH", "/v6/api/v1/about", 405)
    yield ask("POST", "/v6/api/v1/preferences", 422)
    yield ask("GET", "/nonsense", 404)
    yield ask("GET", "/../etc/passwd", 404)
    yield ask("GET", "/health", 200)
    yield ask("GET", "/api/openapi.json", 200, None)
    yield ask("GET", "/api/docs", 200, None)
    yield ask("GET", f"/api/v1/attachments/{attachment_id}/download", 200, SANDBOX)
    yield ask("GET", f"/api/v1/attachments/{attachment_id}/download", 206, SANDBOX, Range="bytes=0-1")
    yield ask("GET", f"/api/v1/attachments/{attachment_id}/download", 304, SANDBOX, **{"If-None-Match": file_tag})
    yield ask("GET", f"/api/v1/attachments/{attachment_id}/download", 416, Range="bytes=99-")


def test_every_kind_of_answer_is_safe(world, me):
    seen = 0
    for answer, policy in every_kind(world, me):
        headers = answer.headers
        assert {name: headers.get(name) for name in ALWAYS} == ALWAYS, answer.request.url
        given = headers.get_list("content-security-policy")
        assert len(given) == 1, "two policies are one too many"
        assert policy is None or given == [policy], answer.request.url
        assert "frame-ancestors 'none'" in given[0] or given == [SANDBOX]
        assert "unsafe" not in given[0]
        assert "strict-transport-security" not in headers
        assert not [name for name in headers if name.startswith("access-control")]
        assert "cache-control" in headers
        seen += 1
    assert seen == 25


def test_a_crash_is_no_exception(world):
    from starlette.testclient import TestClient

    from farthing.care.watch.meter import Meter
    from farthing.http.routing.allowed_hosts import AllowedHosts
    from farthing.http.routing.middleware import Middleware

    async def broken(scope, receive, send):
        raise RuntimeError("no")

    headers = (
        TestClient(
            Middleware(broken, world.settings, Meter([], None).count, AllowedHosts(world.settings, only_local=False))
        )
        .get("/")
        .headers
    )
    assert {name: headers.get(name) for name in ALWAYS} == ALWAYS
    assert headers["content-security-policy"] == CLOSED_POLICY


@pytest.mark.parametrize(("base_url", "told"), [("https://money.example", True), ("http://money.example", False)])
def test_tls_is_to_be_kept_where_there_is_tls(new_database_url, tmp_path, check_answer, base_url, told):
    for world in running(new_database_url, tmp_path, check_answer, base_url=base_url):
        for path in ("/health", "/nonsense", "/api/v1/accounts"):
            found = world.http.get(path).headers.get("strict-transport-security")
            assert found == ("max-age=31536000" if told else None)


def test_a_client_that_claims_tls_is_not_believed(world):
    answer = world.http.get("/health", headers={"X-Forwarded-Proto": "https"})

    assert "strict-transport-security" not in answer.headers


def test_pages_run_nothing_but_our_own_files():
    said = dict(part.strip().split(" ", 1) for part in PAGE_POLICY.split(";"))

    assert said["default-src"] == said["script-src"] == said["style-src"] == "'self'"
    assert said["object-src"] == said["base-uri"] == said["frame-ancestors"] == "'none'"
    assert said["img-src"] == "'self' blob: data:"
    assert "unsafe" not in PAGE_POLICY
    assert "http" not in PAGE_POLICY


# Pages from elsewhere

TOOL = "https://tools.example"


@pytest.fixture
def shared(new_database_url, tmp_path, check_answer):
    origins = f"{TOOL},http://localhost:3000"
    yield from running(new_database_url, tmp_path, check_answer, cors_origins=origins)


def cors(answer):
    return {name: value for name, value in answer.headers.items() if name.startswith("access-control")}


def preflight(world, origin, path="/api/v1/accounts"):
    headers = {"Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "authorization"}
    return world.http.options(path, headers={**headers, "Origin": origin})


def test_an_origin_that_is_configured_may_use_the_api_with_a_token(shared):
    me = shared.someone()

    asked = preflight(shared, TOOL)
    answer = me.request("GET", "/accounts", headers={"Origin": TOOL})

    assert asked.status_code == 204
    assert asked.headers["access-control-allow-origin"] == TOOL
    assert asked.headers["access-control-allow-methods"] == "GET, HEAD, POST, PUT, DELETE"
    assert "Authorization" in asked.headers["access-control-allow-headers"]
    assert "csrf" not in asked.headers["access-control-allow-headers"].lower()
    assert cors(answer)["access-control-allow-origin"] == TOOL
    assert "ETag" in cors(answer)["access-control-expose-headers"]
    assert asked.headers["vary"] == "Origin"
    assert "Origin" in answer.headers["vary"].split(", ")
    made = me.request("POST", "/accounts", json=asset(), headers={"Origin": TOOL})
    assert (made.status_code, cors(made)["access-control-allow-origin"]) == (200, TOOL)
    wrong = shared.http.get("/api/v1/accounts", headers={"Origin": TOOL})
    assert (wrong.status_code, cors(wrong)["access-control-allow-origin"]) == (401, TOOL)


def test_every_header_that_the_document_names_can_be_read_there(shared):
    """Browsers show pages of other origins only what they are told to."""
    exposed = cors(shared.http.get("/health", headers={"Origin": TOOL}))["access-control-expose-headers"]
    described = describe()
    components = described["components"]["responses"]
    answers = [
        components[answer["$ref"].rpartition("/")[2]] if "$ref" in answer else answer
        for item in described["paths"].values()
        for operation in item.values()
        for answer in operation["responses"].values()
    ]

    named = {name for answer in answers for name in answer.get("headers", {})}

    assert {"ETag", "Farthing-Revision", "Location"} <= named <= set(exposed.split(", "))


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://tools.example", "https://tools.example.evil", ""]
)
def test_any_other_is_told_nothing(shared, origin):
    me = shared.someone()

    assert cors(me.request("GET", "/accounts", headers={"Origin": origin})) == {}
    assert (preflight(shared, origin).status_code, cors(preflight(shared, origin))) == (405, {})


def test_credentials_are_never_allowed(shared, new_database_url, tmp_path, check_answer):
    assert "access-control-allow-credentials" not in preflight(shared, TOOL).headers
    for world in running(new_database_url, tmp_path / "any", check_answer, cors_origins="*"):
        asked, answer = preflight(world, TOOL), world.http.get("/health", headers={"Origin": TOOL})
        assert cors(asked)["access-control-allow-origin"] == cors(answer)["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in {**cors(asked), **cors(answer)}


def test_a_configured_origin_does_not_act_in_a_session(shared):
    browser = signed_in(shared)

    assert browser.post("/accounts", asset(), headers={"Origin": TOOL}).status_code == 403


def test_unless_configured_nobody_is_told_anything(world, me):
    assert cors(me.request("GET", "/accounts", headers={"Origin": TOOL})) == {}
    assert preflight(world, TOOL).status_code == 405


@pytest.mark.parametrize("wrong", ["tools.example", "https://tools.example/path", "ftp://x", "https://a b"])
def test_what_is_no_origin_stops_the_start(tmp_path, wrong):
    from farthing.kernel.config import load
    from farthing.kernel.errors import Misconfigured

    with pytest.raises(Misconfigured, match="FARTHING_CORS_ORIGINS"):
        load({"FARTHING_CORS_ORIGINS": wrong}, dotenv=tmp_path / "no.env")
