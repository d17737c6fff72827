// The control routes of the receiver of webhooks.

import { z } from 'zod';
import { type ControlRoute, ok, parseControl } from '../control-route.ts';
import {
  type ReceivedDelivery,
  receiverAnswers,
  receiverMount,
  receiverPaths,
  type WebhookReceiver,
} from './receiver.ts';
import { judgeSignatures } from './signatures.ts';

const secretsMax = 10;

const settings = z.strictObject({
  answer: z.enum(receiverAnswers).optional(),
  secrets: z
    .array(z.string().trim().min(1).max(512))
    .max(secretsMax, `expected at most ${secretsMax} secrets`)
    .optional(),
});

export function receiverControls(
  receiver: WebhookReceiver,
  url: () => string,
): readonly ControlRoute[] {
  const all = () => ({
    url: url() + receiverMount,
    paths: Object.entries(receiverPaths).map(([path, answer]) => ({ path, answer })),
    answer: receiver.answer,
    secrets: receiver.secrets.length,
    deliveries: receiver.deliveries.map((one) => deliveryView(receiver, one)),
  });
  return [
    {
      method: 'GET',
      path: '/webhooks',
      about: 'The deliveries that the receiver of webhooks got, newest first, and its settings.',
      handle: () => ok(all()),
    },
    {
      method: 'POST',
      path: '/webhooks',
      about:
        '{answer?: 200|410|500|hang, secrets?: […]}: how the receiver answers, and the secrets that it checks signatures with.',
      handle({ body }) {
        const parsed = parseControl(settings, body);
        if ('refusal' in parsed) return parsed.refusal;
        const { answer, secrets } = parsed.value;
        if (answer !== undefined) receiver.answer = answer;
        if (secrets !== undefined) receiver.secrets = secrets;
        return ok(all());
      },
    },
    {
      method: 'DELETE',
      path: '/webhooks',
      about: 'Forgets the deliveries; the settings stay.',
      handle() {
        receiver.clear();
        return ok(all());
      },
    },
  ];
}

function deliveryView(receiver: WebhookReceiver, delivery: ReceivedDelivery) {
  const { id, atMs, path, headers, body, answer } = delivery;
  return {
    id,
    at: new Date(atMs).toISOString(),
    path,
    event: headers['x-engage-event'] ?? null,
    deliveryId: headers['x-engage-delivery-id'] ?? null,
    attempt: receiver.attemptOf(delivery),
    answer,
    signature: judgeSignatures(delivery, receiver.secrets),
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
    body: body.toString('utf8'),
  };
}
