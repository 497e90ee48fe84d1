// Calculates what is typed into an amount field, such as `60+12.5` or `3*(4,20-1)`: with exact fractions of bigints, never with floats.

/** A fraction; `under` is positive. */
interface Fraction {
  over: bigint;
  under: bigint;
}

export type ArithmeticProblem =
  { kind: 'number'; text: string } | { kind: 'unfinished' | 'brackets' | 'zero' | 'long' };

export type Calculation = { units: bigint; isRounded: boolean } | { problem: ArithmeticProblem };

class Wrong extends Error {
  constructor(readonly problem: ArithmeticProblem) {
    super(problem.kind);
  }
}

const LENGTH_MAX = 200;
const DASHES = /[\u2010-\u2013\u2212\ufe63\uff0d]/g;
const OPERATORS = /[+\-*/()]/;

/** True if there is something to calculate. A sign before a single amount is not, nor are brackets around it: some people write negative amounts like that. */
export function isFormula(input: string): boolean {
  const parts = split(input);
  return parts.some((part, at) => '+-*/'.includes(part) && /[\d)]/.test(parts[at - 1] ?? ''));
}

/** `readNumber` reads a single number in the user's notation; null when it is none. */
export function calculate(input: string, decimals: number, readNumber: (text: string) => string | null): Calculation {
  try {
    if (input.length > LENGTH_MAX) throw new Wrong({ kind: 'long' });
    return round(new Reader(split(input), readNumber).read(), decimals);
  } catch (error) {
    if (error instanceof Wrong) return { problem: error.problem };
    throw error;
  }
}

function split(input: string): string[] {
  const plain = input.replace(DASHES, '-').replace(/[×·∙]/g, '*').replace(/÷/g, '/');
  return plain
    .split(new RegExp(`(${OPERATORS.source})`))
    .map((part) => part.trim())
    .filter(Boolean);
}

/** Reads sums of products of signed numbers and brackets. */
class Reader {
  #at = 0;

  constructor(
    readonly parts: string[],
    readonly readNumber: (text: string) => string | null,
  ) {}

  read(): Fraction {
    const found = this.#sum();
    if (this.#at < this.parts.length) throw new Wrong({ kind: this.#next === ')' ? 'brackets' : 'unfinished' });
    return found;
  }

  get #next(): string | undefined {
    return this.parts[this.#at];
  }

  #takes(...wanted: string[]): string | null {
    const next = this.#next;
    if (next === undefined || !wanted.includes(next)) return null;
    this.#at++;
    return next;
  }

  #sum(): Fraction {
    let found = this.#product();
    for (let sign = this.#takes('+', '-'); sign; sign = this.#takes('+', '-')) {
      const { over, under } = this.#product();
      const added = sign === '+' ? over : -over;
      found = { over: found.over * under + added * found.under, under: found.under * under };
    }
    return found;
  }

  #product(): Fraction {
    let found = this.#signed();
    for (let sign = this.#takes('*', '/'); sign; sign = this.#takes('*', '/')) {
      const by = this.#signed();
      found = sign === '*' ? multiply(found, by) : multiply(found, invert(by));
    }
    return found;
  }

  #signed(): Fraction {
    const sign = this.#takes('+', '-');
    const found = this.#single();
    return sign === '-' ? { over: -found.over, under: found.under } : found;
  }

  #single(): Fraction {
    if (this.#takes('(')) {
      const found = this.#sum();
      if (!this.#takes(')')) throw new Wrong({ kind: this.#next === undefined ? 'brackets' : 'unfinished' });
      return found;
    }
    const text = this.#next;
    if (text === undefined || OPERATORS.test(text)) throw new Wrong({ kind: 'unfinished' });
    this.#at++;
    return toFraction(text, this.readNumber(text));
  }
}

function toFraction(text: string, read: string | null): Fraction {
  if (read === null) throw new Wrong({ kind: 'number', text });
  const [whole = '', decimals = ''] = read.split('.');
  return { over: BigInt(whole + decimals), under: 10n ** BigInt(decimals.length) };
}

function multiply(one: Fraction, other: Fraction): Fraction {
  return { over: one.over * other.over, under: one.under * other.under };
}

function invert({ over, under }: Fraction): Fraction {
  if (over === 0n) throw new Wrong({ kind: 'zero' });
  return over < 0n ? { over: -under, under: -over } : { over: under, under: over };
}

/** To the smallest unit; half a unit is rounded away from zero, as people do it. */
function round({ over, under }: Fraction, decimals: number): { units: bigint; isRounded: boolean } {
  const scaled = over * 10n ** BigInt(decimals);
  const size = scaled < 0n ? -scaled : scaled;
  const units = (2n * size + under) / (2n * under);
  return { units: scaled < 0n ? -units : units, isRounded: size % under !== 0n };
}
