"""Checks the database file and all foreign keys."""

from collections.abc import Iterator

from farthing.storage.drivers import catalog
from farthing.storage.unit import Unit

from .basics.finding import DoctorFinding


def integrity(db: Unit) -> Iterator[DoctorFinding]:
    for damage in catalog.find_damage(db):
        yield DoctorFinding("integrity", f"The database file is damaged: {damage}")


def dangling(db: Unit) -> Iterator[DoctorFinding]:
    """Finds rows whose foreign keys refer to no row, or to a row of another user."""
    for which, parent in catalog.find_dangling(db):
        yield DoctorFinding("reference", f"{which} refers to {parent}, where there is no such row.")
