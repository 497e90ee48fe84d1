// Builds the body of a bulk edit: only the chosen changes.
import type { components } from '$/api/schema';

export interface Changes {
  category: 'leave' | 'set' | 'none';
  categoryName: string;
  budget: 'leave' | 'set' | 'none';
  budgetName: string;
  tags: 'leave' | 'add' | 'remove' | 'replace';
  tagNames: string[];
}

type Body = components['schemas']['RelabelLabels'];

export function changesOf({ category, categoryName, budget, budgetName, tags, tagNames }: Changes): Body {
  return {
    ...(category === 'set' && { category_name: categoryName.trim() }),
    ...(category === 'none' && { category_id: null }),
    ...(budget === 'set' && { budget_name: budgetName.trim() }),
    ...(budget === 'none' && { budget_id: null }),
    ...(tags === 'replace' && { tags: tagNames }),
    ...(tags === 'add' && { add_tags: tagNames }),
    ...(tags === 'remove' && { remove_tags: tagNames }),
  };
}

/** True when no change was chosen, or a chosen change has no value. */
export function isIncomplete(changes: Changes): boolean {
  const { category, categoryName, budget, budgetName, tags, tagNames } = changes;
  const isHalf =
    (category === 'set' && !categoryName.trim()) ||
    (budget === 'set' && !budgetName.trim()) ||
    ((tags === 'add' || tags === 'remove') && !tagNames.length);
  return isHalf || (category === 'leave' && budget === 'leave' && tags === 'leave');
}
