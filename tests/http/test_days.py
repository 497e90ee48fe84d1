"""Which days does a query know? `start`, `end` and `date`, at every address that is read, whatever depends on them."""

import pytest

from .doors import DOORS, LATER, make_for
from .makers import address, one_of, resource

# Not there until there was one of them: what only the owner sees, what a long run did or found, fetched rates. And a
# stream, which does not end.
ELSEWHERE = ("users", "dry_run", "/run", "matching/{id}", "published_rates", "/events")
READ = [
    door
    for door in DOORS
    if door.method == "GET" and door.route.is_of_books and not any(word in door.path for word in ELSEWHERE)
    if LATER.isdisjoint(door.named.values())
]


# Searches of version 6 ask for these before they look at anything else.
NEEDED = "&query=a&description=a"


@pytest.mark.any_database
@pytest.mark.parametrize("door", READ, ids=str)
def test_a_day_must_be_a_day_everywhere_and_all_are_looked_at(door, me):
    needed = NEEDED if "/v6/" in door.path and "/search/" in door.path else ""

    response = me.request("GET", f"{door.address(make_for(door, me))}?start=2024-02-30&end=soon&date=12{needed}")

    assert response.status_code == 422
    assert {"start", "end", "date"} <= response.json()["errors"].keys()


@pytest.mark.any_database
@pytest.mark.parametrize("path", ["/recurrences", "/attachments", "/preferences", "/bills"])
@pytest.mark.parametrize(("start", "end"), [("2024-02-02", "2024-02-01"), ("2000-01-01", "2020-01-02")])
def test_a_range_must_be_one(me, path, start, end):
    assert me.get(path, start=start, end=end, date="never").json()["errors"].keys() == {"start", "end", "date"}


# They have a usual range, and those that change what matches have none: half a range is not what anybody meant.
WHOLE_RANGES = (
    ("GET", "/dashboard"),
    ("GET", "/upcoming"),
    ("GET", "/chart/net_worth"),
    ("GET", "/chart/cash_flow"),
    ("GET", "/reports/income_expense"),
    ("GET", "/categories/{id}/months"),
    ("GET", "/recurrences/{id}/occurrences"),
    ("GET", "/transactions/matching"),
    ("PUT", "/transactions/matching"),
    ("DELETE", "/transactions/matching"),
)


@pytest.mark.parametrize(("sent", "missing"), [("start", "end"), ("end", "start")])
def test_half_a_range_is_refused_by_what_has_a_usual_one_or_changes_all_that_match(me, sent, missing):
    for method, path in WHOLE_RANGES:
        made = one_of(resource(path), me) if "{" in path else ""
        filters = "&query=milk&expected=0" if "matching" in path else ""

        answer = me.request(method, f"{address(path, made)}?{sent}=2024-05-01{filters}")

        assert answer.status_code == 422, f"{method} {path}"
        assert answer.json()["errors"] == {missing: [f"The {missing} field is required when {sent} is given."]}


@pytest.mark.parametrize("path", ["/recurrences", "/attachments", "/preferences/language", "/about"])
def test_good_days_and_empty_ones_do_no_harm(me, path):
    assert me.get(path, start="2024-01-01", end="2024-01-31", date="2024-01-05").status_code == 200
    assert me.get(path, start="", end="", date="").status_code == 200


@pytest.mark.parametrize("path", ["/recurrences/99", "/attachments/99", "/available_budgets/99", "/bills/99"])
def test_what_is_not_there_is_not_there_whatever_the_day(me, path):
    assert me.get(path, date="never").status_code == 404


@pytest.mark.parametrize("path", ["/recurrences", "/attachments", "/piggy_banks"])
def test_the_pages_of_a_list_carry_the_days(me, path):
    links = me.get(path, date="2024-01-05", end="2024-01-31", start="2024-01-01").json()["links"]

    assert links["self"].endswith(f"{path}?start=2024-01-01&end=2024-01-31&date=2024-01-05&page=1")


def test_a_write_does_not_look_at_the_query(me):
    bill = one_of("bills", me)
    attachment = me.post("/attachments?date=never", {"filename": "a", "model": "Bill", "model_id": bill})

    assert attachment.status_code == 200
    assert me.delete(f"/bills/{bill}?date=never").status_code == 204
