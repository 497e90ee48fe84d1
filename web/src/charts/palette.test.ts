import { expect, test } from 'vitest';
import { COLOURS } from '$/marks/icons';
import tokens from '$/styles/tokens.css?raw';

type Colour = [number, number, number];

// How the eyes of colour-blind people mix linear red, green and blue (Machado, Oliveira and Fernandes 2009, severity 1).
const EYES: Record<string, Colour[]> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
/** Distances in OKLab: 0.02 is just noticeable. */
const FAR = 0.1;
const FAR_FROM_REST = 0.07;

function pick(name: string): { light: Colour; dark: Colour } {
  const found = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens)!;
  return { light: toLinear(found[1]!), dark: toLinear(found[2]!) };
}

const toLinear = (hex: string): Colour =>
  [1, 3, 5].map((at) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as Colour;

const mix = (rows: Colour[], colour: Colour): Colour =>
  rows.map((row) => row.reduce((sum, share, at) => sum + share * colour[at]!, 0)) as Colour;
const seen = (colour: Colour, eye: string): Colour =>
  mix(EYES[eye]!, colour).map((value) => Math.min(1, Math.max(0, value))) as Colour;

const TO_CONES: Colour[] = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const TO_LAB: Colour[] = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];
const toLab = (colour: Colour): Colour => mix(TO_LAB, mix(TO_CONES, colour).map(Math.cbrt) as Colour);
const distance = (one: Colour, other: Colour): number => Math.hypot(...one.map((value, at) => value - other[at]!));

const luminance = ([red, green, blue]: Colour): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue;
function contrast(one: Colour, other: Colour): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const names = [0, 1, 2, 3, 4, 5, 6].map((number) => `data-${number}`);

test.each(['light', 'dark'] as const)('the colours of charts differ for every eye in the %s theme', (theme) => {
  const labs = (eye: string): Colour[] => names.map((name) => toLab(seen(pick(name)[theme], eye)));
  const close = Object.keys(EYES).flatMap((eye) =>
    labs(eye).flatMap((one, at, all) =>
      all.slice(at + 1).flatMap((other, beyond) => {
        const isRest = at + 1 + beyond === names.length - 1;
        const far = distance(one, other);
        return far < (isRest ? FAR_FROM_REST : FAR) ? [`${eye}: ${at} and ${at + 1 + beyond}: ${far.toFixed(3)}`] : [];
      }),
    ),
  );
  expect(close).toEqual([]);
});

test.each(['light', 'dark'] as const)('the colours of charts stand out from cards in the %s theme', (theme) => {
  const faint = names.filter((name) => contrast(pick(name)[theme], pick('card')[theme]) < 3);
  expect(faint).toEqual([]);
});

const hues = [...tokens.matchAll(/--(hue-\w+):/g)].map(([, name]) => name!);
test.each(['light', 'dark'] as const)('the colours of categories stand out from cards in the %s theme', (theme) => {
  expect(hues).toHaveLength(COLOURS.length);
  const faint = hues.filter((name) => contrast(pick(name)[theme], pick('card')[theme]) < 4.5);
  expect(faint).toEqual([]);
});

test('no colour of a chart is the colour of actions', () => {
  for (const theme of ['light', 'dark'] as const) {
    const rust = toLab(pick('accent')[theme]);
    for (const name of names) expect(distance(toLab(pick(name)[theme]), rust), name).toBeGreaterThan(FAR);
  }
});
