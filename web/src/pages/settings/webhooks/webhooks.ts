// The events that people choose from, and the body of a request.
import type { Webhook, WebhookBody } from '$/api/types';
import { seldom } from '$/messages/seldom';

export const EVENTS = Object.keys(seldom.webhooks.kinds).filter((event) => event !== 'webhook.test');

export const toBody = (
  values: Pick<Webhook['attributes'], 'title' | 'url' | 'active' | 'events' | 'budget_percentages'>,
): WebhookBody => ({
  title: values.title,
  url: values.url,
  active: values.active,
  events: values.events as WebhookBody['events'],
  budget_percentages: values.budget_percentages,
});

export function stateOf({
  active,
  paused_at,
  failing_since,
}: Webhook['attributes']): keyof typeof seldom.webhooks.states {
  if (!active) return 'inactive';
  if (paused_at) return 'paused';
  return failing_since ? 'failing' : 'active';
}
