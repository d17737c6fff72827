// A gateway that reports nothing is asked about each text, through the actor: when, how often, and
// what comes of it; also with a thousand times as many texts, and while it is down for hours.

import fc from 'fast-check';
import t from 'tap';
import type {
  AskedMessage,
  AskedResults,
  ToldResult,
} from '../../../../actors/channels/port/late-results.ts';
import { decodeKey } from '../../../../storage/keys.ts';
import { awaitedResults } from '../../../../storage/tables/awaited-result.ts';
import { resultPolls } from '../../../../storage/tables/result-poll.ts';
import { tries } from '../../../support/tries.ts';
import { Scene } from '../../programs/campaigns/scene.ts';

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];

const polling = {
  url: 'https://gateway.example.com/report',
  query: { id: '{{ message_id }}' },
  answer: { status: 'status', statuses: [{ status: ['done'], means: 'arrived' }] },
};
const config = {
  url: 'https://gateway.example.com/send',
  body: { to: '{{ to }}', text: '{{ text }}' },
  answer: { id: 'id', code: 'status', accepted: { code: ['ok'] } },
  polling,
};

type News = ToldResult['news'];
type Say = (message: AskedMessage, ask: number) => News | 'down';

/** An app with such a gateway, which says this of its texts. */
async function gatewayOf(people: number, say: Say, more: object = {}) {
  const scene = await Scene.open({ available: [] });
  const { id: relayId } = await scene.one.value(scene.app, 'relay.create', {
    ...{ channel: 'sms', relayKind: 'http' },
    input: { name: 'Gateway', config: { ...config, polling: { ...polling, ...more } } },
  });
  await scene.people(people, ['sms']);
  let accepted = 0;
  scene.answers = () => ({
    outcome: 'accepted',
    providerMessageId: `m-${++accepted}`,
    ...(reports() ? { reports: true as const } : {}),
  });
  const reports = () => {
    const { reportsSinceMs } = scene.state.relays.get(relayId) ?? {};
    return reportsSinceMs !== undefined;
  };
  /** Questions, and when each page was asked. */
  const asked: (AskedMessage & { readonly atMs: number })[] = [];
  const pages: { readonly atMs: number; readonly calls: number }[] = [];
  const times = new Map<string, number>();
  scene.results = (query) => {
    const { messages, relay } = query.asked as AskedResults;
    if (relay.id !== relayId) throw new Error('another relay is asked');
    const atMs = scene.one.clock.nowMs;
    const told: ToldResult[] = [];
    for (const message of messages) {
      const name = String(message.name);
      const news = say(message, times.get(name) ?? 0);
      pages.push({ atMs, calls: 1 });
      if (news === 'down')
        return { state: 'told', told, failure: { outcome: 'retry', reason: 'unavailable' } };
      times.set(name, (times.get(name) ?? 0) + 1);
      asked.push({ ...message, atMs });
      told.push({ message, ...(news === undefined ? {} : { news }) });
    }
    return { state: 'told', told };
  };
  const send = async () => {
    const messageId = await scene.message({ title: '' });
    const { id } = await scene.sentCampaign({ channels: ['sms'], messageId });
    return id;
  };
  const single = async (externalUserId = 'user-0') => {
    const { id } = await scene.one.value(scene.app, 'transactional.accept', {
      request: { to: { externalUserId }, channels: ['sms'], body: 'Hi' },
      claim: null,
    } as never);
    await scene.run();
    return () => scene.one.value(scene.app, 'transactional.read', { id });
  };
  return { scene, relayId, asked, pages, send, single };
}

const left = ({ one }: Scene, table: { readonly id: number }) =>
  one.store
    .range({ start: Buffer.alloc(1), end: Buffer.alloc(8, 0xff) })
    .filter(({ key }) => decodeKey(key).table === table.id).length;

const arrived: Say = () => ({ kind: 'arrived' });

/** Time passes in steps, until nothing is awaited or the end. */
async function pass(scene: Scene, ms: number, stepMs = 5 * secondMs): Promise<void> {
  for (let at = 0; at < ms; at += stepMs) await scene.advance(stepMs);
}

