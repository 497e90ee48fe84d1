"""Finds the endpoint of a path, however the path is spelled. This is as quick for hundreds of endpoints as for a few
(ADR 7)."""

from collections.abc import Callable, Collection, Mapping

from starlette.types import ASGIApp, Receive, Scope, Send

# The segments of a path. None stands for a parameter.
_Segments = tuple[str | None, ...]
_UNKNOWN: tuple[None, dict[int, str], str] = (None, {}, "")
TEMPLATE = "farthing.template"
# Stands for a slash that a path has as `%2F`, within a name, until the path is split into segments.
ENCODED_SLASH = "\uf02f"


class PathRouter:
    """Sends each request to the endpoint of its path.

    `endpoints` are keyed by paths such as `/accounts/{id}`, each beginning with a fixed segment. The path that matched
    is stored in the scope under `TEMPLATE`, with the prefix `shown`. `spell`, if given, converts each segment of a
    request's path to the spelling of the endpoints; the values of path parameters stay as they were sent.
    """

    def __init__(
        self,
        prefix: str,
        endpoints: Mapping[str, ASGIApp],
        otherwise: ASGIApp,
        *,
        shown: str = "",
        spell: Callable[[str], str] | None = None,
    ) -> None:
        self._prefix = f"{prefix}/"
        self._shown = f"{shown}{prefix}/"
        self._spell = spell
        self._otherwise = otherwise
        self._endpoints: dict[_Segments, tuple[ASGIApp, dict[int, str], str]] = {}
        # The positions of parameters, by first segment and number of segments. Paths without parameters come first.
        self._shapes: dict[tuple[str, int], list[frozenset[int]]] = {}
        for path, endpoint in endpoints.items():
            self._enter(path, endpoint)

    def _enter(self, path: str, endpoint: ASGIApp) -> None:
        segments = path.removeprefix("/").split("/")
        names = {position: segment[1:-1] for position, segment in enumerate(segments) if segment.startswith("{")}
        self._endpoints[_mask(segments, names.keys())] = endpoint, names, self._shown + path[1:]
        shapes = self._shapes.setdefault((segments[0], len(segments)), [])
        if names and names.keys() not in shapes:
            shapes.append(frozenset(names))
            shapes.sort(key=len)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        endpoint = self._otherwise
        if scope["type"] == "http" and scope["path"].startswith(self._prefix):
            segments = scope["path"][len(self._prefix) :].split("/")
            endpoint, scope["path_params"], scope[TEMPLATE] = self._find(segments)
        await endpoint(scope, receive, send)

    def _find(self, segments: list[str]) -> tuple[ASGIApp, dict[str, str], str]:
        spelled = [self._spell(segment) for segment in segments] if self._spell else segments
        endpoint, _, template = self._endpoints.get(tuple(spelled), _UNKNOWN)
        if endpoint:
            return endpoint, {}, template
        for positions in self._shapes.get((spelled[0], len(segments)), ()):
            endpoint, names, template = self._endpoints.get(_mask(spelled, positions), _UNKNOWN)
            parameters = {name: segments[position].replace(ENCODED_SLASH, "/") for position, name in names.items()}
            if endpoint and "" not in parameters.values():
                return endpoint, parameters, template
        return self._otherwise, {}, ""


def _mask(segments: list[str], positions: Collection[int]) -> _Segments:
    masked: list[str | None] = [*segments]
    for position in positions:
        masked[position] = None
    return tuple(masked)
