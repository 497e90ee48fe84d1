"""Charts say what the books say: each point is held against the account, or the transactions, of that day."""

from decimal import Decimal

import pytest

from farthing.ledger.kinds import Kind
from farthing.overviews.charts import model

from ..accounts.making import asset, errors, made, shown
from ..changes.test_undo import undone
from ..conftest import NOW
from ..transactions.making import deposit, findings, held, listed, posted, split, transfer, withdrawal
from .making import asked, some_books

RANGES = [("2024-05-01", "2024-05-31"), ("2023-02-10", "2024-06-20"), ("2023-12-31", "2023-12-31")]
PERIODS = ["month", "quarter", "year"]


@pytest.fixture(scope="module")
def kept(shared_world):
    """Somebody whose books are there already, and the ids of their accounts; tests only look."""
    shared_world.time.now = NOW
    client = shared_world.someone()
    return client, some_books(client)


def overview(client, **query):
    return asked(client, "/chart/account/overview", **query)


class TestBalances:
    @pytest.mark.parametrize("period", ["week", *PERIODS])
    @pytest.mark.parametrize(("start", "end"), [RANGES[0], ("2023-06-10", "2024-06-20"), RANGES[2]])
    def test_each_point_is_the_closing_balance_of_that_day(self, kept, start, end, period):
        me, ids = kept

        lines = overview(me, start=start, end=end, period=period, ids=",".join(ids.values()))

        assert [line["account_id"] for line in lines] == list(map(int, ids.values()))
        for line in lines:
            for day, balance in line["entries"].items():
                assert balance == shown(me, str(line["account_id"]), date=day)["current_balance"], (line["label"], day)
            assert list(line["entries"])[-1] == end

    def test_a_chart_can_be_daily_and_in_the_shape_that_clients_know(self, me):
        account_id = made(me, asset(opening_balance="10.50", opening_balance_date="2024-05-02"))
        posted(me, withdrawal(account_id, "0.25", date="2024-05-04"))

        assert overview(me, start="2024-05-01", end="2024-05-04") == [
            {
                "label": "Checking",
                "account_id": int(account_id),
                "currency_id": 1,
                "currency_code": "EUR",
                "currency_symbol": "€",
                "currency_decimal_places": 2,
                "type": "line",
                "yAxisID": 0,
                "entries": {
                    "2024-05-01": 0,
                    "2024-05-02": Decimal("10.5"),
                    "2024-05-03": Decimal("10.5"),
                    "2024-05-04": Decimal("10.25"),
                },
            }
        ]

    def test_a_chart_is_plain_json(self, me):
        answer = me.get("/chart/account/overview", start="2024-05-01", end="2024-05-04")

        assert answer.headers["content-type"] == "application/json"
        assert answer.json() == []

    def test_accounts_default_to_the_front_page_or_all_active_assets(self, me):
        ids = {name: made(me, asset(name=name, active=name != "Old")) for name in ("B", "A", "Old")}
        days = {"start": "2024-05-01", "end": "2024-05-02"}
        assert [one["label"] for one in overview(me, **days)] == ["A", "B"]

        me.put("/preferences/frontPageAccounts", {"data": [int(ids["Old"]), int(ids["B"])]})

        assert [one["label"] for one in overview(me, **days)] == ["Old", "B"]

    def test_accounts_of_other_users_are_refused(self, me, someone_else):
        theirs = made(someone_else, asset())

        answer = me.get("/chart/account/overview", start="2024-05-01", end="2024-05-04", ids=theirs)

        assert errors(answer) == {"ids": [f"The selected ids are invalid: there is no account {theirs}."]}

    @pytest.mark.any_database
    @pytest.mark.parametrize("ids", ["x", "1,,b", "1;2", "9" * 19, ",".join(map(str, range(1, 102)))])
    def test_invalid_ids_are_refused(self, me, ids):
        assert list(errors(me.get("/chart/account/overview", start="2024-05-01", end="2024-05-04", ids=ids))) == ["ids"]

    def test_both_days_are_needed(self, me):
        assert errors(me.get("/chart/account/overview")) == {
            "start": ["The start field is required."],
            "end": ["The end field is required."],
        }
        assert list(errors(me.get("/chart/account/overview", start="2024-05-01"))) == ["end"]
        assert list(errors(me.get("/chart/account/overview", start="x", end="y"))) == ["start", "end"]