t.test('a text is asked for after a minute, by its name, and nothing is left of it', async (t) => {
  const { scene, asked, single } = await gatewayOf(1, arrived);
  const startMs = scene.one.clock.nowMs;
  const read = await single();
  t.match(await read(), { status: 'delivered' }, 'nobody knows yet that it reports');
  t.equal(left(scene, awaitedResults), 1);
  await pass(scene, 2 * minuteMs);
  t.same(
    asked.map(({ name, atMs }) => [name, Math.round((atMs - startMs) / minuteMs)]),
    [['m-1', 1]],
  );
  t.equal(left(scene, awaitedResults) + left(scene, resultPolls), 0);
  const later = await single();
  t.match(await later(), { status: 'pending' }, 'its later texts wait for what it tells');
  await pass(scene, 2 * minuteMs);
  t.match(await later(), { status: 'delivered' });
  t.notOk(scene.firstGap());
  t.ok(scene.isMemoryOfLog());
});

t.test('what is told is a delivery, a bounce, a dead number or an opt-out', async (t) => {
  const news: readonly News[] = [
    { kind: 'arrived' },
    { kind: 'failed', reason: 'failed', effect: 'none' },
    { kind: 'failed', reason: 'invalid_number', effect: 'dead' },
    { kind: 'failed', reason: 'opted_out', effect: 'opted_out' },
  ];
  const { scene, send } = await gatewayOf(4, ({ name }) => news[Number(name?.slice(2)) - 1]);
  const id = await send();
  await pass(scene, 2 * minuteMs);
  t.match(await scene.stats(id), { delivered: 1, bounced: 3 });
  const { items } = await scene.one.value(scene.app, 'subscriber.list', { limit: 10 });
  const disabled = items.flatMap(({ devices }) =>
    devices.flatMap((one) => one.disabledReason ?? []),
  );
  t.same(disabled, ['invalid_number']);
  const suppressed = await scene.one.value(scene.app, 'suppression.list', { limit: 10 });
  t.match(suppressed.items, [{ identity: 'phone', source: 'callback' }]);
  await pass(scene, hourMs, minuteMs);
  t.match(await scene.stats(id), { delivered: 1, bounced: 3 }, 'and once');
  t.ok(scene.isMemoryOfLog());
});

t.test('a text without an outcome is asked for less and less often, and given up', async (t) => {
  const says: readonly News[] = [{ kind: 'taken' }, undefined];
  const { scene, asked, single } = await gatewayOf(1, (_, ask) => says[ask % 2], { forHours: 4 });
  const startMs = scene.one.clock.nowMs;
  const read = await single();
  await pass(scene, 24 * hourMs, minuteMs);
  const minutes = asked.map(({ atMs }) => Math.round((atMs - startMs) / minuteMs));
  t.same(minutes, [1, 3, 7, 15, 31, 63, 127, 255]);
  t.equal(left(scene, awaitedResults) + left(scene, resultPolls), 0);
  t.match(await read(), { status: 'delivered' }, 'it stays what it was');
});

t.test('a thousand times as many texts are asked for at the same pace', async (t) => {
  const people = 2_000;
  const { scene, asked, pages, send } = await gatewayOf(people, arrived, { perSecond: 20 });
  const id = await send();
  await pass(scene, 10 * minuteMs, secondMs);
  t.equal(asked.length, people, 'each once');
  t.equal(new Set(asked.map(({ name }) => name)).size, people);
  const seconds = new Map<number, number>();
  for (const { atMs } of pages) {
    const second = Math.floor(atMs / secondMs);
    seconds.set(second, (seconds.get(second) ?? 0) + 1);
  }
  const spanMs = (asked.at(-1)?.atMs ?? 0) - (asked[0]?.atMs ?? 0);
  t.ok(Math.max(...seconds.values()) <= 50, 'a page at once');
  t.ok(spanMs >= ((people - 50) / 20) * secondMs, `${spanMs} ms`);
  t.ok(spanMs <= (people / 20) * secondMs * 2, `${spanMs} ms`);
  t.match(await scene.stats(id), { delivered: people });
  t.equal(left(scene, awaitedResults) + left(scene, resultPolls), 0);
});

t.test('a gateway that is down for two hours is hardly called, and nothing is lost', async (t) => {
  let isDown = true;
  const people = 120;
  const { scene, asked, pages, send } = await gatewayOf(
    people,
    () => (isDown ? 'down' : { kind: 'failed', reason: 'failed', effect: 'none' }),
    { forHours: 1 },
  );
  const id = await send();
  await pass(scene, 2 * hourMs, 30 * secondMs);
  t.ok(pages.length >= 6 && pages.length <= 16, `${pages.length} calls in two hours`);
  t.equal(left(scene, awaitedResults), people, 'none was given up unasked');
  isDown = false;
  await pass(scene, 20 * minuteMs);
  t.equal(asked.length, people);
  t.match(await scene.stats(id), { bounced: people });
  t.equal(left(scene, awaitedResults) + left(scene, resultPolls), 0);
});

