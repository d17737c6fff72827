// Dead letters by the thousand: lists and redrives find those behind many others, and a redriven
// send ends again.

import t from 'tap';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { sendKey } from '../../../../actors/sending/outbox/send-key.ts';
import { encodeBlock } from '../../../../engine/actor/block.ts';
import { dayMs, hourMs } from '../../../../engine/base/brand.ts';
import { newId } from '../../../../engine/base/id.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { Documents } from '../../../../storage/documents.ts';
import { type DeadLetterRow, deadLetters, sends } from '../../../../storage/tables/send.ts';
import { partitionWithApp, TestPartition, testClock } from '../../../support/partition.ts';

const email = { channel: 'email' as const, endpoint: 'ana@example.com' };

/** An app with these letters, oldest first, all of one person. */
async function withLetters(
  count: number,
  of: (index: number, deviceId: string) => Partial<DeadLetterRow>,
) {
  const clock = testClock();
  const { one, app } = await partitionWithApp({ clock });
  const { subscriber } = await one.value(app, 'subscriber.upsert', {
    subscriber: { externalUserId: 'ana', devices: [email] },
  });
  const deviceId = subscriber.devices[0]?.id ?? '';
  const { store } = one;
  const rng = seededRng(9);
  const documents = new Documents(store);
  const send = newId('ntf', app, clock.nowMs, rng);
  for (let i = 0; i < count; i++) {
    const atMs = clock.nowMs + i;
    const open = of(i, deviceId).recoveredMs === undefined;
    const id = open ? newId('ntf', app, atMs, rng) : send;
    const letter = newId('dl', app, atMs, rng);
    documents.put(sends, app, sendKey(app, id) ?? [], {
      id,
      person: 0,
      acceptedMs: clock.nowMs,
      content: { plain: { title: 'Hi', body: 'Hi', options: {} } },
      targets: [],
      outcomes: [],
      deadLettersOpen: open ? 1 : 0,
      deadLettersRecovered: 0,
    });
    documents.put(deadLetters, app, [letter], {
      id: letter,
      sendId: id,
      deviceId: 'd',
      channel: 'email',
      lane: 'transactional',
      reason: 'http_503',
      attempts: 8,
      atMs,
      ...of(i, deviceId),
    });
  }
  const seq = store.durableSeq + 1;
  const block = encodeBlock({ atMs: clock.nowMs, entries: [] });
  const turn = { seq, block, documents: documents.takeStaged(seq) };
  await new Promise<void>((resolve) => store.commit(turn, resolve));
  const two = new TestPartition({ clock, store: store.crash(), rng: seededRng(2) });
  await two.settle();
  return { one: two, app, clock };
}

const recovered = { recoveredMs: 1, redrivenMs: 1, reason: 'timeout' };

t.test('a redrive of all finds what is behind ten thousand that have landed', async (t) => {
  const { one, app } = await withLetters(12_500, (i) => (i < 11_300 ? recovered : {}));
  const redrive = () => one.value(app, 'dead_letter.redrive', { all: true });
  t.match(await redrive(), { redriven: 1_000 });
  t.match(await redrive(), { redriven: 200, nextCursor: null });
  t.match(await redrive(), { redriven: 0, nextCursor: null });
});

t.test('a redrive by reason passes over letters of other reasons', async (t) => {
  const { one, app } = await withLetters(15_005, (i) => (i < 15_000 ? { reason: 'timeout' } : {}));
  t.match(await one.value(app, 'dead_letter.redrive', { reason: 'http_503' }), { redriven: 5 });
});

t.test('a redrive of one group leaves the others of its reason', async (t) => {
  const groups = [
    { reason: 'timeout', channel: 'email' },
    { reason: 'timeout', channel: 'sms' },
    { reason: 'timeout', channel: 'sms', lane: 'transactional' },
    { reason: 'http_503', channel: 'sms' },
  ];
  const { one, app } = await withLetters(40, (i) => groups[i % 4] ?? {});
  const list = (filter: object) =>
    one.value(app, 'dead_letter.list', { limit: 200, ...filter }).then(({ items }) => items.length);
  t.equal(await list({ channel: 'sms' }), 30);
  t.equal(await list({ channel: 'sms', reason: 'timeout' }), 20);
  t.equal(await list({ channel: 'sms', lane: 'campaign' }), 0);
  const redrive = (filter: object) => one.value(app, 'dead_letter.redrive', filter);
  t.match(await redrive({ reason: 'timeout', channel: 'sms' }), { redriven: 20 });
  t.match(await redrive({ all: true, channel: 'email', lane: 'transactional' }), { redriven: 10 });
  t.match(await redrive({ all: true }), { redriven: 10 }, 'what was left');
});

t.test('a turn looks at a bounded number, and says where to go on', async (t) => {
  const { one, app } = await withLetters(25_003, (i) => (i < 25_000 ? recovered : {}));
  let redriven = 0;
  const cursors: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const reply = await one.value(app, 'dead_letter.redrive', {
      all: true,
      ...(cursor === undefined ? {} : { cursor }),
    });
    redriven += reply.redriven;
    if (reply.nextCursor === null) break;
    t.notOk(cursors.includes(reply.nextCursor), 'each goes on');
    cursor = reply.nextCursor;
    cursors.push(cursor);
  }
  t.equal(redriven, 3);
  t.equal(cursors.length, 1, 'twenty thousand a turn, about');
  t.match(await one.ask(app, 'dead_letter.redrive', { all: true, cursor: 'dl_1' }), {
    ok: false,
    fault: { field: 'cursor' },
  });
});

