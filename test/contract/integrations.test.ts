// Integrations over HTTP: what is read back of each type, and what the catalog says of it.

import t, { type Test } from 'tap';
import { chapter } from './chapter.ts';

const c = await chapter(t);
const path = `${c.base}/integrations`;
const instant = /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/;

/** Compares a whole body; instants by their form. */
function isWhole(t: Test, body: unknown, expected: object): void {
  const { etag, createdAt, updatedAt, ...rest } = body as Record<string, unknown>;
  t.type(etag, 'string');
  t.match(createdAt, instant);
  t.match(updatedAt, instant);
  t.same(rest, expected);
}

t.test('each type of integration is read by its name, without its configuration', async (t) => {
  const url = 'https://hooks.acme.example/engage';
  await c.refuses(t, `GET ${path}/cdp`, undefined, { status: 404 });
  await c.refuses(t, `GET ${path}/slack`, undefined, { status: 404 });
  await c.refuses(t, `GET ${path}/webhook`, undefined, { status: 404 });
  await c.refuses(t, `GET ${path}/pager`, undefined, { status: 400, field: 'type' });
  await c.takes(t, `PUT ${path}/cdp`, undefined, 201);
  await c.takes(t, `PUT ${path}/slack`, { url, enabled: false }, 201);
  await c.takes(t, `PUT ${path}/webhook-b`, { url, events: ['message.*'], concurrency: 1 }, 201);
  isWhole(t, (await c.takes(t, `GET ${path}/cdp`, undefined, 200)).json, {
    type: 'cdp',
    enabled: true,
    devicesFromTraits: true,
    consent: 'confirmed',
  });
  const destination = { disabledReason: null, health: 'ok', pending: 0, concurrency: 1 };
  isWhole(t, (await c.takes(t, `GET ${path}/slack`, undefined, 200)).json, {
    ...destination,
    type: 'slack',
    enabled: false,
    events: ['campaign.completed'],
  });
  isWhole(t, (await c.takes(t, `GET ${path}/webhook-b`, undefined, 200)).json, {
    ...destination,
    type: 'webhook-b',
    enabled: true,
    events: ['message.*'],
  });
});

t.test('a chat workspace is tested and removed like a webhook', async (t) => {
  const url = 'https://hooks.acme.example/engage';
  await c.refuses(t, `POST ${path}/slack/test`, undefined, { status: 409, error: /disabled/ });
  await c.refuses(t, `POST ${path}/slack/rotate-secret`, undefined, {
    status: 400,
    field: 'type',
  });
  await c.takes(t, `DELETE ${path}/slack`, undefined, 204);
  await c.refuses(t, `DELETE ${path}/slack`, undefined, { status: 404 });
  await c.takes(t, `PUT ${path}/slack`, { url }, 201);
});
