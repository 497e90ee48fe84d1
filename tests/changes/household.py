"""A household that does anything at all, by chance: every noun is made, changed, merged and deleted, and days pass."""

from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

from ..accounts.making import asset, expense
from ..bills.making import a_bill
from ..conftest import Client, World
from ..currencies.making import made as a_currency
from ..recurrences.making import a_recurrence, a_repetition, a_split
from ..rules.making import a_rule
from ..transactions.making import a_transaction, split
from ..users.people import an_owner

NAMES = ("Alpha", "Beta", "Gamma", "Delta", "Rent")
TEXTS = ("Rent to the landlord", "Gym membership", "Bread", "Bicycle")
KINDS = ("withdrawal", "deposit", "transfer")
_FIRST_DAY = "2024-05-"


def _accept(*_answer: Any) -> None:
    pass


class Household:
    def __init__(self, world: World, seed: int) -> None:
        self.world, self.chance = world, Random(seed)
        self.me: Client = world.someone()
        self.owner: Client = an_owner(world)
        self.me.check = self.owner.check = _accept  # other tests hold the answers against the OpenAPI document
        self.done: list[str] = []
        for number in range(3):
            opening = {"opening_balance": "500", "opening_balance_date": "2024-01-01"}
            self.send("POST", "/accounts", asset(name=f"Own {number}", **opening))
        self.acts: list[Callable[[], Any]] = [
            *4 * [self.book], *3 * [self.change_transaction], self.remove_transaction, self.change_many, self.book_many,
            self.open_account, *2 * [self.change_account], self.close_account, self.merge_payee,
            *3 * [self.make_label], *3 * [self.change_label], *2 * [self.remove_label], *2 * [self.merge_label],
            self.make_limit, self.remove_limit, self.move_money,
            *2 * [self.make_bill], *2 * [self.change_bill], self.remove_bill,
            *3 * [self.make_recurrence], *3 * [self.change_recurrence], self.remove_recurrence, self.change_day,
            self.fire, *3 * [self.let_days_pass],
            *2 * [self.make_rule], *2 * [self.change_rule], self.remove_rule, self.make_group, self.change_group,
            self.remove_group, *2 * [self.make_pot], *3 * [self.change_pot], self.remove_pot, *2 * [self.save],
            self.prefer, self.prefer_currency, self.make_available, self.reconcile,
        ]  # fmt: skip

    def furnish(self) -> None:
        """So that most of what is chosen later is there."""
        for make in (
            self.make_group, *3 * [self.make_label], self.make_limit, self.make_bill, self.make_recurrence,
            *2 * [self.make_rule], self.make_pot, *3 * [self.book],
        ):  # fmt: skip
            make()

    def act(self) -> None:
        """The server may refuse it."""
        self.chance.choice(self.acts)()

    def send(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        response = self.me.request(method, path, json=body, params=query)
        self.note(response, body, query)
        return response

    def note(self, response: Any, body: Any = None, query: Any = None) -> None:
        path = response.request.url.path.removeprefix("/api/v1")
        line = f"{response.status_code} {response.request.method} {path} {body or ''} {query or ''}"
        self.done.append(line.rstrip())
        assert response.status_code < 500, response.text

    def list_all(self, path: str, **query: Any) -> list[dict[str, Any]]:
        data: list[dict[str, Any]] = self.me.get(path, limit=1000, **query).json()["data"]
        return data

    def choose(self, path: str, **query: Any) -> dict[str, Any]:
        """One of them, or one that is not there."""
        return self.chance.choice(self.list_all(path, **query) or [{"id": "0", "attributes": {}}])

    def choose_address(self, path: str) -> str:
        return f"{path}/{self.choose(path)['id']}"

    def choose_own(self) -> str:
        return str(self.choose("/accounts", type="asset")["id"])

    def choose_two(self, path: str, **query: Any) -> list[str]:
        """The ids of two of them, different ones if there are."""
        ids = [str(thing["id"]) for thing in self.list_all(path, **query)]
        return self.chance.sample(ids, 2) if len(ids) > 1 else ["0", *ids, "0"][-2:]

    def choose_name(self) -> str:
        return self.chance.choice(NAMES)

    def maybe(self, **fields: Any) -> dict[str, Any]:
        return {key: value for key, value in fields.items() if self.chance.random() < 0.5 and value != "0"}

    # Money

    def make_transaction(self, kind: str | None = None) -> dict[str, Any]:
        kind = kind or self.chance.choice(("withdrawal", "withdrawal", "deposit", "transfer"))
        splits = []
        source, destination = self.choose_two("/accounts", type="asset")
        for number in range(self.chance.choice((1, 1, 1, 2))):
            sides = {
                "withdrawal": {"source_id": source, "destination_name": self.chance.choice(("Shop", "Gym Ltd"))},
                "deposit": {"destination_id": destination, "source_name": "Work"},
                "transfer": {"source_id": source, "destination_id": destination},
            }[kind]
            more = self.maybe(category_name=self.choose_name()) | {"description": f"part {number}"}
            more |= self.maybe(budget_name=self.choose_name()) if kind == "withdrawal" else {}
            abroad = self.chance.random() < 0.2
            more |= {"foreign_amount": "11", "foreign_currency_code": "USD"} if abroad else {}
            splits.append(split(amount=self.chance.choice(("10", "800", "25.45")), **sides, **more))
        day = f"{_FIRST_DAY}{self.chance.randint(1, 14):02}"
        more = self.maybe(tags=[self.choose_name(), self.choose_name()][: self.chance.randint(1, 2)], notes="A note")
        return a_transaction(kind, *splits, date=day, description=self.chance.choice(TEXTS), **more)

    def book(self) -> None:
        self.send("POST", "/transactions", self.make_transaction())

    def book_many(self) -> None:
        self.send("POST", "/transactions/bulk", {"transactions": [self.make_transaction() for _ in range(3)]})

    def change_transaction(self) -> None:
        kept = self.choose("/transactions")
        kind = kept["attributes"].get("type", "").lower() or None
        self.send("PUT", f"/transactions/{kept['id']}", self.make_transaction(kind if kind in KINDS else None))

    def remove_transaction(self) -> None:
        self.send("DELETE", self.choose_address("/transactions"))

    def change_many(self) -> None:
        ids = [self.choose("/transactions")["id"] for _ in range(3)]
        body = self.maybe(category_name=self.choose_name(), add_tags=[self.choose_name()]) or {
            "remove_tags": [self.choose_name()]
        }
        self.send("PUT", "/transactions/bulk", {"ids": ids, **body})

    def open_account(self) -> None:
        kind = self.chance.choice((asset, expense))
        self.send("POST", "/accounts", kind(name=self.choose_name(), **self.maybe(account_number="123")))

    def change_account(self) -> None:
        kept = self.choose("/accounts", type="asset")
        more = self.maybe(
            currency_code=self.chance.choice(("EUR", "USD")), include_net_worth=False, account_number="123",
        )  # fmt: skip
        more |= self.chance.choice(({}, {"opening_balance": "20", "opening_balance_date": "2024-02-01"}))
        self.send("PUT", f"/accounts/{kept['id']}", asset(name=self.choose_name(), **more))

    def close_account(self) -> None:
        if len(self.list_all("/accounts", type="asset")) > 2:
            self.send("DELETE", f"/accounts/{self.choose_own()}")

    def merge_payee(self) -> None:
        one, other = self.choose_two("/accounts", type="expense")
        self.send("POST", f"/accounts/{one}/merge", {"into_id": other})

    def reconcile(self) -> None:
        account = self.choose_own()
        body = {"date": "2024-05-14", "statement_balance": "100", "transactions": [], "book_difference": True}
        self.send("POST", f"/accounts/{account}/reconcile", body)

    # Labels

    def _label(self) -> tuple[str, dict[str, Any]]:
        path = self.chance.choice(("/categories", "/budgets", "/tags"))
        name = {"/tags": "tag"}.get(path, "name")
        body: dict[str, Any] = {name: self.choose_name(), "active": True}
        if path == "/categories":
            body |= self.maybe(parent_id=self.choose("/categories")["id"], budget_id=self.choose("/budgets")["id"])
        if path == "/budgets":
            body |= self.maybe(carry="yes")
        return path, body

    def make_label(self) -> None:
        self.send("POST", *self._label())

    def change_label(self) -> None:
        path, body = self._label()
        self.send("PUT", self.choose_address(path), body)

    def remove_label(self) -> None:
        self.send("DELETE", self.choose_address(self._label()[0]))

    def merge_label(self) -> None:
        path = self.chance.choice(("/categories", "/tags"))
        one, other = self.choose_two(path)
        self.send("POST", f"{path}/{one}/merge", {"into_id": other})

    def make_limit(self) -> None:
        start, end = self.chance.choice((("01", "31"), ("20", "31"), ("01", "15")))
        body = {"budget_id": self.choose("/budgets")["id"], "amount": "100", "start_date": f"{_FIRST_DAY}{start}"}
        self.send("POST", "/budget_limits", {**body, "end_date": f"{_FIRST_DAY}{end}"})

    def remove_limit(self) -> None:
        days = {"start": "2024-01-01", "end": "2024-12-31"}
        self.send("DELETE", f"/budget_limits/{self.choose('/budget_limits', **days)['id']}")

    def move_money(self) -> None:
        giver, taker = self.choose_two("/budgets")
        month = self.chance.choice(("2024-05", "2024-06"))
        self.send("POST", "/budgets/move_money", {"from": giver, "to": taker, "amount": "40", "month": month})

    def make_available(self) -> None:
        days = {"start_date": "2024-05-01", "end_date": "2024-05-31"}
        self.send("POST", "/available_budgets", {"amount": "100", "transaction_currency_id": 1, **days})

    # What happens by itself

    def _bill(self) -> dict[str, Any]:
        match = self.chance.choice(("rent,landlord", "gym", "bread"))
        amounts = self.chance.choice((("795", "855.50"), ("5", "30")))
        return a_bill(
            name=self.choose_name(), match=match, amount_min=amounts[0], amount_max=amounts[1],
            active=self.chance.random() < 0.8,
        )  # fmt: skip

    def make_bill(self) -> None:
        self.send("POST", "/bills", self._bill())

    def change_bill(self) -> None:
        self.send("PUT", self.choose_address("/bills"), self._bill())

    def remove_bill(self) -> None:
        self.send("DELETE", self.choose_address("/bills"))

    def _recurrence(self, first: str) -> dict[str, Any]:
        daily = a_repetition("daily", "", weekend=self.chance.randint(1, 4))
        repetition = self.chance.choice((daily, a_repetition(), a_repetition("weekly", "5", weekend=3)))
        labels = self.maybe(category_name=self.choose_name(), budget_name=self.choose_name())
        huge = self.chance.random() < 0.05
        membership = a_split(self.choose_own(), amount="92233720368547758.07" if huge else "25.45", **labels)
        parts = [membership, *([membership | {"description": "Locker"}] if self.chance.random() < 0.2 else [])]
        body = a_recurrence(
            self.choose_own(), title=self.choose_name(), first_date=first, transactions=parts,
            repetitions=[repetition | self.maybe(holidays=True)], active=self.chance.random() < 0.7,
            **self.maybe(tags=[self.choose_name()], nr_of_repetitions=self.chance.randint(2, 9)),
        )  # fmt: skip
        if self.chance.random() < 0.4:
            pot = self.choose("/piggy_banks")
            sides = {
                "source_id": self.choose_own(),
                "destination_id": pot["attributes"].get("account_id", self.choose_own()),
            }
            moved = a_split(sides["source_id"], destination_id=sides["destination_id"], destination_name=None)
            body |= {"type": "transfer", "transactions": [moved], "piggy_bank_id": pot["id"]}
        return body

    def make_recurrence(self) -> None:
        self.send("POST", "/recurrences", self._recurrence((self.world.time.now + timedelta(1)).date().isoformat()))

    def change_recurrence(self) -> None:
        kept = self.choose("/recurrences")
        self.send("PUT", f"/recurrences/{kept['id']}", self._recurrence(kept["attributes"].get("first_date", "")))

    def remove_recurrence(self) -> None:
        self.send("DELETE", self.choose_address("/recurrences"))

    def change_day(self) -> None:
        day, other = ((self.world.time.now + timedelta(self.chance.randint(-1, 5))).date() for _ in range(2))
        body = self.chance.choice(({"skip": True}, {"date": other.isoformat()}))
        self.send("PUT", f"{self.choose_address('/recurrences')}/occurrences/{day}", body)

    def fire(self) -> None:
        self.send("POST", "/recurrences/trigger")

    def let_days_pass(self) -> None:
        days = self.chance.randint(1, 4)
        self.world.time.now += timedelta(days)
        self.done.append(f"{days} days pass")

    def _rule(self) -> dict[str, Any]:
        actions = [
            self.chance.choice((
                ("set_category", self.choose_name()), ("set_budget", self.choose_name()),
                ("add_tag", self.choose_name()),
                ("link_to_bill", self.choose_name()), ("set_source_account", self.choose_name()),
            ))
        ]  # fmt: skip
        group = self.choose("/rule_groups")["id"]
        return a_rule(group, actions=actions, title=self.choose_name(), **self.maybe(order=self.chance.randint(1, 3)))

    def make_rule(self) -> None:
        self.send("POST", "/rules", self._rule())

    def change_rule(self) -> None:
        self.send("PUT", self.choose_address("/rules"), self._rule())

    def remove_rule(self) -> None:
        self.send("DELETE", self.choose_address("/rules"))

    def make_group(self) -> None:
        self.send("POST", "/rule_groups", {"title": self.choose_name(), "active": True})

    def change_group(self) -> None:
        body = {"title": self.choose_name(), "active": True, **self.maybe(order=self.chance.randint(1, 3))}
        self.send("PUT", self.choose_address("/rule_groups"), body)

    def remove_group(self) -> None:
        self.send("DELETE", self.choose_address("/rule_groups"))

    def _pot(self) -> dict[str, Any]:
        more = self.maybe(order=self.chance.randint(1, 3))
        body = {"name": self.choose_name(), "account_id": self.choose_own(), "target_amount": "60", **more}
        other = self.choose_own()
        if other != body["account_id"] and self.chance.random() < 0.5:
            body["accounts"] = [{"account_id": body["account_id"]}, {"account_id": other}]
        return body

    def make_pot(self) -> None:
        self.send("POST", "/piggy_banks", self._pot() | self.maybe(current_amount="5"))

    def change_pot(self) -> None:
        self.send("PUT", self.choose_address("/piggy_banks"), self._pot())

    def remove_pot(self) -> None:
        self.send("DELETE", self.choose_address("/piggy_banks"))

    def save(self) -> None:
        pot = self.choose("/piggy_banks")
        sides = {"source_id": self.choose_own(), "destination_id": pot["attributes"].get("account_id", "0")}
        self.send("POST", "/transactions", a_transaction("transfer", split(**sides), piggy_bank_id=pot["id"]))

    def prefer(self) -> None:
        self.send("PUT", "/preferences/holidayCountry", {"data": self.chance.choice(("NL", "DE-BY", "none"))})

    def prefer_currency(self) -> None:
        """One that is deleted as soon as it is not preferred any more."""
        code = a_currency(self.owner)["attributes"]["code"]
        for chosen in (code, "EUR"):
            self.send("PUT", "/preferences/currencyPreference", {"data": chosen})
        if self.chance.random() < 0.5:
            assert self.owner.delete(f"/currencies/{code}").status_code == 204
