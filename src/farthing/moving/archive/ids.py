"""Maps the ids of an archive to the ids here."""

from array import array

from .consistency import KnownIds


class IdMap:
    """Maps the ids of the archive, in order, to their new ids; needs sixteen bytes each."""

    def __init__(self) -> None:
        self._old = KnownIds()
        self._new = array("q")

    def add(self, old: int, new: int) -> None:
        self._old.add(old)
        self._new.append(new)

    def __getitem__(self, old: int) -> int:
        index = self._old.place(old)
        assert index is not None, "references were checked"
        return self._new[index]

    def get(self, old: int) -> int | None:
        index = self._old.place(old)
        return None if index is None else self._new[index]
