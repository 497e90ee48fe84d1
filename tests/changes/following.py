"""Somebody who keeps a copy of the books: lists everything once, and then follows the feed."""

from typing import Any

from ..conftest import Client

# Sums and days that are computed, and names of other objects: they change without the object.
_COMPUTED = {
    "accounts": {"current_balance", "current_balance_date"},
    "bills": {"attachments_count", "next_expected_match", "paid_dates", "pay_dates", "periods"},
    "budget_limits": {"spent"},
    "budgets": {"spent", "transactions_count"},
    "categories": {"earned", "spent", "transactions_count"},
    "recurrences": {"recurrence_repetitions"},
    "tags": {"earned", "spent", "transactions_count"},
    "transactions": {"source_name", "destination_name", "category_name", "budget_name", "bill_name", "tags"},
}
LISTED = (
    "accounts", "transactions", "bills", "budgets", "budget_limits", "categories", "tags", "piggy_banks",
    "recurrences", "rules", "rule_groups", "attachments", "available_budgets", "preferences", "transaction_links",
)  # fmt: skip
_EVERYTHING = {"start": "2020-01-01", "end": "2030-01-01", "limit": 1000}
Copy = dict[tuple[str, str], dict[str, Any]]


def list_all(client: Client) -> Copy:
    copy: Copy = {}
    for kind in LISTED:
        more = {"type": "all"} if kind == "transactions" else {}
        things = client.get(f"/{kind}", **_EVERYTHING, **more).json()["data"]
        copy |= {(kind, one["id"]): _own(kind, one["attributes"]) for one in things}
    return copy


def _own(kind: str, attributes: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in attributes.items() if name not in _COMPUTED.get(kind, ())}


class Follower:
    def __init__(self, client: Client, **query: Any) -> None:
        self.client, self.query = client, query
        self.cursor = self._ask()["meta"]["cursor"]
        self.copy = list_all(client)

    def _ask(self, **query: Any) -> Any:
        response = self.client.get("/changes/feed", **self.query, **query)
        assert response.status_code == 200, response.text
        return response.json()

    def follow(self) -> list[dict[str, Any]]:
        """Reads everything that is new, applies it to the copy, and returns it."""
        news: list[dict[str, Any]] = []
        more = True
        while more:
            page = self._ask(after=self.cursor, include="objects")
            named = [(item["kind"], item["id"]) for item in page["data"]]
            assert len(named) == len(set(named)), "an object is listed twice on a page"
            news += page["data"]
            self.cursor, more = page["meta"]["cursor"], page["meta"]["more"]
        for item in news:
            key = item["kind"], item["id"]
            if item["action"] == "deleted":
                assert item["object"] is None
                self.copy.pop(key, None)
            elif item["kind"] in LISTED:
                assert (item["object"]["id"], item["object"]["type"]) == (item["id"], item["kind"])
                self.copy[key] = _own(item["kind"], item["object"]["attributes"])
        return news
