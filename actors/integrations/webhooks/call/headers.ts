// The headers of an attempt. A webhook gets ours and those of Standard Webhooks; an app's legacy
// webhook the four that it always had; a chat workspace none of them. Pure.

import type { WebhookAttempt } from './attempt.ts';
import { bodySignature, standardSignature, timedSignature } from './signature.ts';

/** The receiver's own headers first: ours win over one of the same name. */
export function headersOf(attempt: WebhookAttempt): Record<string, string> {
  const { deliveryId, type, event, secrets, body, isReplayed, atMs } = attempt;
  const headers: Record<string, string> = { ...attempt.headers };
  headers['content-type'] = 'application/json';
  headers['user-agent'] = 'Engage-Webhooks';
  if (type === 'slack') return headers;
  const timestamp = String(Math.floor(atMs / 1000));
  headers['x-engage-event'] = event;
  headers['x-engage-delivery-id'] = deliveryId;
  headers['x-engage-timestamp'] = timestamp;
  const [current] = secrets;
  if (current !== undefined) headers['x-engage-signature'] = bodySignature(current, body);
  if (type === 'legacy') return headers;
  if (isReplayed) headers['x-engage-replayed'] = '1';
  headers['webhook-id'] = deliveryId;
  headers['webhook-timestamp'] = timestamp;
  if (current !== undefined) {
    headers['x-engage-signature-v2'] = timedSignature(current, timestamp, body);
    headers['webhook-signature'] = standardSignature(secrets, deliveryId, timestamp, body);
  }
  return headers;
}
