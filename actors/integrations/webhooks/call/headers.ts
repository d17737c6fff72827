// The headers of an attempt. A webhook gets ours and those of Standard Webhooks; an app's legacy
// webhook the four that it always had; a chat workspace none of them. Pure.

import type { WebhookAttempt } from './attempt.ts';
import { Signing } from './signature.ts';

/** The receiver's own headers first: ours win over one of the same name. */
export function headersOf(attempt: WebhookAttempt): Record<string, string> {
  const { deliveryId, type, event, receiver, body, isReplayed, atMs } = attempt;
  const headers: Record<string, string> = { ...receiver.headers };
  headers['content-type'] = 'application/json';
  headers['user-agent'] = 'Engage-Webhooks';
  if (type === 'slack') return headers;
  const timestamp = String(Math.floor(atMs / 1000));
  headers['x-engage-event'] = event;
  headers['x-engage-delivery-id'] = deliveryId;
  headers['x-engage-timestamp'] = timestamp;
  const signing = receiver.secrets.length === 0 ? undefined : new Signing(receiver, body);
  if (signing !== undefined) headers['x-engage-signature'] = signing.ofBody();
  if (type === 'legacy') return headers;
  if (isReplayed) headers['x-engage-replayed'] = '1';
  headers['webhook-id'] = deliveryId;
  headers['webhook-timestamp'] = timestamp;
  if (signing !== undefined) {
    headers['x-engage-signature-v2'] = signing.timed(timestamp);
    headers['webhook-signature'] = signing.standard(deliveryId, timestamp);
  }
  return headers;
}
