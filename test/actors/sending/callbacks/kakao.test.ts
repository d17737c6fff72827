// A provider that tells nothing by itself is asked, through the actor: when, how often, and what
// comes of it.

import t from 'tap';
import type { LateResult, ResultsQuery } from '../../../../actors/channels/port/late-results.ts';
import { decodeKey } from '../../../../storage/keys.ts';
import { providerReceipts } from '../../../../storage/tables/provider-receipt.ts';
import { resultPolls } from '../../../../storage/tables/result-poll.ts';
import { Scene } from '../../programs/campaigns/scene.ts';

const minuteMs = 60_000;
const content = { payload: { kakao: { templateId: 'KA01TP1' } } };

/** An app whose provider says this of everything that was sent, `pageMax` at a time. */
async function asked(people: number, say: (index: number) => LateResult['failed'], pageMax = 500) {
  const scene = await Scene.open({ available: ['kakao', 'sms'] });
  await scene.people(people, ['kakao']);
  const calls: (ResultsQuery & { readonly atMs: number })[] = [];
  scene.results = (query) => {
    calls.push({ ...query, atMs: scene.one.clock.nowMs });
    const from = Number(query.startKey ?? 0);
    const page = scene.sent.slice(from, from + pageMax);
    const next = from + page.length;
    return {
      state: 'read',
      nextKey: next < scene.sent.length ? String(next) : null,
      results: page.map(({ sendId, deviceId, endpoint }, i) => {
        const failed = say(from + i);
        return { sendId, deviceId, address: String(endpoint), ...(failed && { failed }) };
      }),
    };
  };
  const send = async () => {
    const messageId = await scene.message(content);
    const { id } = await scene.sentCampaign({ channels: ['kakao'], messageId });
    return id;
  };
  return { scene, calls, send };
}

const rowsOf = ({ one }: Scene, table: { readonly id: number }) =>
  one.store
    .range({ start: Buffer.alloc(1), end: Buffer.alloc(8, 0xff) })
    .filter(({ key }) => decodeKey(key).table === table.id).length;

t.test('three polls follow the last send, further and further apart, and then none', async (t) => {
  const { scene, calls, send } = await asked(3, () => undefined);
  const startMs = scene.one.clock.nowMs;
  await send();
  t.equal(rowsOf(scene, resultPolls), 1);
  for (let i = 0; i < 150; i++) await scene.advance(minuteMs);
  t.same(
    calls.map(({ atMs }) => Math.round((atMs - startMs) / minuteMs)),
    [1, 11, 71],
  );
  t.equal(rowsOf(scene, resultPolls), 0, 'nothing is left of them');
  t.equal(rowsOf(scene, providerReceipts), 0, 'nor of sends that arrived');
  t.ok(scene.isMemoryOfLog());
});

t.test(
  'many sends are asked for in pages, and each stretch of time overlaps the last',
  async (t) => {
    const { scene, calls, send } = await asked(25, () => undefined, 10);
    const startMs = scene.one.clock.nowMs;
    await send();
    await scene.advance(minuteMs);
    t.same(
      calls.map(({ startKey }) => startKey),
      [null, '10', '20'],
    );
    t.ok(calls.every(({ sinceMs, untilMs }) => sinceMs < startMs && untilMs > startMs));
    const first = calls.length;
    await scene.advance(10 * minuteMs);
    t.ok((calls[first]?.sinceMs ?? 0) < (calls[0]?.untilMs ?? 0));
    t.ok((calls[first]?.sinceMs ?? 0) > (calls[0]?.sinceMs ?? 0));
  },
);

t.test('a failure that is told late is a bounce, and a dead number ends its device', async (t) => {
  const failures: readonly LateResult['failed'][] = [
    undefined,
    { reason: 'inactive_or_blocked', effect: 'none' },
    { reason: 'not_a_kakaotalk_user', effect: 'dead' },
    { reason: 'opted_out', effect: 'opted_out' },
  ];
  const { scene, send } = await asked(4, (index) => failures[index]);
  const id = await send();
  t.match(await scene.stats(id), { delivered: 4, bounced: 0 });
  for (const waitMs of [minuteMs, 10 * minuteMs, 60 * minuteMs]) {
    await scene.advance(waitMs);
    t.match(await scene.stats(id), { delivered: 1, bounced: 3 }, 'told again, it changes nothing');
  }
  t.same(
    scene
      .events('bounced')
      .map(({ meta }) => meta['reason'])
      .sort(),
    ['inactive_or_blocked', 'not_a_kakaotalk_user', 'opted_out'],
  );
  const { items } = await scene.one.value(scene.app, 'subscriber.list', { limit: 10 });
  const disabled = items.flatMap(({ devices }) =>
    devices.flatMap((one) => one.disabledReason ?? []),
  );
  t.same(disabled, ['not_a_kakaotalk_user']);
  const suppressed = await scene.one.value(scene.app, 'suppression.list', { limit: 10 });
  t.match(suppressed.items, [{ identity: 'phone', source: 'callback' }]);
  t.notOk(scene.firstGap());
});

t.test('who goes on sending is asked about once a minute, however much it is', async (t) => {
  const { scene, calls, send } = await asked(2, () => undefined);
  for (let i = 0; i < 20; i++) {
    await send();
    await scene.advance(30_000);
  }
  t.ok(calls.length <= 11, `${calls.length} polls in ten minutes`);
  t.equal(rowsOf(scene, resultPolls), 1);
});

t.test('an answer that never comes is asked for again, also after a crash', async (t) => {
  const { scene, calls, send } = await asked(2, () => ({ reason: 'timed_out', effect: 'none' }));
  const id = await send();
  await scene.one.advance(minuteMs);
  t.match(await scene.stats(id), { bounced: 0 }, 'the answer is on its way');
  await scene.crash();
  await scene.advance(6 * minuteMs);
  t.equal(calls.length, 1, 'the first question died with its thread');
  t.match(await scene.stats(id), { bounced: 2 });
});

t.test('a provider that refuses is asked a few times more, and not for ever', async (t) => {
  const { scene, calls, send } = await asked(1, () => undefined);
  scene.results = (query) => {
    calls.push({ ...query, atMs: scene.one.clock.nowMs });
    return { state: 'failed', failure: { outcome: 'retry', reason: 'unavailable' } };
  };
  await send();
  for (let i = 0; i < 400; i++) await scene.advance(minuteMs);
  t.ok(calls.length >= 5 && calls.length <= 10, `${calls.length} polls`);
  t.equal(rowsOf(scene, resultPolls), 0);
});

t.test('a page that names itself as the next is the last', async (t) => {
  const { scene, calls, send } = await asked(3, () => undefined);
  const results = scene.results;
  scene.results = (query) => {
    if (calls.length > 50) throw new Error('asked without end');
    const page = results?.(query);
    return page?.state === 'read' ? { ...page, nextKey: '1' } : { state: 'failed', failure };
  };
  await send();
  await scene.advance(minuteMs);
  t.same(
    calls.map(({ startKey }) => startKey),
    [null, '1'],
  );
});

const failure = { outcome: 'permanent', reason: 'not_supported' } as const;
