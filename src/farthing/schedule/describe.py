"""Describes a repetition in words."""

from calendar import day_name, month_name
from functools import lru_cache

from .repetition import LAST, Repetition, RepetitionType


@lru_cache(maxsize=1000)
def in_words(repetition: Repetition) -> str:
    match repetition.type:
        case RepetitionType.DAILY:
            return "Every day"
        case RepetitionType.WEEKLY:
            return f"Every week on {day_name[int(repetition.moment) - 1]}"
        case RepetitionType.MONTHLY if repetition.moment == LAST:
            return "Every month on the last day"
        case RepetitionType.MONTHLY:
            return f"Every month on the {repetition.moment}(st/nd/rd/th) day"
        case RepetitionType.NDOM:
            week, weekday = repetition.moment.split(",")
            which = LAST if week == LAST else f"{week}(st/nd/rd/th)"
            return f"Every month on the {which} {day_name[int(weekday) - 1]}"
        case RepetitionType.YEARLY:
            month, day = int(repetition.moment[5:7]), int(repetition.moment[8:10])
            return f"Every year on {month_name[month]} {day}"
