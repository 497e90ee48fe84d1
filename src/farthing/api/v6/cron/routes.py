"""Answers callers with the cron token. The job process does all this work by itself, so nothing is left to do."""

from hmac import compare_digest

from msgspec import Struct

from farthing.http.request.call import Answer, Call
from farthing.http.route import FLAG_SCHEMA, Before, Gate, Mode, Parameter, Route, Runs
from farthing.identity.signing_in.attempts import count_attempt, forgive_attempt
from farthing.kernel.errors import NotFound, TooMany


class CronResultRow(Struct, gc=False):
    job_fired: bool | None
    job_succeeded: bool | None
    job_errored: bool | None
    message: str | None


class CronResult(Struct, gc=False):
    """Says for each job that nothing was done by this request."""

    recurring_transactions: CronResultRow
    auto_budgets: CronResultRow
    telemetry: CronResultRow


_WORDS = {
    "recurring_transactions": "The job process books recurring transactions on their days.",
    "auto_budgets": "The job process makes the limits of automatic budgets on their days.",
    "telemetry": "This server sends no telemetry.",
}


def run(call: Call) -> Answer:
    if not call.prepared:
        raise NotFound("Resource not found")
    forgive_attempt(call.db, call.visitor.origin, None, call.now)
    rows = {name: CronResultRow(False, False, False, sentence) for name, sentence in _WORDS.items()}
    return Answer(CronResult(**rows), media_type="application/json")


def check(call: Call) -> bool:
    """Checks the token. Limits the number of attempts, as at sign-in, unless no token is configured."""
    call.days()
    secret = call.settings.cron_token
    if secret is None:
        return False
    count_attempt(call.db, call.visitor.origin, None, call.now)
    return compare_digest(call.path["cliToken"].encode(), secret.get_secret_value().encode())


_TOKEN = Parameter("cliToken", {"type": "string"}, "The value of the setting `FARTHING_CRON_TOKEN`.")
_DATE = Parameter("date", {"type": "string", "format": "date"}, "Has no effect.")
_FORCE = Parameter("force", FLAG_SCHEMA, "Has no effect.")
ROUTES = (
    Route(
        "GET", "/cron/{cliToken}", run, "Ask for the regular jobs, which run by themselves",
        gives=CronResult, parameters=(_TOKEN, _DATE, _FORCE), gate=Gate.OPEN,
        runs=Runs(mode=Mode.WRITE, before=Before(ask=check)), fails=(TooMany,),
    ),
)  # fmt: skip
