"""Finds the endpoint of a path, however the path is spelled. This is as quick for hundreds of endpoints as for a few
(ADR 7)."""

from collections.abc import Callable, Collection, Mapping

from starlette.types import ASGIApp, Receive, Scope, Send

# The words of a path. None stands for a parameter.
_Words = tuple[str | None, ...]
_UNKNOWN: tuple[None, dict[int, str], str] = (None, {}, "")
TEMPLATE = "farthing.template"
# Stands for a slash that a path has as `%2F`, within a name, until the words of the path are separated.
ENCODED_SLASH = "\uf02f"


class PathRouter:
    """Sends each request to the endpoint of its path.

    `endpoints` are keyed by paths such as `/accounts/{id}`, each beginning with a fixed word. The template that matched
    is stored in the scope, under `TEMPLATE`; it begins with `shown`. `spell` writes a word of a path as the endpoints
    do, but the values of parameters stay as they were sent.
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
        self._endpoints: dict[_Words, tuple[ASGIApp, dict[int, str], str]] = {}
        # The positions of parameters, by first word and number of words. A path without parameters is looked up first.
        self._shapes: dict[tuple[str, int], list[frozenset[int]]] = {}
        for path, endpoint in endpoints.items():
            self._enter(path, endpoint)

    def _enter(self, path: str, endpoint: ASGIApp) -> None:
        words = path.removeprefix("/").split("/")
        names = {position: word[1:-1] for position, word in enumerate(words) if word.startswith("{")}
        self._endpoints[_mask(words, names.keys())] = endpoint, names, self._shown + path[1:]
        shapes = self._shapes.setdefault((words[0], len(words)), [])
        if names and names.keys() not in shapes:
            shapes.append(frozenset(names))
            shapes.sort(key=len)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        endpoint = self._otherwise
        if scope["type"] == "http" and scope["path"].startswith(self._prefix):
            words = scope["path"][len(self._prefix) :].split("/")
            endpoint, scope["path_params"], scope[TEMPLATE] = self._find(words)
        await endpoint(scope, receive, send)

    def _find(self, words: list[str]) -> tuple[ASGIApp, dict[str, str], str]:
        spelled = [self._spell(word) for word in words] if self._spell else words
        endpoint, _, template = self._endpoints.get(tuple(spelled), _UNKNOWN)
        if endpoint:
            return endpoint, {}, template
        for positions in self._shapes.get((spelled[0], len(words)), ()):
            endpoint, names, template = self._endpoints.get(_mask(spelled, positions), _UNKNOWN)
            parameters = {name: words[position].replace(ENCODED_SLASH, "/") for position, name in names.items()}
            if endpoint and "" not in parameters.values():
                return endpoint, parameters, template
        return self._otherwise, {}, ""


def _mask(words: list[str], positions: Collection[int]) -> _Words:
    masked: list[str | None] = [*words]
    for position in positions:
        masked[position] = None
    return tuple(masked)
