"""Finds the endpoint of a path by dictionary lookup, as quickly among hundreds of paths as among a few (ADR 7)."""

from collections.abc import Collection, Mapping

from starlette.types import ASGIApp, Receive, Scope, Send

# The words of an address; None stands where any word may stand.
_Words = tuple[str | None, ...]
_UNKNOWN: tuple[None, dict[int, str], str] = (None, {}, "")
TEMPLATE = "farthing.template"


class Directory:
    """`endpoints` are keyed by paths such as `/accounts/{id}`, each beginning with a word of its own.

    The path that matched is stored in the scope, under `TEMPLATE`.
    """

    def __init__(self, prefix: str, endpoints: Mapping[str, ASGIApp], otherwise: ASGIApp) -> None:
        self._prefix = f"{prefix}/"
        self._otherwise = otherwise
        self._known: dict[_Words, tuple[ASGIApp, dict[int, str], str]] = {}
        # By first word and number of words: where names may stand. An address without any is looked up first.
        self._shapes: dict[tuple[str, int], list[frozenset[int]]] = {}
        for path, endpoint in endpoints.items():
            self._enter(path, endpoint)

    def _enter(self, path: str, endpoint: ASGIApp) -> None:
        words = path.removeprefix("/").split("/")
        names = {at: word[1:-1] for at, word in enumerate(words) if word.startswith("{")}
        self._known[_masked(words, names.keys())] = endpoint, names, self._prefix + path[1:]
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
        endpoint, _, template = self._known.get(tuple(words), _UNKNOWN)
        if endpoint:
            return endpoint, {}, template
        for names_at in self._shapes.get((words[0], len(words)), ()):
            endpoint, names, template = self._known.get(_masked(words, names_at), _UNKNOWN)
            meant = {name: words[at] for at, name in names.items()}
            if endpoint and "" not in meant.values():
                return endpoint, meant, template
        return self._otherwise, {}, ""


def _masked(words: list[str], names_at: Collection[int]) -> _Words:
    masked: list[str | None] = [*words]
    for at in names_at:
        masked[at] = None
    return tuple(masked)
