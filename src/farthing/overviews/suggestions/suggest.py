"""Makes suggestions for drafts and for stored transactions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain

from farthing.books.transactions import booked
from farthing.books.transactions.line_names import label_names
from farthing.books.transactions.model import LabelName
from farthing.kernel.text import fold
from farthing.ledger.kinds import FLOWING, Kind
from farthing.storage.unit import Unit

from . import evidence as reading
from . import payees, rule_offers, weighing
from .model import BECAUSE_MAX, EarlierSplit, Evidence, LabelSuggestion, Suggestion, SuggestionSubject
from .weighing import Match, Outcome

# Less is not worth showing.
CONFIDENCE_MIN = 0.3
# A tag is suggested if it is more likely than not.
_TAG_CONFIDENCE_MIN = 0.5
# A payee that the text names, and a name that is made of the text alone.
_NAMED_CONFIDENCE, _CLEANED_CONFIDENCE = 0.8, 0.5

_Best = tuple[int, Outcome] | None


class _Findings:
    """Says what the evidence tells of one subject, by ids."""

    def __init__(self, subject: SuggestionSubject, evidence: Evidence) -> None:
        self.subject = subject
        self._evidence = evidence
        named = [payee for payee in evidence.payees.values() if _is_named(payee.name_fold, subject)]
        self.named_payees = sorted(named, key=lambda payee: (-len(payee.name), payee.id))
        words = reading.choose_words(subject, evidence.frequencies)
        payee_ids = [payee.id for payee in named]
        entry_ids = chain(
            *(evidence.by_word.get(word, ()) for word in words), *(evidence.by_payee.get(id_, ()) for id_ in payee_ids)
        )
        self.matches = weighing.find_matches(subject, evidence, entry_ids, payee_ids)
        self.category = self._find_category()
        self.budget = self._find_budget()
        self.tags = self._find_tags()

    def _find_category(self) -> _Best:
        if self.subject.category_id is not None:
            return None
        labelled = [match for match in self.matches if match.split.category_id is not None]
        return _best(weighing.weigh(labelled, lambda split: split.category_id))

    def _find_budget(self) -> _Best:
        """Finds the budget that transactions of the same category have; none counts as well."""
        if self.subject.budget_id is not None or not self.subject.takes_budget:
            return None
        return _best(weighing.weigh(self._of_category(), lambda split: split.budget_id))

    def _find_tags(self) -> list[tuple[int, Outcome]]:
        matches = self._of_category()
        tag_ids = set().union(*(self._tags_of(match.split) for match in matches)) - self.subject.tag_ids
        outcomes = {tag_id: weighing.weigh(matches, partial(self._has_tag, tag_id)).get(True) for tag_id in tag_ids}
        likely = [(id_, one) for id_, one in outcomes.items() if one and one.confidence >= _TAG_CONFIDENCE_MIN]
        return sorted(likely, key=lambda found: -found[1].confidence)

    def _of_category(self) -> list[Match]:
        category_id = self.subject.category_id or (self.category[0] if self.category else None)
        labelled = [match for match in self.matches if match.split.category_id or match.split.budget_id]
        return [match for match in labelled if match.split.category_id == category_id] or labelled

    def _tags_of(self, split: EarlierSplit) -> frozenset[int]:
        return self._evidence.tags.get(split.entry_id, frozenset())

    def _has_tag(self, tag_id: int, split: EarlierSplit) -> bool:
        return tag_id in self._tags_of(split)

    def suggest_payee(self) -> LabelSuggestion | None:
        """Suggests the payee that the same text had before, or one that it names, or a name made of it."""
        subject = self.subject
        if subject.type not in FLOWING:
            return None
        cleaned = payees.clean(subject.payee or subject.description)
        if subject.payee is not None and fold(cleaned) == fold(subject.payee):
            return None
        sure = [
            match for match in self.matches if match.similarity >= weighing.SAME and _has_other_payee(match, subject)
        ]
        best = _best(weighing.weigh(sure, lambda split: split.payee_id))
        if best:
            split = best[1].matches[0].split
            return _suggestion(LabelName(split.payee_id, split.payee), best[1])
        for payee in self.named_payees:
            if payee.name_fold != fold(subject.payee or ""):
                return LabelSuggestion(payee.id, payee.name, _NAMED_CONFIDENCE, ())
        return LabelSuggestion(None, cleaned, _CLEANED_CONFIDENCE, ()) if cleaned else None


def find(db: Unit, user_id: int, subjects: Sequence[SuggestionSubject]) -> list[Suggestion]:
    """Makes a suggestion for each subject, in their order, with a handful of queries for all."""
    evidence = reading.gather(db, user_id, subjects)
    findings = [_Findings(subject, evidence) for subject in subjects]
    names = {
        table: label_names(db, user_id, table, {found[0] for one in findings for found in of(one) if found})
        for table, of in _LABELS.items()
    }
    suggestions = [_suggest(one, names) for one in findings]
    return rule_offers.add(db, user_id, suggestions, [one.matches for one in findings])


_LABELS: Mapping[str, Callable[[_Findings], Iterable[_Best]]] = {
    "categories": lambda one: [one.category],
    "budgets": lambda one: [one.budget],
    "tags": lambda one: one.tags,
}


def find_for_stored(db: Unit, user_id: int, split_ids: Sequence[int]) -> list[Suggestion]:
    """Makes suggestions for what stored splits lack; ids that do not exist are left out."""
    splits = reading.read_splits(db, user_id, split_ids)
    tags = booked.tags_of(db, user_id, sorted({split.entry_id for split in splits.values()}))
    subjects = [
        _subject_of(splits[split_id], frozenset(tags.get(splits[split_id].entry_id, ())))
        for split_id in split_ids
        if split_id in splits
    ]
    return find(db, user_id, subjects)


def _subject_of(split: EarlierSplit, tag_ids: frozenset[int]) -> SuggestionSubject:
    return SuggestionSubject(
        type=split.type,
        description=" ".join([split.description, split.part or ""]),
        payee=None if split.payee_kind == Kind.CASH else split.payee,
        amount=split.amount,
        split_id=split.id,
        entry_id=split.entry_id,
        category_id=split.category_id,
        budget_id=split.budget_id,
        takes_budget=split.takes_budget,
        tag_ids=tag_ids,
    )


def _is_named(name_fold: str, subject: SuggestionSubject) -> bool:
    """Tells whether this is the payee of the subject, perhaps as its bank writes it, or named in its text."""
    if subject.payee is not None and name_fold == fold(subject.payee):
        return True
    text = subject.payee or subject.description
    cleaned = fold(payees.clean(text))
    words = frozenset(fold(text).split())
    return fold(payees.clean(name_fold)) == cleaned or (bool(name_fold) and words.issuperset(name_fold.split()))


def _has_other_payee(match: Match, subject: SuggestionSubject) -> bool:
    return match.split.payee_kind != Kind.CASH and match.split.payee != subject.payee


def _best(outcomes: Mapping[int | None, Outcome]) -> _Best:
    label = weighing.find_best(outcomes)
    if label is None or outcomes[label].confidence < CONFIDENCE_MIN:
        return None
    return label, outcomes[label]


def _suggest(findings: _Findings, names: Mapping[str, Mapping[int, LabelName]]) -> Suggestion:
    category, budget = findings.category, findings.budget
    return Suggestion(
        subject=findings.subject,
        category=_suggestion(names["categories"][category[0]], category[1]) if category else None,
        budget=_suggestion(names["budgets"][budget[0]], budget[1]) if budget else None,
        tags=[_suggestion(names["tags"][tag_id], outcome) for tag_id, outcome in findings.tags],
        payee=findings.suggest_payee(),
    )


def _suggestion(label: LabelName, outcome: Outcome) -> LabelSuggestion:
    because = {match.split.entry_id: match.split for match in reversed(outcome.matches)}
    newest = list(reversed(because.values()))[:BECAUSE_MAX]
    return LabelSuggestion(label.id, label.name, round(outcome.confidence, 3), newest)