class TestBounds:
    def test_the_finest_period_that_fits_is_chosen(self, me):
        cut = {
            end: asked(me, "/chart/net_worth", start="2004-01-01", end=end)["meta"]["period"]
            for end in ("2005-02-03", "2005-02-04", "2023-12-31")
        }
        assert cut == {"2005-02-03": "day", "2005-02-04": "month", "2023-12-31": "month"}

    def test_more_accounts_mean_a_coarser_period(self, me, monkeypatch):
        monkeypatch.setattr(model, "FIGURES_MAX", 8)
        for number in range(2):
            made(me, asset(name=f"Account {number}"))

        lines = overview(me, start="2024-05-01", end="2024-05-26")

        assert [list(line["entries"]) for line in lines] == [
            ["2024-05-05", "2024-05-12", "2024-05-19", "2024-05-26"]
        ] * 2

    @pytest.mark.any_database
    @pytest.mark.parametrize("path", ["/chart/net_worth", "/chart/cash_flow", "/chart/account/overview"])
    def test_too_fine_and_unknown_periods_are_refused(self, me, path):
        days = {"start": "2020-01-01", "end": "2024-12-31"}
        for period in ("day", "week", "fortnight"):
            assert list(errors(me.get(path, **days, period=period))) == ["period"]


class TestNetWorth:
    def worth(self, client, **query):
        data = asked(client, "/chart/net_worth", **query)["data"]
        return {line["currency_code"]: {one["date"]: one["amount"] for one in line["entries"]} for line in data}

    @pytest.mark.parametrize("period", PERIODS)
    @pytest.mark.parametrize(("start", "end"), RANGES)
    def test_net_worth_equals_what_the_accounts_hold(self, kept, start, end, period):
        me, ids = kept
        counted = [ids[name] for name in ("Checking", "Savings", "Loan")]

        worth = self.worth(me, start=start, end=end, period=period)

        for day, amount in worth["EUR"].items():
            own = sum(shown(me, one, date=day)["current_balance"] for one in counted) - 7
            assert amount == own + self.euros_among(me, ids["Dollars"], day), day
        for day, amount in worth["USD"].items():
            assert amount == shown(me, ids["Dollars"], date=day)["current_balance"] + 0, day

    @pytest.mark.parametrize("period", ["month", "year"])
    def test_the_report_adds_up_to_the_chart_in_every_currency(self, kept, period):
        me, _ = kept
        range_ = {"start": "2023-01-01", "end": "2024-12-31", "period": period}

        report = asked(me, "/reports/net_worth", **range_)

        days = [part["end"] for part in report["meta"]["parts"]]
        totals = {line["currency_code"]: dict(zip(days, line["total"], strict=True)) for line in report["data"]}
        assert totals == self.worth(me, **range_)
        assert len(totals) > 1
        assert "Secret" not in {account["name"] for line in report["data"] for account in line["accounts"]}

    def euros_among(self, client, dollars, day):
        """What an account in dollars holds in euros, because nobody said what it was in dollars."""
        booked = listed(client, f"/accounts/{dollars}/transactions", limit=1000, start="2010-01-01", end=day)
        signs = {"Withdrawal": 1, "Deposit": 1}
        return sum(
            one["attributes"]["amount"] * signs.get(one["attributes"]["type"], 1)
            for one in booked
            if one["attributes"]["foreign_currency_code"] is None
        )

    def test_the_last_point_equals_the_stored_sum(self, world, me):
        some_books(me, seed=3)

        worth = self.worth(me, start="2024-01-01", end="2024-12-31", period="year")

        of_liabilities, of_assets = held(world, me, Kind.LOAN.value), held(world, me, Kind.ASSET.value)
        secret = next(one for one in listed(me, "/accounts") if one["attributes"]["name"] == "Secret")
        secret_units = int(shown(me, secret["id"], date="2024-12-31")["current_balance"] * 100)
        euros = of_assets["EUR"] + of_liabilities["EUR"] - secret_units
        assert worth["EUR"]["2024-12-31"] * 100 == euros

    def test_the_range_defaults_to_the_year_up_to_today(self, me):
        meta = asked(me, "/chart/net_worth")["meta"]

        assert meta == {"start": "2023-05-16", "end": "2024-05-15", "period": "day"}

    def test_figures_of_other_users_are_left_out(self, kept, someone_else):
        assert asked(kept[0], "/chart/net_worth")["data"] != []
        assert asked(someone_else, "/chart/net_worth")["data"] == []

    def test_an_account_that_no_longer_counts_leaves_the_net_worth_until_that_is_undone(self, world, me):
        ids, years = some_books(me), {"start": "2023-01-01", "end": "2024-12-31"}
        before = self.worth(me, **years)

        body = asset(virtual_balance="7", opening_balance="100", opening_balance_date="2023-01-05")
        assert me.put(f"/accounts/{ids['Checking']}", body | {"include_net_worth": False}).status_code == 200
        without = self.worth(me, **years)
        assert (without != before, findings(world, me)) == (True, [])

        for expected in (before, without):  # undone, and done again
            undone(me)
            assert (self.worth(me, **years), findings(world, me)) == (expected, [])

    def test_every_currency_has_the_same_days(self, kept):
        worth = self.worth(kept[0], start="2023-01-01", end="2023-06-30", period="month")

        assert len(worth) == 2
        assert list(worth["EUR"]) == list(worth["USD"]) == [
            "2023-01-31", "2023-02-28", "2023-03-31", "2023-04-30", "2023-05-31", "2023-06-30",
        ]  # fmt: skip