t.test('a gateway that is down for good is given up', async (t) => {
  const { scene, pages, single } = await gatewayOf(1, () => 'down', { forHours: 1 });
  await single();
  await pass(scene, 26 * hourMs, 5 * minuteMs);
  t.ok(pages.length <= 110, `${pages.length} calls in a day`);
  t.equal(left(scene, awaitedResults) + left(scene, resultPolls), 0);
});

t.test('part of a page is kept where the rest of it fails', async (t) => {
  const { scene, asked, pages, send } = await gatewayOf(10, ({ name }, ask) => {
    const isFirst = pages.length < 6;
    return Number(name?.slice(2)) > 5 && ask === 0 && isFirst ? 'down' : { kind: 'arrived' };
  });
  await send();
  await pass(scene, 5 * minuteMs);
  t.equal(asked.length, 10, 'each once');
  t.equal(left(scene, awaitedResults), 0);
});

t.test('a question that dies with its thread is asked again', async (t) => {
  const failed = { kind: 'failed', reason: 'failed', effect: 'none' } as const;
  const { scene, asked, single } = await gatewayOf(1, () => failed);
  const read = await single();
  await scene.one.advance(minuteMs);
  await scene.crash();
  await pass(scene, 6 * minuteMs);
  t.equal(asked.length, 1);
  t.match(await read(), { status: 'bounced' });
  t.equal(left(scene, awaitedResults) + left(scene, resultPolls), 0);
});

for (const [what, change] of [
  ['is deleted', 'relay.delete'],
  ['is not asked any more', 'relay.update'],
] as const)
  t.test(`nothing is left of texts whose relay ${what}`, async (t) => {
    const { scene, relayId, asked, send } = await gatewayOf(600, arrived);
    await send();
    t.equal(left(scene, awaitedResults), 600);
    const input = { config: { polling: null } };
    await scene.one.value(scene.app, change, { relayId, input } as never);
    await pass(scene, 3 * minuteMs);
    t.equal(asked.length, 0);
    t.equal(left(scene, awaitedResults) + left(scene, resultPolls), 0);
  });

t.test('a person who was erased is asked about, and that changes nothing', async (t) => {
  const { scene, send } = await gatewayOf(2, arrived);
  await send();
  await scene.one.value(scene.app, 'subscriber.erase', {
    ref: { externalUserId: 'user-0' },
  } as never);
  await pass(scene, 3 * minuteMs);
  t.equal(left(scene, awaitedResults) + left(scene, resultPolls), 0);
  t.ok(scene.isMemoryOfLog());
});

t.test(
  'whatever a gateway says and whenever it fails or the program dies, each text ends',
  async (t) => {
    const step = fc.record({
      send: fc.boolean(),
      down: fc.boolean(),
      crash: fc.integer({ min: 0, max: 9 }),
      minutes: fc.integer({ min: 1, max: 90 }),
    });
    const words = fc.constantFrom<News>(
      undefined,
      { kind: 'taken' },
      { kind: 'arrived' },
      { kind: 'failed', reason: 'failed', effect: 'none' },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 6 }),
        fc.array(words, { minLength: 1, maxLength: 7 }),
        async (steps, says) => {
          let isDown = false;
          let at = 0;
          const { scene, asked, pages, send } = await gatewayOf(
            3,
            () => (isDown ? 'down' : says[at++ % says.length]),
            { forHours: 1 },
          );
          for (const { send: isSent, down, crash, minutes } of steps) {
            isDown = down;
            if (isSent) await send();
            if (crash === 0) await scene.crash();
            await pass(scene, minutes * minuteMs, minuteMs);
          }
          isDown = false;
          await pass(scene, 4 * hourMs, minuteMs);
          t.equal(left(scene, awaitedResults) + left(scene, resultPolls), 0);
          // Seven questions reach over an hour, and an hour of failures asks twelve times at most.
          const texts = steps.filter(({ send }) => send).length * 3;
          t.ok(asked.length <= texts * 9, `${asked.length} answers for ${texts} texts`);
          t.ok(pages.length - asked.length <= 60 + 10 * steps.length, `${pages.length} calls`);
          t.ok(scene.isMemoryOfLog());
        },
      ),
      { numRuns: tries(15) },
    );
  },
);
