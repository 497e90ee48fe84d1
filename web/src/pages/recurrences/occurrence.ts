// What becomes of a planned day? As the API tells it.
import type { components } from '$/api/schema';

export type Occurrence = components['schemas']['OccurrenceShown'];
