// The messages of pages that few people open: a file of their own, which no other visit loads.
import { apps } from './apps';
import { activity, scopes } from './doors';
import { factors } from './factors';
import { rules } from './rules';
import { webhooks } from './webhooks';

export const seldom = { activity, apps, factors, rules, scopes, webhooks };
