import { expect, test } from 'vitest';
import { completeCards, type Card } from '$/session/cards';
import { toBands } from './cards';

const named = (names: string[]): Card[] => names.map((card) => ({ ...completeCards([])[0]!, card: card as 'bills' }));
const shape = (cards: Card[], isNarrow = false) =>
  toBands(cards, isNarrow).map(({ whole, columns }) => [
    whole?.card,
    ...columns.map((all) => all.map(({ card }) => card)),
  ]);

test('cards go left and right in turn, and one as wide as the page begins anew', () => {
  const cards = named(['net_worth', 'bills', 'recent', 'figures', 'accounts', 'coming']);
  expect(shape(cards)).toEqual([
    [undefined, ['net_worth', 'recent'], ['bills']],
    ['figures', ['accounts'], ['coming']],
  ]);
  expect(shape(cards, true)[0]).toEqual([undefined, ['net_worth', 'bills', 'recent'], []]);
  expect(shape(cards.map((card) => ({ ...card, shown: card.card === 'coming' })))).toEqual([
    [undefined, ['coming'], []],
  ]);
});
