// Says why an entry that waited was not stored.
import { t } from '$/messages';
import { inRegion } from '$/session/sentences';
import type { Refusal } from './store';

export function explainRefusal({ status, message, fields }: Refusal): string {
  if (status === 0) return t.offline.unsure;
  if (status === 404) return t.errors.gone;
  if (status === 412) return t.errors.conflict;
  const reasons = Object.values(fields).flat();
  return inRegion(reasons.length ? reasons.join(' ') : message);
}
