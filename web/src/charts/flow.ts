// Lays out a picture of flows: sources on the left, uses on the right, each as high as its amount.

import type { Series } from './series';

export interface FlowNode {
  key: string;
  name: string;
  side: 'source' | 'all' | 'use';
  units: bigint;
  kind?: Series['kind'];
  /** The class of its colour; by default its place decides. */
  colour?: string;
  /** The list behind it. */
  href?: string | undefined;
}
export interface FlowLink {
  source: string;
  target: string;
  units: bigint;
}
export interface PlacedNode extends FlowNode {
  x: number;
  y: number;
  height: number;
  /** Counts the nodes of its side, for its colour. */
  number: number;
}
export interface PlacedLink extends FlowLink {
  path: string;
}
export interface FlowLayout {
  nodes: PlacedNode[];
  links: PlacedLink[];
  height: number;
}

const NODE_WIDTH = 10;
/** Room for a label of one or two lines, however thin its node is. */
export const [ONE_LINE, TWO_LINES] = [20, 36];
const LEAST_HEIGHT = 220;
const SIDES = ['source', 'all', 'use'] as const;

/** Every amount has the same scale, so that what flows in is exactly as high as what flows out. */
export function layOutFlow(nodes: FlowNode[], links: FlowLink[], width: number, gap = ONE_LINE): FlowLayout {
  const bySide = SIDES.map((side) => nodes.filter((node) => node.side === side));
  const most = bySide.reduce((most, side) => {
    const sum = side.reduce((sum, { units }) => sum + units, 0n);
    return sum > most ? sum : most;
  }, 1n);
  const gaps = Math.max(...bySide.map((side) => side.length - 1), 0) * gap;
  const scale = (units: bigint): number => (Number(units) / Number(most)) * LEAST_HEIGHT;
  const height = LEAST_HEIGHT + gaps;
  const placed = bySide.flatMap((side, column) => place(side, ((width - NODE_WIDTH) * column) / 2, height, gap, scale));
  return { nodes: placed, links: connect(placed, links, scale), height };
}

/** One above the other, in the middle of the height. */
function place(
  side: FlowNode[],
  x: number,
  height: number,
  gap: number,
  scale: (units: bigint) => number,
): PlacedNode[] {
  const heights = side.map(({ units }) => scale(units));
  const used = heights.reduce((sum, one) => sum + one, 0) + gap * (side.length - 1);
  let y = (height - used) / 2;
  return side.map((node, number) => {
    const at = { ...node, x, y, height: heights[number]!, number };
    y += at.height + gap;
    return at;
  });
}

/** Links leave and reach a node one below the other, in the order of the nodes. */
function connect(nodes: PlacedNode[], links: FlowLink[], scale: (units: bigint) => number): PlacedLink[] {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const left = new Map<string, number>();
  const reached = new Map<string, number>();
  return links.flatMap((link) => {
    const [from, to] = [byKey.get(link.source), byKey.get(link.target)];
    if (!from || !to) return [];
    const thick = scale(link.units);
    const [start, end] = [from.y + (left.get(from.key) ?? 0), to.y + (reached.get(to.key) ?? 0)];
    left.set(from.key, start - from.y + thick);
    reached.set(to.key, end - to.y + thick);
    return [{ ...link, path: bend(from.x + NODE_WIDTH, start, to.x, end, thick) }];
  });
}

function bend(x1: number, y1: number, x2: number, y2: number, thick: number): string {
  const middle = (x1 + x2) / 2;
  return (
    `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}` +
    `v${thick}C${middle} ${y2 + thick} ${middle} ${y1 + thick} ${x1} ${y1 + thick}Z`
  );
}

/** `12.3`, computed from whole units. */
export function percentOf(part: bigint, whole: bigint): number {
  return whole ? Number((part * 10_000n) / whole) / 10_000 : 0;
}
