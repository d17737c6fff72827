// What a campaign says at the end of each occurrence, and at its own.

import t from 'tap';
import { hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { Scene } from '../../programs/campaigns/scene.ts';

const hourly = {
  type: 'recurring',
  every: 'hour',
  at: '00:30',
  timezone: 'UTC',
} as const;

t.test('each occurrence of a recurring campaign says that it has finished', async (t) => {
  const scene = await withHook(['campaign.completed', 'campaign.chunk_processed']);
  const endMs = scene.one.clock.nowMs + 4 * hourMs;
  const { id } = await scene.sentCampaign({ schedule: { ...hourly, endMs } });
  await scene.advance(hourMs); // nobody is there yet
  t.same(await toldBy(scene), []);
  await scene.people(2);
  await scene.advance(hourMs);
  await scene.people(3, ['fcm'], {}, 'newcomer');
  await scene.crash();
  await scene.advance(hourMs);
  await scene.advance(hourMs);
  await scene.advance(hourMs);
  const said = (processed: number) => ['campaign.chunk_processed', processed, processed];
  t.same(await toldBy(scene), [
    said(2),
    ['campaign.completed', 2, 2, 'sending'],
    said(5),
    ['campaign.completed', 3, 5, 'sending'],
    said(5),
    ['campaign.completed', 4, 5, 'completed'],
  ]);
  t.match(await scene.stats(id), { state: 'completed', sent: 12 });
});

t.test('a chat workspace hears of each occurrence', async (t) => {
  const scene = await withHook([], 'slack');
  await scene.people(1);
  await scene.sentCampaign({ schedule: hourly });
  for (const _ of 'abc') await scene.advance(hourMs);
  t.equal((await toldBy(scene)).length, 3);
});

t.test('an occurrence has finished once its fallback has', async (t) => {
  const scene = await withHook(['campaign.completed']);
  await scene.people(2, ['fcm', 'sms']);
  const { id } = await scene.sentCampaign({
    channels: ['fcm'],
    fallbackChannels: ['sms'],
    fallbackAfterMinutes: 20,
    schedule: hourly,
  });
  await scene.advance(hourMs - (scene.one.clock.nowMs % hourMs) + 35 * minuteMs);
  t.match(await scene.stats(id), { sent: 2 });
  t.same(await toldBy(scene), [], 'the wait goes on');
  await scene.advance(20 * minuteMs);
  t.same(await toldBy(scene), [['campaign.completed', 1, 2, 'sending']]);
});

t.test(
  'occurrences that end in another order each say so once, and nothing says it again',
  async (t) => {
    const scene = await withHook(['campaign.completed', 'campaign.chunk_processed']);
    await scene.people(2);
    const endMs = scene.one.clock.nowMs + 2 * hourMs;
    const { id } = await scene.sentCampaign({ schedule: { ...hourly, endMs } });
    let refused: string | undefined;
    scene.answers = ({ sendId }) => {
      refused ??= sendId;
      const retry = { outcome: 'retry', reason: '503', retryAfterMs: 100 * minuteMs } as const;
      return sendId === refused ? retry : { outcome: 'accepted' };
    };
    await scene.advance(hourMs);
    await scene.advance(hourMs);
    t.same(
      (await toldBy(scene)).map(([kind, number]) => [kind, number]),
      [
        ['campaign.chunk_processed', 2],
        ['campaign.completed', 2],
      ],
    );
    refused = '';
    await scene.advance(2 * hourMs);
    t.match(await scene.stats(id), { state: 'completed', sent: 4 });
    t.same((await toldBy(scene)).slice(2), [
      ['campaign.chunk_processed', 2, 2],
      ['campaign.completed', 1, 2, 'completed'],
    ]);
    t.same(await occurrencesTold(scene), [2, 1], 'the last of its progress names it');
  },
);

t.test('what is canceled has not finished', async (t) => {
  const scene = await withHook(['*']);
  await scene.people(2, ['fcm', 'sms']);
  const { id } = await scene.sentCampaign({
    channels: ['fcm'],
    fallbackChannels: ['sms'],
    fallbackAfterMinutes: 20,
    schedule: hourly,
  });
  await scene.advance(hourMs);
  await scene.verb('cancel', id);
  const kinds = (await toldBy(scene)).map(([kind]) => kind);
  t.notOk(kinds.includes('campaign.completed'));
});

t.test('progress ends with the whole, before the campaign has finished', async (t) => {
  const scene = await withHook(['campaign.completed', 'campaign.chunk_processed']);
  await scene.people(600);
  await scene.sentCampaign();
  t.same(await toldBy(scene), [
    ['campaign.chunk_processed', 600, 600],
    ['campaign.completed', 1, 600, 'completed'],
  ]);
});

async function withHook(events: readonly string[], type = 'webhook'): Promise<Scene> {
  const scene = await Scene.open();
  await scene.one.value(scene.app, 'destination.put', {
    type,
    input: { url: 'https://a.example', events, headers: {}, enabled: true, concurrency: 1 },
  });
  return scene;
}

/** The occurrences whose progress has ended, oldest first. */
async function occurrencesTold({ one, app }: Scene) {
  const { items } = await one.value(app, 'webhook_delivery.list', { limit: 100 });
  const told = await Promise.all(
    items.map(({ id }) => one.value(app, 'webhook_delivery.read', { id })),
  );
  return told
    .flatMap(({ payload }) =>
      payload.kind === 'campaign.chunk_processed' && payload.meta.last
        ? [payload.meta.occurrence]
        : [],
    )
    .reverse();
}

/** What the ledger has of ends, oldest first. */
async function toldBy({ one, app }: Scene) {
  const { items } = await one.value(app, 'webhook_delivery.list', { limit: 100 });
  const told = await Promise.all(
    items.map(async ({ id }) => {
      const { payload } = await one.value(app, 'webhook_delivery.read', { id });
      if (payload.kind === 'campaign.completed') {
        const { occurrence, audience, state } = payload.meta;
        return [payload.kind, occurrence, audience, state] as const;
      }
      const { processed, total, last } = payload.meta as Partial<Record<string, number>>;
      return last ? ([payload.kind, processed, total] as const) : [];
    }),
  );
  return told.filter(([kind]) => kind !== undefined).reverse();
}
