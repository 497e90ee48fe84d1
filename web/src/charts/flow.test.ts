import { expect, test } from 'vitest';
import { layOutFlow, percentOf, type FlowNode } from './flow';

const nodes: FlowNode[] = [
  { key: 'pay', name: 'Pay', side: 'source', units: 150_000n },
  { key: 'gift', name: 'Gift', side: 'source', units: 50_000n },
  { key: 'all', name: 'Income', side: 'all', units: 200_000n },
  { key: 'rent', name: 'Rent', side: 'use', units: 60_000n },
  { key: 'saved', name: 'Saved', side: 'use', units: 140_000n },
];
const links = [
  { source: 'pay', target: 'all', units: 150_000n },
  { source: 'gift', target: 'all', units: 50_000n },
  { source: 'all', target: 'rent', units: 60_000n },
  { source: 'all', target: 'saved', units: 140_000n },
];

test('a node is as high as its amount, and what flows in is as high as what flows out', () => {
  const { nodes: placed } = layOutFlow(nodes, links, 600);
  const [pay, gift, all, rent, saved] = placed.map(({ height }) => height);
  expect(pay! / gift!).toBeCloseTo(3);
  expect(pay! + gift!).toBeCloseTo(all!);
  expect(rent! + saved!).toBeCloseTo(all!);
});

test('nodes do not overlap and stay within the picture', () => {
  const { nodes: placed, height } = layOutFlow(nodes, links, 600);
  for (const side of ['source', 'use']) {
    const [upper, lower] = placed.filter((node) => node.side === side);
    expect(upper!.y).toBeGreaterThanOrEqual(0);
    expect(upper!.y + upper!.height).toBeLessThan(lower!.y);
    expect(lower!.y + lower!.height).toBeLessThanOrEqual(height);
  }
});

test('links leave a node one below the other', () => {
  const { nodes: placed, links: drawn } = layOutFlow(nodes, links, 600);
  const all = placed.find(({ key }) => key === 'all')!;
  const starts = drawn.slice(2).map(({ path }) => Number(/^M\S+ ([\d.]+)C/.exec(path)![1]));
  expect(starts[0]).toBeCloseTo(all.y);
  expect(starts[1]! - starts[0]!).toBeCloseTo(all.height * 0.3);
});

test('a share of huge amounts is exact', () => {
  expect(percentOf(1n, 3n)).toBe(0.3333);
  expect(percentOf(90_000_000_000_000_000n, 180_000_000_000_000_000n)).toBe(0.5);
  expect(percentOf(5n, 0n)).toBe(0);
});
