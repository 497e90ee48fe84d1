// Stacks values upon each other: those above zero upwards, those below downwards.

export interface Block {
  from: number;
  to: number;
}

/** For each series and point, where its block begins and ends. */
export function stackUp(heights: number[][]): Block[][] {
  const points = heights[0]?.length ?? 0;
  const above = new Array<number>(points).fill(0);
  const below = new Array<number>(points).fill(0);
  return heights.map((values) =>
    values.map((value, at) => {
      const side = value < 0 ? below : above;
      const from = side[at]!;
      side[at] = from + value;
      return { from, to: side[at]! };
    }),
  );
}

/** An area between two edges, for values that are all on one side of zero. */
export function areaPath(blocks: Block[], x: (at: number) => number, y: (height: number) => number): string {
  const there = blocks.map(({ to }, at) => `${at ? 'L' : 'M'}${x(at).toFixed(1)} ${y(to).toFixed(1)}`);
  const back = blocks.map(({ from }, at) => `L${x(at).toFixed(1)} ${y(from).toFixed(1)}`).reverse();
  return [...there, ...back, 'Z'].join('');
}
