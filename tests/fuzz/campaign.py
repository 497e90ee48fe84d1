"""What does the service answer to all that its OpenAPI document allows, and to what it does not? Asked for a while."""

import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import schemathesis
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import events, from_schema
from schemathesis.engine.recorder import ScenarioRecorder

from farthing.http.request.public_address import API
from farthing.identity.user import ApiVersion

from ..http.promises import FROZEN
from ..versions import AT
from .brackets import encoded
from .house import House
from .near import near

# Longer than this, and somebody waits in vain: no request of the API is meant to take a tenth of it.
ANSWERED_WITHIN_S = 30
_HELD = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
    "response_headers_conformance",
    "use_after_free",
    "unsupported_method",
    "ignored_auth",
)


@schemathesis.serializer("application/x-www-form-urlencoded")
def bracket_form(_context: schemathesis.SerializationContext, value: Any) -> bytes:
    """Objects in the form that our clients send; what is no object goes out as it is, to be refused."""
    if isinstance(value, dict):
        return encoded(value)
    return value if isinstance(value, bytes) else json.dumps(value).encode()


_tagged = count()


@schemathesis.hook
def before_call(_context: schemathesis.HookContext, case: schemathesis.Case, _options: dict[str, Any]) -> None:
    """With a tag that nobody gave out everything ends at once: three times of four it is left out."""
    if case.headers and "If-Match" in case.headers and next(_tagged) % 4:
        del case.headers["If-Match"]
    if case.operation.label == _REVOKING and str(case.path_parameters.get("id")) == _spared.get("token_id"):
        case.path_parameters["id"] = "0"
    if case.operation.label == _LIMITING and str(case.path_parameters.get("id")) == _OWNER_ID:
        case.path_parameters["id"] = "0"


# Whoever revokes the token that they come with hears nothing but 401 from then on.
_REVOKING = "DELETE /api/v1/tokens/{id}"
# And whoever limits themselves to one request a minute, while the clock stands still, nothing but 429.
_LIMITING, _OWNER_ID = "PUT /api/v1/users/{id}/quotas", "1"
_spared: dict[str, str] = {}


@dataclass(frozen=True)
class Failed:
    operation: str
    check: str
    message: str
    again: str

    def __str__(self) -> str:
        return f"{self.operation}: {self.check}\n{self.message}\n  {self.again}"


_UNAUTHENTICATED = 401
# Answers never end there.
ENDLESS = "/api/v1/events"


@dataclass
class Tally:
    """How often each operation was asked, what it answered, and what it should not have."""

    answers: dict[str, Counter[int]] = field(default_factory=dict)
    by_phase: Counter[str] = field(default_factory=Counter)
    failures: dict[tuple[str, str, str], Failed] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)

    @property
    def requests(self) -> int:
        return sum(sum(counted.values()) for counted in self.answers.values())

    @property
    def refused(self) -> int:
        """Those without a token that counts."""
        return sum(counted[_UNAUTHENTICATED] for counted in self.answers.values())

    @property
    def phases(self) -> str:
        return ", ".join(f"{count} {name}" for name, count in self.by_phase.most_common())

    def take(self, phase: str, recorder: ScenarioRecorder) -> None:
        for case_id, node in recorder.cases.items():
            interaction = recorder.interactions.get(case_id)
            if interaction is None:
                continue
            status = interaction.response.status_code if interaction.response else 0
            self.answers.setdefault(node.value.operation.label, Counter())[status] += 1
            self.by_phase[phase] += 1
        for failed in _failures(recorder):
            self.failures.setdefault((failed.operation, failed.check, failed.message.partition("\n")[0]), failed)


def _failures(recorder: ScenarioRecorder) -> Iterator[Failed]:
    for case_id, checks in recorder.checks.items():
        for check in checks:
            if check.failure_info:
                label = recorder.cases[case_id].value.operation.label
                failure = check.failure_info.failure
                yield Failed(label, check.name, f"{failure.title}: {failure.message}", check.failure_info.code_sample)


def is_among(operation: str, one_of: int) -> bool:
    """Whether it is in this share of the operations: the same ones each time, of every resource and method."""
    return zlib.crc32(operation.encode()) % one_of == 0


def campaign(
    house: House, tally: Tally, bounds: dict[str, Any], version: ApiVersion = ApiVersion.V1, *, one_of: int = 1
) -> None:
    """One client, all operations or a share of them, positive and negative data, perhaps also through links.

    Afterwards the books must still be in order.
    """
    schema = schemathesis.openapi.from_dict(json.loads(FROZEN[version].read_text()), config=_config(bounds))
    schema = schema.exclude(path=ENDLESS).include(lambda context: is_among(context.operation.label, one_of))
    base = house.server.address + AT[version].removesuffix(API)
    schema.config.update(base_url=base, headers={"Authorization": f"Bearer {house.token}"})
    _spared["token_id"] = house.token_id
    for name, hook in near(house.seeds).items():
        schema.hook(name)(hook)
    for event in from_schema(schema).execute():
        if isinstance(event, events.ScenarioFinished):
            tally.take(event.phase.value, event.recorder)
        elif isinstance(event, events.NonFatalError):
            tally.errors.append(f"{event.label}: {event.info.title}: {event.info.message}")
        elif isinstance(event, events.FatalError):
            raise event.exception
    examined = json.loads(house.terminal.run("doctor", "--json").stdout)
    tally.findings += [finding["sentence"] for finding in examined["findings"]]


def long(seconds: int, seed: int, *, borders: bool) -> dict[str, Any]:
    """By chance, again and again until the time is over; before that, perhaps, at every border of the document."""
    return {"seed": seed, "max-time": seconds, "phases": {"coverage": {"enabled": borders}}}


def short(seed: int) -> dict[str, Any]:
    """The same requests each time, however fast the machine: one or two for each operation, and none through links."""
    phases = {
        "coverage": {"enabled": False},
        "fuzzing": {"generation": {"max-examples": 1}},
        "stateful": {"enabled": False},
    }
    # `test_nobody_gets_in_anywhere` asks every route without a token; asking again here would be half of all requests.
    return {"seed": seed, "phases": phases, "checks": _checks(set(_HELD) - {"ignored_auth"})}


def _checks(names: Iterable[str]) -> dict[str, Any]:
    return {"enabled": False} | {name: {"enabled": True} for name in names}


def _config(bounds: dict[str, Any]) -> SchemathesisConfig:
    return SchemathesisConfig.from_dict({
        "cache": {"enabled": False},
        "request-timeout": ANSWERED_WITHIN_S,
        "continue-on-failure": True,
        "generation": {"mode": "all", "database": "none", "no-shrink": True},
        "checks": _checks(_HELD),
        **bounds,
    })  # fmt: skip
