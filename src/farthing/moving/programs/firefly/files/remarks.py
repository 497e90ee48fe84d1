"""Collects findings, and keeps their number readable."""

from collections import Counter
from collections.abc import Iterator

from ....findings import Finding, shorten

FINDINGS_MAX = 5_000
EXAMPLES_MAX = 5


class Remarks:
    def __init__(self) -> None:
        self._findings: list[Finding] = []
        self._dropped = 0
        self._counts: Counter[str] = Counter()
        self._examples: dict[str, list[str]] = {}

    def add(self, message: str, *, row: int | None = None, field: str | None = None, rejects: bool = False) -> None:
        if len(self._findings) >= FINDINGS_MAX:
            self._dropped += 1
            return
        self._findings.append(Finding(message=message, row=row, field=field, rejects=rejects))

    def count(self, topic: str, example: str) -> None:
        """Counts similar remarks, which become one finding with their number and a few examples."""
        self._counts[topic] += 1
        examples = self._examples.setdefault(topic, [])
        if len(examples) < EXAMPLES_MAX:
            examples.append(shorten(example))

    def findings(self) -> tuple[Finding, ...]:
        return (*self._findings, *self._summaries())

    def _summaries(self) -> Iterator[Finding]:
        for topic, many in self._counts.items():
            examples = "; ".join(self._examples[topic])
            more = f"; and {many - EXAMPLES_MAX} more" if many > EXAMPLES_MAX else ""
            yield Finding(message=f"{topic} ({many}: {examples}{more})")
        if self._dropped:
            yield Finding(message=f"There are {self._dropped} more findings than can be listed.", rejects=True)
