// The messages of pages that few people open: a file of their own, which no other visit loads.
import type { Seldom } from '../loading';
import { apps } from './apps';
import { factors } from './factors';
import { imports } from './imports';
import { recurrences } from './recurrences';
import { rules } from './rules';
import { activity, sharing } from './sharing-pages';
import { webhooks } from './webhooks';

export const seldom: Seldom = { activity, apps, factors, imports, recurrences, rules, sharing, webhooks };