t.test('a filtered list reaches what is behind ten thousand others, each once', async (t) => {
  const { one, app } = await withLetters(20_100, (i) => (i < 20_000 ? recovered : {}));
  const found: string[] = [];
  let pages = 0;
  for (let cursor: string | undefined; ; pages++) {
    const page = await one.value(app, 'dead_letter.list', {
      reason: 'http_503',
      limit: 30,
      ...(cursor === undefined ? {} : { cursor }),
    });
    t.ok(page.items.length <= 30);
    found.push(...page.items.map(({ id }) => id));
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  t.equal(found.length, 100);
  t.equal(new Set(found).size, 100);
  t.same(found, [...found].sort(), 'oldest first');
  t.ok(pages < 10, `${pages} pages`);
});

t.test('an unfiltered list has every letter once, in either order, and full pages', async (t) => {
  const { one, app } = await withLetters(95, () => ({}));
  for (const order of ['oldest', 'newest'] as const) {
    const sizes: number[] = [];
    const found: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await one.value(app, 'dead_letter.list', {
        order,
        limit: 30,
        ...(cursor === undefined ? {} : { cursor }),
      });
      sizes.push(page.items.length);
      found.push(...page.items.map(({ id }) => id));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    t.same(sizes, [30, 30, 30, 5]);
    t.equal(new Set(found).size, 95);
    const sorted = [...found].sort();
    t.same(found, order === 'newest' ? sorted.reverse() : sorted, `${order} first`);
  }
});

t.test('letters go with retention however many more there are than sends', async (t) => {
  const { one, app } = await withLetters(
    5_000,
    // the first were opened again late
    (i) => (i < 1_500 ? { atMs: testClock().nowMs + 80 * dayMs } : recovered),
  );
  await one.advance(91 * dayMs);
  for (let second = 0; second < 10; second++) await one.advance(1_000);
  t.same((await one.value(app, 'dead_letter.list', { limit: 10 })).items, []);
});

t.test('retention passes a thousand letters that must stay', async (t) => {
  const open = 1_200;
  const { one, app } = await withLetters(3_000, (i, deviceId) =>
    i < open ? { deviceId } : recovered,
  );
  const kept = new Set<string>();
  for (let redriven = 0; redriven < open; ) {
    const answer = await one.value(app, 'dead_letter.redrive', { all: true });
    t.ok(answer.redriven > 0, 'their sends are open again, and nobody answers');
    redriven += answer.redriven;
  }
  await one.advance(91 * dayMs);
  for (let second = 0; second < 10; second++) await one.advance(1_000);
  for (let cursor: string | undefined; ; ) {
    const body = { limit: 1_000, ...(cursor === undefined ? {} : { cursor }) };
    const page = await one.value(app, 'dead_letter.list', body);
    for (const { sendId } of page.items) kept.add(sendId);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  t.equal(kept.size, open);
  const outbox = one.product.state.apps.get(app)?.outbox;
  t.ok([...kept].every((id) => outbox?.jobs.has(id)));
});

t.test('a redriven send that is throttled for ever fails after 24 hours', async (t) => {
  const clock = testClock();
  const { one, app } = await partitionWithApp({ clock });
  await one.value(app, 'subscriber.upsert', {
    subscriber: { externalUserId: 'ana', devices: [email] },
  });
  const request = { to: { externalUserId: 'ana' }, title: 'Hi', body: 'there' };
  const { id } = await one.value(app, 'transactional.accept', { request, claim: null });
  const outcome: Outcome = { outcome: 'rate', reason: 'rate', retryAfterMs: 900_000 };
  const throttle = async (hours: number) => {
    let calls = 0;
    const endMs = clock.nowMs + hours * hourMs;
    while (clock.nowMs < endMs) {
      for (const { channel, attempts } of one.takeGrants()) {
        calls += attempts.length;
        const reports = attempts.map(({ target, attempt: { sendId, attempt } }) => {
          return { sendId, target, attempt, outcome };
        });
        await one.ask(app, 'dispatch.report', { channel, reports });
      }
      await one.advance(900_000);
    }
    return calls;
  };
  t.ok((await throttle(26)) < 100);
  t.match(await one.value(app, 'transactional.read', { id }), { failures: { open: 1 } });
  t.match(await one.value(app, 'dead_letter.redrive', { all: true }), { redriven: 1 });
  const calls = await throttle(48);
  t.ok(calls > 90 && calls < 100, `${calls} calls in the 24 hours after the redrive`);
  t.match(await one.value(app, 'transactional.read', { id }), {
    status: 'failed',
    failures: { open: 1, recovered: 0 },
  });
  t.equal(one.product.state.apps.get(app)?.outbox.jobs.size, 0);
  const [letter] = (await one.value(app, 'dead_letter.list', { limit: 10 })).items;
  t.match(letter, { reason: 'rate', redrivenMs: undefined, recoveredMs: undefined });
  t.match(await one.value(app, 'dead_letter.redrive', { all: true }), { redriven: 1 }, 'again');
});
