// Registers an app's webhook with Viber; a bot without one may not send. Viber calls the address
// first, and refuses it if that fails. Every refusal is a 200 with a number in its body.

import type { AdapterContext } from '../port/adapter.ts';
import { parseObject } from '../port/json.ts';
import type { WebhookRegistration } from '../port/outcome.ts';
import {
  refusedWebhook,
  unansweredWebhook,
  unreachableWebhook,
} from '../port/webhook-registration.ts';
import { type ViberCredential, viber } from './channel.ts';
import { viberErrors } from './errors.ts';

/** Viber always sends subscriptions, departures and messages. */
const eventTypes = [
  'delivered',
  'seen',
  'failed',
  'subscribed',
  'unsubscribed',
  'conversation_started',
];

/** Registers the bot's address; repeating it changes nothing. */
export async function registerViber(
  { config, outbound }: Pick<AdapterContext, 'config' | 'outbound'>,
  url: string,
  credential: unknown,
): Promise<WebhookRegistration> {
  const unreachable = unreachableWebhook(url, config);
  if (unreachable !== undefined) return unreachable;
  const { authToken } = credential as ViberCredential;
  const result = await outbound.call({
    method: 'POST',
    url: `${config.urls.VIBER ?? viber.urls.VIBER}/pa/set_webhook`,
    destination: 'trusted',
    headers: { 'content-type': 'application/json', 'x-viber-auth-token': authToken },
    body: JSON.stringify({ url, event_types: eventTypes, send_name: false, send_photo: false }),
  });
  if (result.kind !== 'answered') return unansweredWebhook(result);
  const { status: code, status_message: said } = parseObject(result.body);
  if (result.status === 200 && code === 0) return { registered: true };
  const known = typeof code === 'number' ? viberErrors[code]?.[1] : undefined;
  const words = `status ${String(code ?? result.status)}: ${String(said ?? '')}`;
  return refusedWebhook(known ?? `http_${result.status}`, words, [authToken]);
}
