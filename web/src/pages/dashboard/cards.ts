// Where the cards of the dashboard go: as wide as the page, or in two columns, left and right in turn.
import type { Card } from '$/session/cards';
import { t } from '$/messages';

export interface Band {
  /** Goes across the page. */
  whole: Card | null;
  columns: [Card[], Card[]];
}

export const titleOf = ({ card, name }: Card): string => name || t.dashboard.cards[card];

/** A card as wide as the page ends the columns above it. On a narrow screen there is only the first column. */
export function toBands(cards: Card[], isNarrow: boolean): Band[] {
  const bands: Band[] = [];
  let next = 0;
  for (const card of cards.filter(({ shown }) => shown)) {
    const isWhole = card.card === 'figures';
    if (isWhole || !bands.length) bands.push({ whole: isWhole ? card : null, columns: [[], []] });
    if (isWhole) next = 0;
    else bands.at(-1)!.columns[!isNarrow && next++ % 2 ? 1 : 0].push(card);
  }
  return bands;
}
