// What the comparing benches post to Engage and to the baseline: bodies, path, headers,
// connections. Ids and keys are a 16-character mark that the load generator overwrites, so nothing
// repeats.

import { eventBodies } from './events.ts';
import type { LoadPlan } from './http-load.ts';

export const mark = 'uniqueuniqueuniq';
export const eventPeople = 100_000;
export const sendPeople = 200;

/** A relay without a listener: sends wait in the outbox, so only accepting is measured. */
export const acceptOnly = {
  ENGAGE_SMTP_URL: 'smtp://127.0.0.1:9',
  ENGAGE_EMAIL_DOMAINS: '*',
};

type Load = Omit<LoadPlan, 'seconds' | 'warmupSeconds'>;

export interface LoadTarget {
  readonly port: number;
  readonly key: string;
  readonly appId: string;
}

/** `POST /e`, events about random people; of a million people at least half appear. */
export function eventLoad(target: LoadTarget, perBody: number, people = eventPeople): Load {
  const bodies = eventBodies({
    appId: target.appId,
    count: Math.max(
      8,
      Math.min(people > eventPeople ? 20_000 : 2000, Math.max(200_000, people / 2) / perBody),
    ),
    perBody,
    people,
    nowMs: Date.now(),
    ids: false,
  });
  return {
    port: target.port,
    method: 'POST',
    path: '/e',
    headers: { authorization: `Bearer ${target.key}` },
    bodies: bodies.map((body) => body.toString().replaceAll('{"name":', `{"id":"${mark}","name":`)),
    unique: mark,
    connections: perBody >= 1000 ? 16 : perBody >= 100 ? 32 : 128,
  };
}

/** `POST …/notifications`, each with its own key, to `user-0` … `user-199` or the given people. */
export function sendLoad(
  target: LoadTarget,
  to: readonly string[] = Array.from({ length: sendPeople }, (_, i) => `user-${i}`),
): Load {
  const bodies = to.map((externalUserId, i) =>
    JSON.stringify({
      externalUserId,
      idempotencyKey: mark,
      channels: ['email'],
      title: 'Your order has shipped',
      body: 'Hi {{ first_name | default: "there" }}, your order {{ order_id }} of {{ amount }} {{ currency }} has shipped. Track it at https://example.com/t/{{ tracking | upcase }} any time.',
      variables: { order_id: `A-${i}`, amount: '129.50', currency: 'SGD', tracking: 'sf99812x' },
    }),
  );
  return {
    port: target.port,
    method: 'POST',
    path: `/v1/apps/${target.appId}/notifications`,
    headers: { authorization: `Bearer ${target.key}` },
    bodies,
    unique: mark,
    connections: 256,
  };
}

/** `POST …/notifications/batch`: recipients from `user-0` on, five variables, new keys. */
export function batchLoad(target: LoadTarget, perBody: number): Load {
  const body = JSON.stringify({
    idempotencyKey: mark,
    channels: ['email'],
    title: 'Your order has shipped',
    body: 'Hi {{ name }}, your order {{ order_id }} of {{ amount }} {{ currency }} has shipped. Track it at https://example.com/t/{{ tracking | upcase }} any time.',
    recipients: Array.from({ length: perBody }, (_, i) => ({
      externalUserId: `user-${i}`,
      variables: {
        name: `Ana ${i}`,
        order_id: `A-${i}`,
        amount: '129.50',
        currency: 'SGD',
        tracking: `sf99812x${i}`,
      },
    })),
  });
  return {
    port: target.port,
    method: 'POST',
    path: `/v1/apps/${target.appId}/notifications/batch`,
    headers: { authorization: `Bearer ${target.key}` },
    bodies: [body],
    unique: mark,
    connections: 8,
  };
}

/** `POST /v1/import/subscribers`: 250-byte rows, new people or 20 bodies of the same ones. */
export function importLoad(target: LoadTarget, perBody: number, newPeople: boolean): Load {
  const row = (body: number, i: number) => {
    const who = newPeople ? mark : `known-${body}-${i}`;
    return {
      externalUserId: `customer-${who}`,
      tags: {
        first_name: 'Adelaide',
        plan: i % 3 === 0 ? 'professional' : 'starter',
        language: 'en-GB',
      },
      timezone: 'Asia/Bangkok',
      devices: [{ channel: 'email', endpoint: `adelaide.${who}@mail.example.com` }],
    };
  };
  const bodies = Array.from({ length: 20 }, (_, body) =>
    JSON.stringify({
      appId: target.appId,
      rows: Array.from({ length: perBody }, (_, i) => row(body, i)),
    }),
  );
  return {
    port: target.port,
    method: 'POST',
    path: '/v1/import/subscribers',
    headers: { authorization: `Bearer ${target.key}` },
    bodies,
    ...(newPeople ? { unique: mark } : {}),
    connections: 16,
  };
}
