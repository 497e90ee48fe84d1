// A planned date, as the API shows it.
import type { components } from '$/api/schema';

export type Occurrence = components['schemas']['OccurrenceShown'];