class TestCashFlow:
    def flows(self, client, **query):
        return asked(client, "/chart/cash_flow", **query)

    @pytest.mark.parametrize("period", ["day", "week", *PERIODS])
    @pytest.mark.parametrize(("start", "end"), [RANGES[0], ("2023-06-10", "2024-06-20"), RANGES[2]])
    def test_flows_equal_the_sum_of_the_transactions(self, kept, start, end, period):
        me, _ = kept
        everything = listed(me, limit=1000, start=start, end=end)

        chart = self.flows(me, start=start, end=end, period=period)

        for line in chart["data"]:
            ends = [(one["start"], one["end"]) for one in line["entries"]]
            assert (ends[0][0], ends[-1][1]) == (start, end)
            for one in line["entries"]:
                for word, label in (("spent", "Withdrawal"), ("earned", "Deposit")):
                    wanted = sum(_moved(x["attributes"], line["currency_code"], label, one) for x in everything)
                    assert one[word] == wanted, (word, one)

    def test_cash_flows_are_split_by_period_and_shown_as_positive_amounts(self, me):
        account_id = made(me, asset())
        other = made(me, asset(name="Savings"))
        posted(me, withdrawal(account_id, "2.50", date="2024-04-30"))
        posted(me, deposit(account_id, "40", date="2024-05-01"))
        posted(me, transfer(account_id, other, "9", date="2024-05-01"))

        [line] = self.flows(me, start="2024-04-15", end="2024-05-15", period="month")["data"]

        assert line["entries"] == [
            {"start": "2024-04-15", "end": "2024-04-30", "spent": Decimal("2.5"), "earned": 0},
            {"start": "2024-05-01", "end": "2024-05-15", "spent": 0, "earned": 40},
        ]


def _moved(transaction, code, label, part):
    """A withdrawal counts as it left its account, a deposit as it reached it: in dollars where those were told."""
    if transaction["type"] != label or not part["start"] <= transaction["date"] <= part["end"]:
        return 0
    own = transaction["source_name" if label == "Withdrawal" else "destination_name"]
    foreign = own == "Dollars" and transaction["foreign_currency_code"]
    currency = transaction["foreign_currency_code"] if foreign else transaction["currency_code"]
    amount = transaction["foreign_amount"] if foreign else transaction["amount"]
    return abs(amount) if currency == code else 0


def test_a_chart_is_unchanged_until_something_is_booked(me):
    account_id = made(me, asset())
    for path in ("/chart/net_worth", "/chart/cash_flow", "/chart/account/overview?start=2024-05-01&end=2024-05-31"):
        tag = me.request("GET", path).headers["etag"]
        assert me.request("GET", path, headers={"If-None-Match": tag}).status_code == 304
        posted(me, withdrawal(account_id, date="2024-05-10", transactions=[split(source_id=account_id)]))
        assert me.request("GET", path, headers={"If-None-Match": tag}).status_code == 200
