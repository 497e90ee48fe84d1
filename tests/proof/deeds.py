"""What may a writer do? Something to any resource, drawn by chance from what it sees, with all that follows from it."""

import hashlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from . import effects
from .choice import ENOUGH, Choice
from .deed import FORM, OCTETS, Deed, as_form, some_bytes
from .effects import of_kind
from .seen import PROMISED, Seen

_PREFERENCES: Mapping[str, tuple[Any, ...]] = {
    "viewRange": ("1D", "1W", "1M", "3M"),
    "fiscalYearStart": ("01-01", "04-06", "07-01"),
    "language": ("en_US", "nl_NL", "de_DE"),
    "customFiscalYear": (True, False),
    "listPageSize": (10, 50, 100),
}
_FLAGS = {"active": True, "include_net_worth": True}


class Deeds(Choice):
    def next(self, seen: Seen) -> Deed:
        while True:
            what = self.chance.choice(OF_THE_OWNER if self.is_owner and self.chance.random() < 0.1 else EVERYBODYS)
            deed = what(self, seen)
            if deed:
                return deed

    # Accounts

    def _account(self, kind: str, name: str) -> dict[str, Any]:
        common = {"name": name, "type": kind, "currency_code": "EUR", "notes": self.word(), **_FLAGS}
        if kind == "asset":
            opening = {"opening_balance": "1000000", "opening_balance_date": "2024-01-01"}
            return {**common, "account_role": "defaultAsset", "account_number": self.word(), **opening}
        if kind == "liability":
            owed = {"liability_amount": self.amount(), "liability_start_date": "2024-01-01"}
            return {**common, "liability_type": "loan", "interest": "3.5", "interest_period": "yearly", **owed}
        return common

    def account(self, seen: Seen) -> Deed | None:
        if not self.wants_more(seen, "accounts"):
            return self.closed_account(seen)
        kind = self.chance.choice(("asset", "asset", "liability", "expense", "revenue"))
        return self.post(f"open {kind}", "/accounts", self._account(kind, self.word()))

    def changed_account(self, seen: Seen) -> Deed | None:
        found = self.chosen(seen, "accounts")
        kinds = {"Asset account": "asset", "Loan": "liability", "Expense account": "expense"}
        if not found or found[1].get("type") not in kinds:
            return None
        body = self._account(kinds[found[1]["type"]], self.word())
        return self.change("change account", f"/accounts/{found[0]}", body, effects.rename_account(found[0]))

    def closed_account(self, seen: Seen) -> Deed | None:
        """Of one's own accounts some are always left."""
        found = self.chosen(seen, "accounts")
        if not found or (found[1].get("type") == "Asset account" and len(self.assets(seen)) < 4):
            return None
        return Deed("close account", "DELETE", f"/accounts/{found[0]}", effects.close_account(found[0]))

    def reconciled(self, seen: Seen) -> Deed | None:
        account_id = self.asset(seen)
        if not account_id:
            return None
        own = int(account_id)
        there = [
            one
            for one, value in of_kind(seen, "transactions").items()
            if own in (value["source_id"], value["destination_id"]) and value["date"] <= "2024-05-31"
        ]
        marked = self.chance.sample(there, min(len(there), 3))
        balance = {"date": "2024-05-31", "statement_balance": self.amount(), "book_difference": True}
        body = {**balance, "transactions": [int(one) for one in marked]}
        return self.post("reconcile", f"/accounts/{own}/reconcile", body, effects.reconcile(account_id))

    # Transactions

    def _transaction(self, seen: Seen, type_: str) -> dict[str, Any] | None:
        there = self.assets(seen)
        if len(there) < 2:
            return None
        own, other = self.chance.sample(there, 2)
        whole: dict[str, Any] = {"type": type_, "date": self.day(), "description": self.word(), "notes": "noted"}
        whole["tags"] = [self.word()] if self.chance.random() < 0.2 else []
        if type_ == "transfer":
            sides: dict[str, Any] = {"source_id": own, "destination_id": other}
            piggy_bank = self.chosen(seen, "piggy_banks")
            if piggy_bank and str(piggy_bank[1]["account_id"]) in (own, other):
                whole["piggy_bank_id"] = piggy_bank[0]
        elif type_ == "deposit":
            sides = {"source_name": self._payee(), "destination_id": own}
        else:
            sides = {"source_id": own, "destination_name": self._payee()}
        splits = [self._split(seen, sides, place) for place in range(self.chance.randint(1, 4))]
        return {**whole, "transactions": splits}

    def _payee(self) -> str:
        return self.word() if self.chance.random() < 0.1 else f"{self.name} shop {self.chance.randint(1, 5)}"

    def _split(self, seen: Seen, sides: Mapping[str, Any], place: int) -> dict[str, Any]:
        split = {**sides, "amount": self.amount(), "currency_code": "EUR", "description": f"part {place}"}
        category, budget = self.chosen(seen, "categories"), self.chosen(seen, "budgets")
        if self.chance.random() < 0.1:
            split["category_name"] = self.word()
        elif category and self.chance.random() < 0.5:
            split["category_id"] = category[0]
        if budget and self.chance.random() < 0.5:
            split["budget_id"] = budget[0]
        return split

    def transaction(self, seen: Seen) -> Deed | None:
        if len(of_kind(seen, "transactions")) > 10 * ENOUGH:
            return self.removed_transaction(seen)
        type_ = self.chance.choice(("withdrawal", "withdrawal", "deposit", "transfer"))
        body = self._transaction(seen, type_)
        return self.post(f"record {type_}", "/transactions", body, effects.record) if body else None

    def many(self, seen: Seen) -> Deed | None:
        if len(of_kind(seen, "transactions")) > 8 * ENOUGH:
            return None
        bodies = [self._transaction(seen, "withdrawal") for _ in range(self.chance.randint(2, 12))]
        body = {"transactions": bodies}
        return self.post("record many", "/transactions/bulk", body, effects.record_many) if all(bodies) else None

    def _found_transaction(self, seen: Seen) -> tuple[str, Mapping[str, Any]] | None:
        found = self.chosen(seen, "transactions")
        return found if found and found[1]["type"] != "Reconciliation" else None

    def changed_transaction(self, seen: Seen) -> Deed | None:
        """By its first split: that one stays, however few there are then, so that it may be asked for again."""
        found = self._found_transaction(seen)
        if found and found[1]["identifier"] != 0:
            return None
        body = self._transaction(seen, found[1]["type"].lower()) if found else None
        return self.change("change", f"/transactions/{found[0]}", body, effects.rewrite) if found and body else None

    def removed_transaction(self, seen: Seen) -> Deed | None:
        found = self.chosen(seen, "transactions")
        if not found:
            return None
        effect = effects.remove_transaction(found[1]["journal_id"])
        return Deed("remove", "DELETE", f"/transactions/{found[0]}", effect)

    def changed_many(self, seen: Seen) -> Deed | None:
        category, ids = self.chosen(seen, "categories"), self._some(seen)
        if not ids or not category:
            return None
        body = {"ids": ids, "category_id": category[0], "add_tags": [self.word()]}
        return self.change("change many", "/transactions/bulk", body, effects.record)

    def removed_many(self, seen: Seen) -> Deed | None:
        ids = self._some(seen)
        if not ids:
            return None
        gone = {seen["transactions", one]["journal_id"] for one in ids}
        path = f"/transactions/bulk?ids={','.join(ids)}"
        return Deed("remove many", "DELETE", path, lambda seen, _answer: effects.remove_entries(seen, gone))

    def _some(self, seen: Seen) -> list[str]:
        there = [one for one, value in of_kind(seen, "transactions").items() if value["type"] != "Reconciliation"]
        return self.chance.sample(there, min(len(there), self.chance.randint(2, 10)))

    # Categories, budgets, tags

    def label(self, seen: Seen) -> Deed | None:
        kind, word = self.chance.choice((("categories", "category"), ("budgets", "budget")))
        if self.wants_more(seen, kind):
            return self.post(f"make {word}", f"/{kind}", {"name": self.word(), "active": True})
        return self._removed_label(seen, kind, word)

    def _removed_label(self, seen: Seen, kind: str, word: str) -> Deed | None:
        found = self.chosen(seen, kind)
        effect = effects.remove_label(kind, word, found[0]) if found else effects.nothing
        return Deed(f"remove {word}", "DELETE", f"/{kind}/{found[0]}", effect) if found else None

    def changed_label(self, seen: Seen) -> Deed | None:
        kind, word = self.chance.choice((("categories", "category"), ("budgets", "budget")))
        found = self.chosen(seen, kind)
        if not found:
            return None
        if self.chance.random() < 0.3:
            return self._removed_label(seen, kind, word)
        body = {"name": self.word(), "active": True}
        return self.change(f"change {word}", f"/{kind}/{found[0]}", body, effects.rename_label(word))

    def tag(self, seen: Seen) -> Deed | None:
        if self.wants_more(seen, "tags") and self.chance.random() < 0.5:
            return self.post("make tag", "/tags", {"tag": self.word(), "description": "described"})
        found = self.chosen(seen, "tags")
        if not found:
            return None
        if self.chance.random() < 0.5 and "id" in found[1]:  # by its name it could not be asked for again
            body = {"tag": self.word()}
            return self.change("change tag", f"/tags/{found[1]['id']}", body, effects.rename_tag(found[0]))
        return Deed("remove tag", "DELETE", f"/tags/{found[0]}", effects.remove_tag(found[0]))

    def limit(self, seen: Seen) -> Deed | None:
        budget = self.chosen(seen, "budgets")
        if not budget:
            return None
        day = f"20{self.chance.randint(10, 99)}-{self.chance.randint(1, 12):02}-{self.chance.randint(1, 28):02}"
        body = {"amount": self.amount(), "start_date": day, "end_date": day, "currency_code": "EUR"}
        if self.wants_more(seen, "budget_limits") and self.chance.random() < 0.2:
            return self.post("limit budget", f"/budgets/{budget[0]}/limits", body)
        return self.one_of(seen, "budget_limits", {**body, "budget_id": budget[0]})

    def available(self, seen: Seen) -> Deed | None:
        body = {"transaction_currency_id": 1, "amount": self.amount(), "start_date": self.day()}
        return self.one_of(seen, "available_budgets", {**body, "end_date": "2024-12-31"})

    # Bills, piggy banks, recurrences, rules

    def bill(self, seen: Seen) -> Deed | None:
        found = self.chosen(seen, "bills")
        body = {
            "name": self.word(), "match": self.word(), "amount_min": "1", "amount_max": "900", "currency_code": "EUR",
            "date": self.day(), "repeat_freq": "monthly", "skip": 0, "automatch": True, "active": True,
        }  # fmt: skip
        if found and self.chance.random() < 0.4:
            body["match"] = f"shop, {self.chance.randint(1, 5)}"  # it claims what is there
            return self.change("change bill", f"/bills/{found[0]}", body)
        if found and (self.chance.random() < 0.15 or not self.wants_more(seen, "bills")):
            return Deed("remove bill", "DELETE", f"/bills/{found[0]}", effects.remove_bill(found[0]))
        return self.post("make bill", "/bills", body)

    def piggy_bank(self, seen: Seen) -> Deed | None:
        account_id = self.asset(seen)
        body = {"name": self.word(), "target_amount": "1000", "current_amount": self.amount(), "account_id": account_id}
        return self.one_of(seen, "piggy_banks", body) if account_id else None

    def recurrence(self, seen: Seen) -> Deed | None:
        """All of them begin far ahead: they fire when they are told to, and never by themselves."""
        found, account_id = self.chosen(seen, "recurrences"), self.asset(seen)
        if not account_id:
            return None
        split = {"description": "again", "amount": self.amount(), "currency_code": "EUR", "source_id": account_id}
        body = {
            "type": "withdrawal", "title": self.word(), "first_date": "2025-06-02", "apply_rules": True, "active": True,
            "repetitions": [{"type": "daily", "moment": "", "skip": 0, "weekend": 1}],
            "transactions": [{**split, "destination_name": f"{self.name} shop 1"}],
        }  # fmt: skip
        if found and (self.chance.random() < 0.15 or not self.wants_more(seen, "recurrences")):
            path = f"/recurrences/{found[0]}"
            return Deed("remove recurrence", "DELETE", path, effects.remove_recurrence(found[0]))
        if found and self.chance.random() < 0.3:
            return self.change("change recurrence", f"/recurrences/{found[0]}", body, self._with_shop)
        return self.post("make recurrence", "/recurrences", body, self._with_shop)

    def _with_shop(self, seen: Seen, answer: Any) -> Seen:
        """The other side is made if it is not there."""
        split = answer["data"]["attributes"]["transactions"][0]
        shop = ("accounts", str(split["destination_id"]))
        return {shop: {"name": split["destination_name"]}, **effects.put(seen, answer)}

    def fired(self, seen: Seen) -> Deed | None:
        found = self.chosen(seen, "recurrences")
        if not found or len(of_kind(seen, "transactions")) > 8 * ENOUGH:
            return None
        if self.chance.random() < 0.3:
            upto = f"2025-06-{self.chance.randint(2, 5):02}"
            return self.post("fire all", f"/recurrences/trigger?date={upto}", None, effects.fire)
        upto = f"2025-06-{self.chance.randint(2, 28):02}"
        return self.post("fire", f"/recurrences/{found[0]}/trigger?date={upto}", None, effects.fire)

    def rule_group(self, seen: Seen) -> Deed | None:
        found = self.chosen(seen, "rule_groups")
        body = {"title": self.word(), "active": True}
        if found and self.chance.random() < 0.2:
            path = f"/rule_groups/{found[0]}"
            return Deed("remove rule group", "DELETE", path, effects.remove_group(found[0]))
        if found and (self.chance.random() < 0.3 or not self.wants_more(seen, "rule_groups")):
            return self.change("change rule group", f"/rule_groups/{found[0]}", body)
        return self.post("make rule group", "/rule_groups", body)

    def rule(self, seen: Seen) -> Deed | None:
        group = self.chosen(seen, "rule_groups")
        if not group:
            return None
        actions = [
            {"name": "add_tag", "value": f"{self.name} rule"},
            {"name": "set_category", "value": f"{self.name} rule"},
            {"name": "append_notes", "value": self.word()},
        ]
        body = {
            "title": self.word(), "rule_group_id": group[0], "strict": True, "stop_processing": False, "active": True,
            "trigger": self.chance.choice(("store-journal", "update-journal")),
            "rule_triggers": [{"name": "description_contains", "value": str(self.chance.randint(0, 99))}],
            "rule_actions": self.chance.sample(actions, 2),
        }  # fmt: skip
        return self.one_of(seen, "rules", body)

    def applied(self, seen: Seen) -> Deed | None:
        kind = self.chance.choice(("rules", "rule_groups"))
        found = self.chosen(seen, kind)
        path = f"/{kind}/{found[0]}/trigger?start=2024-01-01&end=2024-12-31" if found else ""
        return self.post(f"apply {kind}", path, None, effects.apply_rules) if found else None

    # Attachments

    def _owner(self, seen: Seen) -> dict[str, str] | None:
        transaction, bill = self._found_transaction(seen), self.chosen(seen, "bills")
        if transaction and self.chance.random() < 0.7:
            return {"model": "TransactionJournal", "model_id": str(transaction[1]["journal_id"])}
        return {"model": "Bill", "model_id": bill[0]} if bill else None

    def _content(self) -> Callable[[], bytes]:
        """Mostly small; at times a few MB."""
        size = self.chance.randint(2**20, 3 * 2**20) if self.chance.random() < 0.08 else self.chance.randint(1, 60_000)
        return partial(some_bytes, self.chance.getrandbits(64), size)

    def promised(self, seen: Seen) -> Deed | None:
        owner = self._owner(seen)
        if not owner or len(of_kind(seen, PROMISED)) > 5:
            return None
        body = {"filename": f"{self.word()}.bin", "title": self.word(), **owner}
        return self.post("promise file", "/attachments", body, effects.promise)

    def uploaded(self, seen: Seen) -> Deed | None:
        """A first content, or another one."""
        found = self.chosen(seen, self.chance.choice((PROMISED, PROMISED, "attachments")))
        if not found:
            return None
        content = self._content()
        made = content()
        md5 = hashlib.md5(made).hexdigest()
        return Deed(
            "upload", "POST", f"/attachments/{found[0]}/upload", effects.upload(found[0], md5, len(made)),
            content, OCTETS, self.word(), md5, hashlib.sha256(made).hexdigest(),
        )  # fmt: skip

    def attached(self, seen: Seen) -> Deed | None:
        """Record and content at once."""
        owner = self._owner(seen)
        if not owner or not self.wants_more(seen, "attachments"):
            return self.removed_attachment(seen)
        content = self._content()
        made = content()
        body = partial(as_form, {**owner, "notes": self.word()}, f"{self.word()}.bin", content)
        return Deed(
            "attach", "POST", "/attachments", effects.put, body, FORM,
            self.word(), hashlib.md5(made).hexdigest(), hashlib.sha256(made).hexdigest(),
        )  # fmt: skip

    def changed_attachment(self, seen: Seen) -> Deed | None:
        found = self.chosen(seen, "attachments")
        body = {"title": self.word(), "filename": f"{self.word()}.bin"}
        return self.change("change file", f"/attachments/{found[0]}", body) if found else None

    def removed_attachment(self, seen: Seen) -> Deed | None:
        found = self.chosen(seen, "attachments")
        effect = effects.remove("attachments", found[0]) if found else effects.nothing
        return Deed("remove file", "DELETE", f"/attachments/{found[0]}", effect) if found else None

    # Preferences, currencies, users

    def preference(self, seen: Seen) -> Deed | None:
        if self.chance.random() < 0.3:
            code = self.chance.choice(("EUR", "USD", "GBP"))
            return self.post("prefer currency", f"/currencies/{code}/default", None, effects.prefer_currency)
        name = self.chance.choice(list(_PREFERENCES))
        body = {"data": self.chance.choice(_PREFERENCES[name])}
        return self.change("change preference", f"/preferences/{name}", body)

    def currency(self, seen: Seen) -> Deed | None:
        self._numbers += 1
        high, low = divmod(self._numbers % 676, 26)
        code = f"{chr(65 + high)}{chr(65 + low)}7"
        body = {"name": f"torture {self.word()}", "code": code, "symbol": code, "decimal_places": 3}
        return self.one_of(seen, "currencies", body)

    def user(self, seen: Seen) -> Deed | None:
        body = {"email": f"torture-{self.word()}@farthing.example", "blocked": self.chance.random() < 0.5}
        return self.one_of(seen, "users", body)


Drawn = Callable[[Deeds, Seen], Deed | None]
EVERYBODYS: tuple[Drawn, ...] = (
    Deeds.account, Deeds.account, Deeds.changed_account, Deeds.closed_account, Deeds.reconciled, Deeds.transaction,
    Deeds.transaction, Deeds.transaction, Deeds.many, Deeds.changed_transaction, Deeds.changed_transaction,
    Deeds.removed_transaction, Deeds.changed_many, Deeds.removed_many, Deeds.label, Deeds.changed_label, Deeds.tag,
    Deeds.limit, Deeds.available, Deeds.bill, Deeds.piggy_bank, Deeds.recurrence, Deeds.fired, Deeds.rule_group,
    Deeds.rule, Deeds.applied, Deeds.promised, Deeds.uploaded, Deeds.uploaded, Deeds.attached,
    Deeds.changed_attachment, Deeds.removed_attachment, Deeds.preference,
)  # fmt: skip
OF_THE_OWNER: tuple[Drawn, ...] = (Deeds.currency, Deeds.user)
