"""Makes suggestions for drafts and for stored transactions."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain

from farthing.books.transactions import booked
from farthing.books.transactions.line_names import label_names
from farthing.books.transactions.model import LabelName
from farthing.kernel.text import fold
from farthing.ledger.kinds import FLOWING, Kind, Type
from farthing.storage.unit import Unit

from . import evidence as reading
from . import payees, refunds, rule_offers, weighing
from .model import BECAUSE_MAX, EarlierSplit, Evidence, LabelSuggestion, RefundSuggestion, Suggestion, SuggestionSubject
from .weighing import Likely, Match

# A suggestion with less confidence is not worth showing.
CONFIDENCE_MIN = 0.3
# A tag is suggested if it is more likely than not.
_TAG_CONFIDENCE_MIN = 0.5
_TAGS_MAX = 3
# Subjects that are looked up together. A statement can search for only some hundred payees.
_AT_ONCE = 100
# The confidence in an existing payee named in the text, and in a new name that is made from the text.
_NAMED_CONFIDENCE, _CLEANED_CONFIDENCE = 0.8, 0.5

_Best = Likely[int] | None


class _Findings:
    """Finds labels and payees for one subject in the evidence. Labels are represented by their ids."""

    def __init__(self, subject: SuggestionSubject, evidence: Evidence) -> None:
        self.subject = subject
        self._evidence = evidence
        self.named_payees = reading.list_named(evidence.payees.values(), subject)
        words = reading.choose_words(subject, evidence.frequencies)
        payee_ids = {payee.id for payee in self.named_payees}
        entry_ids = chain(
            *(evidence.by_word.get(word, ()) for word in words), *(evidence.by_payee.get(id_, ()) for id_ in payee_ids)
        )
        self.matches = weighing.find_matches(subject, evidence, entry_ids, payee_ids)
        self.category = self._find_category()
        self.budget = self._find_budget()
        self.tags = self._find_tags()
        self.refund: RefundSuggestion | None = None

    def follow_purchase(self, refund: RefundSuggestion) -> None:
        """Suggests a refund, and the labels of its purchase if the subject has none."""
        purchase, self.refund = refund.purchase, refund
        match = Match(purchase, similarity=1.0, rarity=1.0, same_payee=True, same_amount=True)
        if purchase.category_id and self.subject.category_id is None:
            self.category = Likely(purchase.category_id, refund.confidence, [match])
        if purchase.budget_id and self.subject.budget_id is None:
            self.budget = Likely(purchase.budget_id, refund.confidence, [match])

    def _find_category(self) -> _Best:
        if self.subject.category_id is not None:
            return None
        labelled = [match for match in self.matches if match.split.category_id is not None]
        return _if_sure(weighing.find_likely(labelled, _category_of))

    def _find_budget(self) -> _Best:
        """Finds the budget used by transactions in the same category. Having no budget is also a possible choice."""
        if self.subject.budget_id is not None or not self.subject.takes_budget:
            return None
        return _if_sure(weighing.find_likely(self._of_category(), _budget_of))

    def _find_tags(self) -> list[Likely[int]]:
        matches = self._of_category()
        counts = Counter(chain.from_iterable(self._tags_of(match.split) for match in matches))
        layers = weighing.arrange(matches) if counts else []
        likely = []
        for tag_id, _ in counts.most_common(_TAGS_MAX):
            has_tag = partial(self._has_tag, tag_id)
            confidence = weighing.weigh(layers, has_tag).get(True, 0.0)
            if tag_id not in self.subject.tag_ids and confidence >= _TAG_CONFIDENCE_MIN:
                likely.append(Likely(tag_id, confidence, weighing.find_telling(matches, has_tag, True)))
        return sorted(likely, key=lambda tag: -tag.confidence)

    def _of_category(self) -> list[Match]:
        category_id = self.subject.category_id or (self.category.label if self.category else None)
        labelled = [match for match in self.matches if self._is_labelled(match.split)]
        return [match for match in labelled if match.split.category_id == category_id] or labelled

    def _is_labelled(self, split: EarlierSplit) -> bool:
        return bool(split.category_id or split.budget_id or self._tags_of(split))

    def _tags_of(self, split: EarlierSplit) -> frozenset[int]:
        return self._evidence.tags.get(split.entry_id, frozenset())

    def _has_tag(self, tag_id: int, split: EarlierSplit) -> bool:
        return tag_id in self._tags_of(split)

    def suggest_payee(self) -> LabelSuggestion | None:
        """Suggests the payee of transactions with the same text, or else one named in the text, or else a new one."""
        subject = self.subject
        if subject.type not in FLOWING:
            return None
        cleaned = payees.clean(subject.payee or subject.description)
        if subject.payee is not None and fold(cleaned) == fold(subject.payee):
            return None
        sure = [
            match for match in self.matches if match.similarity >= weighing.SAME and _has_other_payee(match, subject)
        ]
        best = _if_sure(weighing.find_likely(sure, _payee_of))
        if best:
            return _suggestion(LabelName(best.label, best.matches[0].split.payee), best)
        for payee in self.named_payees:
            if payee.name_fold != fold(subject.payee or ""):
                return LabelSuggestion(payee.id, payee.name, _NAMED_CONFIDENCE, ())
        is_written_by_bank = cleaned and cleaned != subject.description
        return LabelSuggestion(None, cleaned, _CLEANED_CONFIDENCE, ()) if is_written_by_bank else None


def find(db: Unit, user_id: int, subjects: Sequence[SuggestionSubject]) -> list[Suggestion]:
    """Makes a suggestion for each subject, in the same order. Needs a handful of queries for every 100 subjects."""
    firsts = range(0, len(subjects), _AT_ONCE)
    return [made for first in firsts for made in _find_some(db, user_id, subjects[first : first + _AT_ONCE])]


def _find_some(db: Unit, user_id: int, subjects: Sequence[SuggestionSubject]) -> list[Suggestion]:
    evidence = reading.gather(db, user_id, subjects)
    findings = [_Findings(subject, evidence) for subject in subjects]
    for index, refund in refunds.find(db, user_id, subjects, evidence).items():
        if refund.confidence >= CONFIDENCE_MIN:
            findings[index].follow_purchase(refund)
    names = {
        table: label_names(db, user_id, table, {likely.label for one in findings for likely in of(one) if likely})
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
    """Suggests the labels that stored splits lack. Skips ids that do not exist."""
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
        deposited_on=split.on if split.type == Type.DEPOSIT and not split.refund else None,
        currency_id=split.currency.id,
    )


def _has_other_payee(match: Match, subject: SuggestionSubject) -> bool:
    return match.split.payee_kind != Kind.CASH and match.split.payee != subject.payee


def _category_of(split: EarlierSplit) -> int | None:
    return split.category_id


def _budget_of(split: EarlierSplit) -> int | None:
    return split.budget_id


def _payee_of(split: EarlierSplit) -> int | None:
    return split.payee_id


def _if_sure(likely: Likely[int | None] | None) -> _Best:
    """Returns None if the confidence is too low, or if having no label is the most likely."""
    if likely is None or likely.label is None or likely.confidence < CONFIDENCE_MIN:
        return None
    return Likely(likely.label, likely.confidence, likely.matches)


def _suggest(findings: _Findings, names: Mapping[str, Mapping[int, LabelName]]) -> Suggestion:
    category, budget = findings.category, findings.budget
    return Suggestion(
        subject=findings.subject,
        category=_suggestion(names["categories"][category.label], category) if category else None,
        budget=_suggestion(names["budgets"][budget.label], budget) if budget else None,
        tags=[_suggestion(names["tags"][tag.label], tag) for tag in findings.tags],
        payee=findings.suggest_payee(),
        refund=findings.refund,
    )


def _suggestion(label: LabelName, likely: Likely[int]) -> LabelSuggestion:
    because: dict[int, EarlierSplit] = {}
    for match in likely.matches:
        because.setdefault(match.split.entry_id, match.split)
    return LabelSuggestion(label.id, label.name, round(likely.confidence, 3), [*because.values()][:BECAUSE_MAX])
