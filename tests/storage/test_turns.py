"""Long work in turns: the lock is given back again and again."""

from itertools import count

from farthing.storage.turns import work_off


def test_the_lock_is_given_back_as_soon_as_it_was_held_for_long(new_database):
    """Each step takes ten milliseconds, and twenty-five may pass: three steps, then everybody else."""
    steps, ticks, rests = iter([5] * 7 + [0]), count(), []
    units = []

    def step(db):
        units.append(db)
        return next(steps)

    done = work_off(
        new_database, step, held_s_max=0.025, clock=lambda: next(ticks) * 0.01, rest=lambda _s: rests.append(len(units))
    )

    assert done == 35
    assert rests == [3, 6]
    assert len({id(one) for one in units}) == 3
