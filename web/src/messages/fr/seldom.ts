// The messages of pages that few people open: a file of their own, which no other visit loads.
import type { Seldom } from '../loading';
import { apps } from './apps';
import { factors } from './factors';
import { webhooks } from './webhooks';

export const seldom: Seldom = { apps, factors, webhooks };
