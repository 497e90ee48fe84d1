"""Writes the metrics page in Prometheus's text format."""

from collections.abc import Mapping
from datetime import datetime
from itertools import accumulate

from msgspec import Struct

from farthing import __version__
from farthing.storage.installation import BACKUP, BACKUP_MADE, BACKUP_VERIFIED, BOOKS, Checkup

from .deliveries import Deliveries
from .meter import BOUNDS, Key, ProcessFigures, RequestCounts
from .presence import Present
from .store import WatchFacts

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_Labels = Mapping[str, str | int]
_CLASSES = ("none", "1xx", "2xx", "3xx", "4xx", "5xx")
_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


class Metric(Struct):
    _lines: list[str]
    _name: str

    def line(self, value: float, labels: _Labels | None = None, suffix: str = "") -> None:
        inside = ",".join(f'{name}="{str(text).translate(_ESCAPES)}"' for name, text in (labels or {}).items())
        number = str(int(value)) if value == int(value) else repr(value)
        self._lines.append(f"{self._name}{suffix}{f'{{{inside}}}' if inside else ''} {number}")


class MetricsPage(Struct):
    lines: list[str] = []

    def add(self, name: str, kind: str, about: str) -> Metric:
        self.lines += [f"# HELP farthing_{name} {about}", f"# TYPE farthing_{name} {kind}"]
        return Metric(self.lines, f"farthing_{name}")

    def gauge(self, name: str, about: str, value: float) -> None:
        self.add(name, "gauge", about).line(value)


def page(
    counted: Mapping[Key, RequestCounts],
    present: Present,
    processes: ProcessFigures,
    facts: WatchFacts | None,
    dialect: str,
) -> str:
    """Writes all metrics. If the database does not answer, `facts` is None, and metrics from it are omitted."""
    written = MetricsPage()
    _requests(written, counted)
    written.gauge("workers", "Server processes that are alive.", present.workers)
    written.gauge("job_process_up", "1 if the job process is alive, else 0.", int(present.has_jobs))
    written.gauge("listeners", "Clients that listen to changes.", processes.listeners)
    memory = written.add("memory_bytes", "gauge", "Memory of the workers and of the job process.")
    for task, size in processes.memory.items():
        memory.line(size, {"process": task})
    written.gauge("database_up", "1 if the database answers, else 0.", int(facts is not None))
    info = {"version": __version__, "schema": facts.schema if facts else "", "database": dialect}
    written.add("info", "gauge", "The version, schema and database of this server; always 1.").line(1, info)
    if facts:
        _waiting(written, facts)
        _deliveries(written, facts.deliveries)
        _checkups(written, facts.checkups)
    return "\n".join([*written.lines, ""])


def _requests(written: MetricsPage, counted: Mapping[Key, RequestCounts]) -> None:
    total = written.add("requests_total", "counter", "Requests, by method, route and class of the status.")
    for (method, route), counts in counted.items():
        for name, number in zip(_CLASSES, counts.statuses, strict=True):
            if number:
                total.line(number, {"method": method, "route": route, "status": name})
    took = written.add(
        "request_duration_seconds", "histogram", "How long requests took, measured from their first byte."
    )
    for (method, route), counts in counted.items():
        _histogram(took, {"method": method, "route": route}, counts)


def _histogram(took: Metric, labels: _Labels, counts: RequestCounts) -> None:
    for bound, number in zip((*BOUNDS, "+Inf"), accumulate(counts.buckets), strict=True):
        took.line(number, {**labels, "le": str(bound)}, "_bucket")
    took.line(counts.microseconds / 1_000_000, labels, "_sum")
    took.line(sum(counts.buckets), labels, "_count")


def _waiting(written: MetricsPage, facts: WatchFacts) -> None:
    waiting = facts.waiting
    jobs = written.add("jobs_waiting", "gauge", "Unfinished jobs, by kind.")
    for kind, number in sorted(waiting.jobs.items()):
        jobs.line(number, {"kind": kind})
    written.gauge("recurrences_due", "Recurrences that are due and have not fired.", waiting.recurrences)
    written.gauge(
        "recurrences_failing", "Recurrences that cannot fire; each states the reason.", waiting.failing_recurrences
    )
    written.gauge("jobs_failed", "Jobs that failed for good in the last 30 days.", waiting.failed_jobs)
    written.gauge("job_lag_seconds", "How late the oldest waiting job or due recurrence is.", waiting.lag_s)
    lags = written.add("job_kind_lag_seconds", "gauge", "How late the oldest waiting job is, by kind.")
    for kind, lag_s in sorted(waiting.lags_s.items()):
        lags.line(lag_s, {"kind": kind})


def _deliveries(written: MetricsPage, deliveries: Deliveries) -> None:
    waiting = written.add("deliveries_waiting", "gauge", "Notices and messages of webhooks to be sent, by channel.")
    for channel, number in sorted(deliveries.waiting.items()):
        waiting.line(number, {"channel": channel})
    lags = written.add("delivery_lag_seconds", "gauge", "How late the oldest of them is, by channel.")
    for channel, lag_s in sorted(deliveries.lags_s.items()):
        lags.line(lag_s, {"channel": channel})
    settled = written.add("deliveries_last_day", "gauge", "What was sent in the last 24 hours, and what failed.")
    for figures in sorted(deliveries.settled, key=lambda one: one.channel):
        settled.line(figures.sent, {"channel": figures.channel, "outcome": "sent"})
        settled.line(figures.failed, {"channel": figures.channel, "outcome": "failed"})
    written.gauge("webhooks_paused", "Webhooks whose receiver failed for three days.", deliveries.paused)


_CHECKUPS = (
    (BOOKS, "integrity", ("last_timestamp_seconds", "problems", "the books were last examined")),
    (BACKUP, "backup", ("last_attempt_timestamp_seconds", "last_failed", "a backup was last tried")),
    (BACKUP_MADE, "backup", ("last_success_timestamp_seconds", "", "a backup was last made")),
    (
        BACKUP_VERIFIED,
        "backup",
        ("last_verified_timestamp_seconds", "last_verified_problems", "a backup was last verified"),
    ),
)


def _checkups(written: MetricsPage, checkups: Mapping[str, Checkup]) -> None:
    """Writes when each checkup was last made. Omits those that were never made; alerts can test for their absence."""
    for name, prefix, (when, how, words) in _CHECKUPS:
        if checkup := checkups.get(name):
            moment = datetime.fromisoformat(checkup.at).timestamp()
            written.gauge(f"{prefix}_{when}", f"When {words}, in seconds since 1970.", moment)
            if how:
                written.gauge(f"{prefix}_{how}", f"Problems found when {words}.", checkup.problems)
