"""What does a write do to what its user sees? Told for everything that may be found afterwards, cascades included."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .seen import PROMISED, Key, Seen, key_of, shown

# What the answer says, if it says anything, and what was seen before, become what is seen then.
Effect = Callable[[Seen, Any], Seen]
_SIDES = ("source", "destination")


def of_kind(seen: Seen, kind: str) -> dict[str, Mapping[str, Any]]:
    return {one: value for (of, one), value in seen.items() if of == kind}


def nothing(seen: Seen, _answer: Any) -> Seen:
    return seen


def back_to(before: Seen) -> Effect:
    return lambda _seen, _answer: before


def put(seen: Seen, answer: Any) -> Seen:
    """One object, made or changed."""
    return _with(seen, [answer["data"]])


def _with(seen: Seen, things: Iterable[Mapping[str, Any]]) -> dict[Key, Mapping[str, Any]]:
    after = dict(seen)
    for thing in things:
        after[key_of(thing)] = shown(thing)
    return after


def _without(seen: Seen, gone: Iterable[Key]) -> dict[Key, Mapping[str, Any]]:
    lost = set(gone)
    return {key: value for key, value in seen.items() if key not in lost}


def _changed(seen: Seen, kind: str, change: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> Seen:
    """`change` says what becomes other, if anything."""
    return {key: {**value, **change(value)} if key[0] == kind else value for key, value in seen.items()}


# Transactions


def recorded(seen: Seen, things: Iterable[Mapping[str, Any]]) -> Seen:
    """With the accounts, categories, budgets and tags that were made along."""
    listed = list(things)
    after = _with(seen, listed)
    for thing in listed:
        attributes = thing["attributes"]
        for side in _SIDES:
            if attributes[f"{side}_type"] in ("Expense account", "Revenue account"):
                after.setdefault(("accounts", str(attributes[f"{side}_id"])), {"name": attributes[f"{side}_name"]})
        for kind, word in (("categories", "category"), ("budgets", "budget")):
            if attributes[f"{word}_id"]:
                after.setdefault((kind, str(attributes[f"{word}_id"])), {"name": attributes[f"{word}_name"]})
        for tag in (attributes["tags"] or "").split(","):
            if tag:
                after.setdefault(("tags", tag), {"tag": tag})
    return after


def record(seen: Seen, answer: Any) -> Seen:
    return recorded(seen, answer["data"])


def record_many(seen: Seen, answer: Any) -> Seen:
    assert {one["status"] for one in answer["data"]} == {200}, answer
    return recorded(seen, (thing for one in answer["data"] for thing in one["data"]))


def rewrite(seen: Seen, answer: Any) -> Seen:
    journal_id = answer["data"][0]["attributes"]["journal_id"]
    return recorded(_without(seen, _splits_of(seen, {journal_id})), answer["data"])


def fire(seen: Seen, answer: Any) -> Seen:
    return recorded(seen, answer["data"]) if answer else seen


def apply_rules(seen: Seen, answer: Any) -> Seen:
    return recorded(seen, (thing for one in answer["data"] for thing in one["attributes"]["after"]))


def reconcile(account_id: str) -> Effect:
    def effect(seen: Seen, answer: Any) -> Seen:
        marked = {("transactions", str(one)) for one in answer["data"]["marked"]}
        after = {key: {**value, "reconciled": True} if key in marked else value for key, value in seen.items()}
        booked = answer["data"]["booked"]
        return _with(after, [booked]) if booked else after

    return effect


def _splits_of(seen: Seen, journal_ids: Iterable[int]) -> list[Key]:
    ids = set(journal_ids)
    return [("transactions", one) for one, value in of_kind(seen, "transactions").items() if value["journal_id"] in ids]


def _attached_to(seen: Seen, word: str, ids: Iterable[Any]) -> list[Key]:
    owners = {int(one) for one in ids}
    return [
        (kind, one)
        for kind in ("attachments", PROMISED)
        for one, value in of_kind(seen, kind).items()
        if value["attachable_type"].endswith(word) and value["attachable_id"] in owners
    ]


def remove_entries(seen: Seen, journal_ids: Iterable[int]) -> Seen:
    ids = set(journal_ids)
    return _without(seen, [*_splits_of(seen, ids), *_attached_to(seen, "TransactionJournal", ids)])


def remove_transaction(journal_id: int) -> Effect:
    return lambda seen, _answer: remove_entries(seen, {journal_id})


# What others name


def rename_account(account_id: str) -> Effect:
    def effect(seen: Seen, answer: Any) -> Seen:
        name = answer["data"]["attributes"]["name"]
        own = int(account_id)

        def follow(split: Mapping[str, Any]) -> Mapping[str, Any]:
            return {f"{side}_name": name for side in _SIDES if split[f"{side}_id"] == own}

        return _changed(put(seen, answer), "transactions", follow)

    return effect


def close_account(account_id: str) -> Effect:
    def effect(seen: Seen, _answer: Any) -> Seen:
        own = int(account_id)
        touched = {
            value["journal_id"]
            for value in of_kind(seen, "transactions").values()
            if own in (value["source_id"], value["destination_id"])
        }
        piggy_banks = [one for one, value in of_kind(seen, "piggy_banks").items() if value["account_id"] == own]
        recurrences = [
            one
            for one, value in of_kind(seen, "recurrences").items()
            if any(own in sides for _, _, *sides in value["transactions"])
        ]
        after = remove_entries(seen, touched)
        for one in recurrences:
            after = remove_recurrence(one)(after, None)
        return _without(after, [("accounts", account_id), *(("piggy_banks", one) for one in piggy_banks)])

    return effect


def rename_label(word: str) -> Effect:
    """A category or a budget."""

    def effect(seen: Seen, answer: Any) -> Seen:
        thing = answer["data"]
        names = {f"{word}_name": thing["attributes"]["name"]}
        mine = int(thing["id"])
        return _changed(put(seen, answer), "transactions", lambda split: names if split[f"{word}_id"] == mine else {})

    return effect


def remove_label(kind: str, word: str, label_id: str) -> Effect:
    def effect(seen: Seen, _answer: Any) -> Seen:
        mine, none = int(label_id), {f"{word}_id": None, f"{word}_name": None}
        after = _changed(seen, "transactions", lambda split: none if split[f"{word}_id"] == mine else {})
        limits = [
            ("budget_limits", one)
            for one, value in of_kind(seen, "budget_limits").items()
            if kind == "budgets" and value["budget_id"] == mine
        ]
        return _without(after, [(kind, label_id), *limits])

    return effect


def rename_tag(old: str) -> Effect:
    def effect(seen: Seen, answer: Any) -> Seen:
        new = answer["data"]["attributes"]["tag"]

        def follow(split: Mapping[str, Any]) -> Mapping[str, Any]:
            return {"tags": sorted(new if tag == old else tag for tag in split["tags"])}

        return _with(_changed(_without(seen, [("tags", old)]), "transactions", follow), [answer["data"]])

    return effect


def remove_tag(tag: str) -> Effect:
    def effect(seen: Seen, _answer: Any) -> Seen:
        after = _without(seen, [("tags", tag)])
        return _changed(after, "transactions", lambda split: {"tags": [one for one in split["tags"] if one != tag]})

    return effect


def remove_bill(bill_id: str) -> Effect:
    return lambda seen, _answer: _without(seen, [("bills", bill_id), *_attached_to(seen, "Bill", [bill_id])])


def remove_recurrence(recurrence_id: str) -> Effect:
    def effect(seen: Seen, _answer: Any) -> Seen:
        mine = int(recurrence_id)
        after = _without(seen, [("recurrences", recurrence_id)])
        return _changed(
            after, "transactions", lambda split: {"recurrence_id": None} if split.get("recurrence_id") == mine else {}
        )

    return effect


def remove_group(group_id: str) -> Effect:
    def effect(seen: Seen, _answer: Any) -> Seen:
        mine = int(group_id)
        rules = [("rules", one) for one, value in of_kind(seen, "rules").items() if value["rule_group_id"] == mine]
        return _without(seen, [("rule_groups", group_id), *rules])

    return effect


def remove(kind: str, one: str) -> Effect:
    """What takes nothing along."""
    return lambda seen, _answer: _without(seen, [(kind, one)])


# Attachments, preferences


def promise(seen: Seen, answer: Any) -> Seen:
    thing = answer["data"]
    return {**seen, (PROMISED, thing["id"]): shown(thing)}


def upload(attachment_id: str, md5: str, size: int) -> Effect:
    def effect(seen: Seen, _answer: Any) -> Seen:
        known = seen.get(("attachments", attachment_id)) or seen[PROMISED, attachment_id]
        after = _without(seen, [(PROMISED, attachment_id)])
        return {**after, ("attachments", attachment_id): {**known, "md5": md5, "size": size}}

    return effect


def prefer_currency(seen: Seen, answer: Any) -> Seen:
    code = answer["data"]["attributes"]["code"]
    return _changed(seen, "preferences", lambda one: {"data": code} if one["name"] == "currencyPreference" else {})
