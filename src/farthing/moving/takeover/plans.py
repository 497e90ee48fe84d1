"""Makes rule groups, rules and recurrences, after everything that they name."""

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
from farthing.kernel.text import fold
from farthing.schedule.repetition import Repetition, RepetitionType
from farthing.schedule.weekend import Weekend

from ..source_books import SourceBooks, SourceRecurrence, SourceRule, SourceRuleGroup, SourceSplit
from .fitting import Unfitting, in_one_line
from .objects import Made, Maker, Task, Workshop


def list_tasks(books: SourceBooks) -> list[Task]:
    return [
        *(Task("rule_groups", one.key, one) for one in books.rule_groups),
        *(Task("rules", one.key, one) for one in books.rules),
        *(Task("recurrences", one.key, one) for one in books.recurrences),
    ]


def _make_rule_group(workshop: Workshop, one: SourceRuleGroup) -> Made:
    db, user_id, title = workshop.db, workshop.user_id, in_one_line(one.title)
    kept = rule_groups.get_titled(db, user_id, title)
    if kept:
        return Made(kept.id, is_made=False)
    draft = RuleGroupDraft(title=title, description=one.description, active=one.active, order=None)
    return Made(rule_groups.add(db, user_id, draft, workshop.now), is_made=True)


def _make_rule(workshop: Workshop, one: SourceRule) -> Made | None:
    db, user_id, title = workshop.db, workshop.user_id, in_one_line(one.title)
    group_id = workshop.find("rule_groups", one.group)
    if group_id is None:
        raise Unfitting("its group is missing.")
    if rules.is_title_taken(db, user_id, title, except_id=0):
        workshop.remark(f"There is a rule “{title}” already: it stays as it is.")
        return None
    draft = RuleDraft(
        rule_group_id=group_id,
        title=title,
        description=one.description,
        moment=RuleEvent.STORE if one.on_create else RuleEvent.UPDATE,
        strict=one.strict,
        stops=one.stops,
        active=one.active,
        order=None,
        triggers=tuple(RulePart(name=part.name, value=part.value, stops=part.stops) for part in one.triggers),
        actions=tuple(RulePart(name=part.name, value=part.value, stops=part.stops) for part in one.actions),
    )
    return Made(rules.add(db, user_id, draft, workshop.now), is_made=True)


def _make_recurrence(workshop: Workshop, one: SourceRecurrence) -> Made | None:
    db, user_id, title = workshop.db, workshop.user_id, in_one_line(one.title)
    if recurrences.is_title_taken(db, user_id, title):
        workshop.remark(f"There is a recurrence “{title}” already: it stays as it is.")
        return None
    known = _look_up(workshop, one)
    draft = RecurrenceDraft(
        type=one.type,
        title=title,
        description=one.description,
        first_on=one.first_on,
        until_on=one.repeat_until,
        count_max=one.count_max,
        apply_rules=one.apply_rules,
        active=one.active,
        tags=one.tags,
        piggy_bank_id=workshop.find("piggy_banks", one.piggy_bank),
        repetitions=tuple(
            Repetition(
                type=RepetitionType(each.type), moment=each.moment, skip=each.skip, weekend=Weekend(each.weekend)
            )
            for each in one.repetitions
        ),
        splits=tuple(_split(workshop, split, known) for split in one.splits),
    )
    since = max(workshop.today, one.fired_until) if one.fired_until else workshop.today
    return Made(lifecycle.add(db, user_id, draft, known, since, workshop.now), is_made=True)


def _look_up(workshop: Workshop, one: SourceRecurrence) -> Lookup:
    keys = {key for split in one.splits for key in (split.source, split.destination)}
    folds = {fold(name) for split in one.splits for name in (split.category, split.budget) if name}
    wanted = LookupRequest(
        account_ids={found for key in keys if (found := workshop.find("accounts", key))},
        category_folds=folds,
        budget_folds=folds,
    )
    return lookup.look_up(workshop.db, workshop.user_id, wanted)


def _split(workshop: Workshop, split: SourceSplit, known: Lookup) -> SplitDraft:
    source, destination = (
        known.accounts.get(workshop.find("accounts", key) or 0) for key in (split.source, split.destination)
    )
    if source is None or destination is None:
        raise Unfitting("one of its accounts is missing.")
    currency = workshop.currency(split.currency)
    foreign = None
    if split.foreign_amount and split.foreign_currency:
        other = workshop.currency(split.foreign_currency)
        foreign = Money(units=workshop.units(split.foreign_amount, other, "A recurrence"), currency=other)
    return SplitDraft(
        source=source,
        destination=destination,
        amount=Money(units=workshop.units(split.amount, currency, "A recurrence"), currency=currency),
        foreign=foreign,
        description=in_one_line(split.description, DESCRIPTION_MAX) or None,
        reconciled=False,
        category=known.categories_named.get(fold(split.category)) if split.category else None,
        budget=known.budgets_named.get(fold(split.budget)) if split.budget else None,
    )


MAKERS: dict[str, Maker] = {
    "rule_groups": _make_rule_group,
    "rules": _make_rule,
    "recurrences": _make_recurrence,
}
