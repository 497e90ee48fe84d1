"""Which rows of a kept sum make up a range of days? Whole months between, and the days at both ends."""


def in_range(sums: str, start: str, end: str) -> tuple[str, str, str]:
    """Three conditions that do not overlap; each can use an index that ends in (grain, period).

    `sums` is the alias of the kept sums, `start` and `end` are SQL expressions for days.
    """
    first, last = f"substr({start}, 1, 7)", f"substr({end}, 1, 7)"
    month, day, period = f"{sums}.grain = 'month'", f"{sums}.grain = 'day'", f"{sums}.period"
    return (
        f"{month} AND {period} > {first} AND {period} < {last}",
        f"{day} AND {period} >= {start} AND {period} <= {end} AND {period} <= {first} || '-99'",
        f"{day} AND {period} > {last} AND {period} <= {end} AND {last} > {first}",
    )


# Halves of 32 bits are summed apart: each sum stays within 64 bits, however large the amounts.
HALVES = "SUM({column} >> 32), SUM({column} & 4294967295)"


def joined(high: int | None, low: int | None) -> int:
    return (int(high or 0) << 32) + int(low or 0)
