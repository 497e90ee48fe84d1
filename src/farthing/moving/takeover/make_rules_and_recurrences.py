"""Creates rule groups, rules and recurrences, after everything that they refer to."""

from msgspec import convert

from farthing.books.bookkeeping import lookup
from farthing.books.lifecycle import recurrences as lifecycle
from farthing.books.recurrences import store as recurrences
from farthing.books.recurrences.model import RecurrenceDraft
from farthing.books.rule_groups import store as rule_groups
from farthing.books.rule_groups.model import RuleGroupDraft
from farthing.books.rules import store as rules
from farthing.books.rules.model import RuleDraft, RuleEvent, RulePart
from farthing.books.transactions.model import Lookup, LookupRequest, SplitDraft
from farthing.kernel.limits import DESCRIPTION_MAX
from farthing.kernel.money import Money
from farthing.kernel.text import fold, in_one_line
from farthing.schedule.repetition import Repetition, RepetitionType
from farthing.schedule.weekend import Weekend

from ..source_books import SourceBooks, SourceRecurrence, SourceRule, SourceRuleGroup, SourceSplit
from .fitting import Unfitting
from .make_objects import Made, ObjectMaker, ObjectTask, TakeoverContext


def list_tasks(books: SourceBooks) -> list[ObjectTask]:
    return [
        *(ObjectTask("rule_groups", group.key, group) for group in books.rule_groups),
        *(ObjectTask("rules", rule.key, rule) for rule in books.rules),
        *(ObjectTask("recurrences", recurrence.key, recurrence) for recurrence in books.recurrences),
    ]


def _make_rule_group(context: TakeoverContext, group: SourceRuleGroup) -> Made:
    db, user_id, title = context.db, context.user_id, in_one_line(group.title)
    existing = rule_groups.get_titled(db, user_id, title)
    if existing:
        return Made(existing.id, is_made=False)
    draft = RuleGroupDraft(title=title, description=group.description, active=group.active, order=None)
    return Made(rule_groups.add(db, user_id, draft, context.now), is_made=True)


def _make_rule(context: TakeoverContext, rule: SourceRule) -> Made | None:
    db, user_id, title = context.db, context.user_id, in_one_line(rule.title)
    group_id = context.find("rule_groups", rule.group)
    if group_id is None:
        raise Unfitting("its group is missing.")
    if rules.is_title_taken(db, user_id, title, except_id=0):
        context.remark(f"There is already a rule “{title}”, which was not changed.")
        return None
    draft = RuleDraft(
        rule_group_id=group_id,
        title=title,
        description=rule.description,
        moment=RuleEvent.STORE if rule.on_create else RuleEvent.UPDATE,
        strict=rule.strict,
        stops=rule.stops,
        active=rule.active,
        order=None,
        manual=rule.manual,
        triggers=tuple(convert(part, RulePart, from_attributes=True) for part in rule.triggers),
        actions=tuple(convert(part, RulePart, from_attributes=True) for part in rule.actions),
    )
    return Made(rules.add(db, user_id, draft, context.now), is_made=True)


def _make_recurrence(context: TakeoverContext, recurrence: SourceRecurrence) -> Made | None:
    db, user_id, title = context.db, context.user_id, in_one_line(recurrence.title)
    if recurrences.is_title_taken(db, user_id, title):
        context.remark(f"There is already a recurrence “{title}”, which was not changed.")
        return None
    keys = {key for split in recurrence.splits for key in (split.source, split.destination)}
    folds = {fold(name) for split in recurrence.splits for name in (split.category, split.budget) if name}
    request = LookupRequest(
        account_ids={account_id for key in keys if (account_id := context.find("accounts", key))},
        category_folds=folds,
        budget_folds=folds,
    )
    references = lookup.look_up(context.db, context.user_id, request)
    draft = RecurrenceDraft(
        type=recurrence.type,
        title=title,
        description=recurrence.description,
        notes=recurrence.notes,
        first_on=recurrence.first_on,
        until_on=recurrence.repeat_until,
        count_max=recurrence.count_max,
        apply_rules=recurrence.apply_rules,
        active=recurrence.active,
        tags=recurrence.tags,
        piggy_bank_id=context.find("piggy_banks", recurrence.piggy_bank),
        repetitions=tuple(
            Repetition(
                type=RepetitionType(each.type),
                moment=each.moment,
                skip=each.skip,
                weekend=Weekend(each.weekend),
                holidays=each.holidays,
            )
            for each in recurrence.repetitions
        ),
        splits=tuple(_split(context, split, references) for split in recurrence.splits),
    )
    since = max(context.today, recurrence.fired_until) if recurrence.fired_until else context.today
    return Made(lifecycle.add(db, user_id, draft, references, since, context.now), is_made=True)


def _split(context: TakeoverContext, split: SourceSplit, references: Lookup) -> SplitDraft:
    ids = (context.find("accounts", key) or 0 for key in (split.source, split.destination))
    source, destination = (references.accounts.get(account_id) for account_id in ids)
    if source is None or destination is None:
        raise Unfitting("one of its accounts is missing.")
    currency = context.currency(split.currency)
    foreign = None
    if split.foreign_amount and split.foreign_currency:
        other = context.currency(split.foreign_currency)
        foreign = Money(units=context.units(split.foreign_amount, other, "A recurrence"), currency=other)
    return SplitDraft(
        source=source,
        destination=destination,
        amount=Money(units=context.units(split.amount, currency, "A recurrence"), currency=currency),
        foreign=foreign,
        description=in_one_line(split.description, DESCRIPTION_MAX) or None,
        reconciled=False,
        category=references.categories_named.get(fold(split.category)) if split.category else None,
        budget=references.budgets_named.get(fold(split.budget)) if split.budget else None,
    )


MAKERS: dict[str, ObjectMaker] = {"rule_groups": _make_rule_group, "rules": _make_rule, "recurrences": _make_recurrence}
