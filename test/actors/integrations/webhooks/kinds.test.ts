import t from 'tap';
import { DegradedChannels } from '../../../../actors/integrations/webhooks/degraded.ts';
import type { Received } from './webhook-world.ts';
import { WebhookWorld } from './webhook-world.ts';

const minute = 60_000;

t.test('an opt-out by the person is told, one by the tenant is not', async (t) => {
  const world = await WebhookWorld.make();
  const ada = await world.person('ada');
  await world.one.value(world.app, 'device.add', {
    ref: { id: ada },
    device: { channel: 'email', endpoint: 'ada@example.com' },
  });
  await world.put('webhook', { events: ['subscriber.unsubscribed'] });
  const add = (address: string, source: 'api' | 'unsubscribe') =>
    world.one.value(world.app, 'suppression.add', { channel: 'email', address, source });
  await add('other@example.com', 'api');
  await add('ada@example.com', 'unsubscribe');
  await world.run();
  t.equal(world.received.length, 1);
  t.match(event(world.received[0]), {
    kind: 'subscriber.unsubscribed',
    subscriberId: ada,
    externalUserId: 'ada',
    channel: 'email',
    meta: { source: 'unsubscribe', identityClass: 'email' },
  });
});

t.test('an open by a client is told with its ids', async (t) => {
  const world = await WebhookWorld.make();
  const ada = await world.person('ada');
  const sendId = await world.send('ada');
  await world.put('webhook', { events: ['message.opened'] });
  const events = [
    { name: 'order_placed', externalUserId: 'ada' },
    { name: 'opened', externalUserId: 'ada', sendId, props: { place: 'tray' } },
  ];
  await world.one.value(
    world.app,
    'events.ingest',
    { keyless: false },
    { bytes: Buffer.from(JSON.stringify({ events })) },
  );
  await world.run();
  t.equal(world.received.length, 1);
  t.match(event(world.received[0]), {
    kind: 'message.opened',
    subscriberId: ada,
    sendId,
    meta: { place: 'tray' },
  });
});

t.test('an event that a client calls like a notice of ours is not told', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put('webhook', { events: ['*'] });
  const names = ['delivery.degraded', 'campaign.completed', 'campaign.failed', 'webhook.test'];
  const campaignId = 'cmp_0000g4t0d0rh86r008t44d2bfx';
  const events = names.map((name) => ({ name, externalUserId: 'ada', campaignId }));
  const bytes = Buffer.from(JSON.stringify({ events }));
  const reply = await world.one.value(world.app, 'events.ingest', { keyless: true }, { bytes });
  t.equal(reply.accepted, names.length);
  await world.run();
  t.same(world.received, []);
});

t.test('a channel is degraded once, and again only after it was well', async (t) => {
  const channels = new DegradedChannels();
  const end = (atMinute: number, attempts: number, bounced: number) =>
    channels.ended({
      channel: 3,
      atMs: atMinute * minute,
      attempts,
      failed: new Map([['invalid', bounced]]),
    });
  t.equal(end(0, 49, 49), undefined, 'too few');
  t.match(end(1, 1, 0), { attempts: 50, failed: 49, sinceMs: 0, reasons: { invalid: 49 } });
  t.equal(end(2, 100, 100), undefined, 'it is said already');
  const restored = new DegradedChannels(structuredClone(channels.snapshot()));
  t.equal(
    restored.ended({ channel: 3, atMs: 3 * minute, attempts: 1, failed: new Map() }),
    undefined,
    'a restart forgets nothing',
  );
  t.equal(end(9, 1000, 0), undefined, 'well');
  t.equal(end(15, 100, 19), undefined, 'less than a fifth');
  t.match(end(16, 100, 30), { attempts: 200, failed: 49 });
});

function event(call: Received | undefined): unknown {
  return JSON.parse(call?.body ?? '{}');
}
