// The feed of one person over one partition: what is shown, in which words, in which order, and
// what remains of it after a restart and from a checkpoint.

import t from 'tap';
import type { InAppInput } from '../../../../actors/audiences/inapp/protocol.ts';
import { beaconNames } from '../../../../actors/events/ingest/names.ts';
import { limits } from '../../../../actors/limits.ts';
import { foldingPartition, makeCheckpoint } from '../../../../actors/runtime/folding.ts';
import type { SnapshotPart } from '../../../../engine/actor/machine.ts';
import type { Message } from '../../../../engine/actor/message.ts';
import { dayMs } from '../../../../engine/base/brand.ts';
import { newHashKey } from '../../../../engine/base/hash.ts';
import { below, seededRng } from '../../../../engine/base/rng.ts';
import { encodePart, newestCheckpoint } from '../../../../storage/checkpoint.ts';
import { logBlocks } from '../../../../storage/log.ts';
import { temporaryDirectory } from '../../../storage/support/directory.ts';
import { MirroredStore } from '../../../support/mirrored-store.ts';
import { partitionWithApp, testClock } from '../../../support/partition.ts';

const ada = { externalUserId: 'ada' };

async function world(store?: MirroredStore) {
  const { one, app } = await partitionWithApp(
    store === undefined ? {} : { store, clock: testClock() },
  );
  const person = (externalUserId: string, tags = {}) =>
    one.value(app, 'subscriber.upsert', { subscriber: { externalUserId, tags } });
  const message = async (content: object) =>
    (await one.value(app, 'message.create', { message: { content } })).id;
  const show = async (content: object, input: InAppInput = {}) => {
    const messageId = await message(content);
    const made = await one.value(app, 'inapp.create', { input: { messageId, ...input } });
    await one.advance(1); // an order of creation
    return made.id;
  };
  const beacon = async (name: string, messageId: string, externalUserId = 'ada') => {
    const events = [{ name, externalUserId, messageId }];
    const bytes = Buffer.from(JSON.stringify({ events }));
    await one.value(app, 'events.ingest', { keyless: false }, { bytes });
  };
  const feed = (ref = ada, limit = 50, cursor?: string) =>
    one.value(app, 'inapp.feed', { ref, limit, ...(cursor === undefined ? {} : { cursor }) });
  const shown = async () => (await feed()).messages.map(({ body }) => body);
  return { one, app, person, message, show, beacon, feed, shown };
}

t.test(
  'the highest priority is first, then the newest, and what was dismissed is gone',
  async (t) => {
    const { person, show, beacon, shown, feed } = await world();
    await person('ada');
    await person('ben');
    await show({ body: 'old' });
    const new_ = await show({ body: 'new' });
    await show({ body: 'urgent' }, { priority: 5 });
    t.same(await shown(), ['urgent', 'new', 'old']);
    await beacon('inapp_viewed', new_);
    await beacon('inapp_clicked', new_);
    t.same(await shown(), ['urgent', 'new', 'old'], 'seen and clicked is not dismissed');
    await beacon('inapp_dismissed', new_);
    t.same(await shown(), ['urgent', 'old']);
    t.equal((await feed({ externalUserId: 'ben' })).messages.length, 3, 'for that person only');
  },
);

t.test('a message is there while its filter matches and its time is', async (t) => {
  const { one, person, show, shown } = await world();
  const { nowMs } = one.clock;
  await person('ada', { plan: 'free' });
  await show({ body: 'pro' }, { filter: { tag: 'plan', eq: 'pro' } });
  await show({ body: 'timed' }, { startMs: nowMs + dayMs, endMs: nowMs + 2 * dayMs });
  t.same(await shown(), []);
  await person('ada', { plan: 'pro' });
  t.same(await shown(), ['pro']);
  await one.advance(dayMs);
  t.same(await shown(), ['timed', 'pro']);
  await one.advance(dayMs);
  t.same(await shown(), ['pro'], 'its end is not included');
  await person('ada', { plan: 'free' });
  t.same(await shown(), []);
});

t.test('it is rendered for that person, in their language, as plain text', async (t) => {
  const { person, show, feed } = await world();
  await person('ada', { first_name: '<Ada>', language: 'de-AT' });
  await person('ben', { first_name: 'Ben', language: 'pt' });
  await show({
    title: 'Hi {{ first_name }}',
    body: '<p>Hello <b>{{ first_name }}</b>{{ unknown }}</p>',
    buttons: [
      { label: 'Go', url: 'https://shop.example/{{ first_name }}' },
      { label: 'Nowhere', url: '{{ unknown }}' },
    ],
    data: { who: '{{ subscriber.externalUserId }}', n: 1 },
    payload: { whatsapp: { templateName: 'x', languageCode: 'en' } },
    ttlSeconds: 60,
    localizations: { de: { title: 'Hallo {{ first_name }}' }, 'pt-br': { title: 'Oi' } },
  });
  const [one] = (await feed()).messages;
  t.match(one, {
    title: 'Hallo <Ada>',
    body: 'Hello <Ada>',
    buttons: [{ label: 'Go', url: 'https://shop.example/%3CAda%3E' }],
    data: { who: 'ada', n: '1' },
    priority: 0,
    endMs: null,
  });
  t.equal(one?.buttons?.length, 1);
  t.notOk(one && ('payload' in one || 'options' in one), 'what channels are told stays out');
  const [two] = (await feed({ externalUserId: 'ben' })).messages;
  t.match(two, { title: 'Hi Ben', body: 'Hello Ben' });
});

t.test(
  'what cannot be rendered for somebody is left out, and the next takes its place',
  async (t) => {
    const { person, show, shown } = await world();
    await person('ada', { first_name: 'Ada', link: 'javascript:alert(1)' });
    await show({ body: 'fine' });
    await show({ body: '{{ nobody }}' }, { priority: 9 });
    await show({ body: 'x', deepLink: '{{ link }}' }, { priority: 8 });
    await person('ada', { times: Array.from({ length: 100 }, () => 'x') });
    const dear = '{% for a in times %}{% for b in times %}x{% endfor %}{% endfor %}fine';
    await show({ body: dear }, { priority: 7 });
    for (let i = 0; i < limits.feedMessagesMax + 3; i++)
      await show({ body: `low ${i}` }, { priority: 1 });
    const found = await shown();
    t.equal(found.length, limits.feedMessagesMax);
    t.equal(found[0], `low ${limits.feedMessagesMax + 2}`);
  },
);

t.test(
  'what cannot be shown in the inbox neither counts as unread nor makes a page short',
  async (t) => {
    const { person, show, feed } = await world();
    await person('ada', { coupon: '' });
    for (let i = 0; i < 6; i++)
      await show({ body: i % 2 === 0 ? '{{ coupon }}' : `n${i}` }, { inbox: true });
    const { inbox } = await feed(ada, 2);
    t.same(
      inbox.items.map(({ body }) => body),
      ['n5', 'n3'],
    );
    t.equal(inbox.unread, 3);
    const rest = await feed(ada, 2, inbox.nextCursor ?? '');
    t.match(rest.inbox, { items: [{ body: 'n1' }], unread: 3, nextCursor: null });
    await person('ada', { coupon: 'A1' });
    t.equal((await feed()).inbox.unread, 6);
  },
);

t.test(
  'templates of one feed share its steps, and what has no template is shown all the same',
  async (t) => {
    const { person, show, feed } = await world();
    await person('ada');
    const heavy = '{% for a in (1..20) %}{% for b in (1..30) %}x{% endfor %}{% endfor %}';
    for (let i = 0; i < 20; i++) await show({ body: `${heavy}${i}` }, { priority: 9, inbox: true });
    await show({ body: 'plain' }, { inbox: true });
    const { messages, inbox } = await feed(ada, 200);
    t.ok(messages.length > 3 && messages.length < 20, `${messages.length} of them`);
    t.equal(messages.at(-1)?.body, 'plain');
    t.equal(inbox.unread, messages.length, 'both say the same');
  },
);

t.test(
  'templates of one feed share the characters that have to be parsed, so that no feed parses for long',
  async (t) => {
    const { person, show, feed } = await world();
    await person('ada');
    const wordy = `{% assign x = "${'y'.repeat(4_000)}" %}`;
    for (let i = 0; i < 20; i++) await show({ body: `${wordy}${i}` }, { priority: 9 });
    await show({ body: 'plain' });
    const { messages } = await feed(ada, 1);
    t.equal(messages.length, 1 + Math.floor(limits.feedTagCharsMax / wordy.length));
    t.equal(messages.at(-1)?.body, 'plain');
  },
);

t.test('a turn takes few feeds and flags that are dear, however many wait', async (t) => {
  const { one, app, person, show } = await world();
  await person('ada');
  const turnsOf = async (kind: 'inapp.feed' | 'flags.evaluate') => {
    let answered = 0;
    const before = one.partition.figures.turns;
    for (let i = 0; i < 100; i++)
      one.partition.deliver({
        to: app,
        lane: 'bulk',
        deadlineMs: Number.POSITIVE_INFINITY,
        message: { kind, by: -1, ref: ada, limit: 50 } as Message,
        bytes: undefined,
        answer: ({ ok }) => {
          answered += ok ? 1 : 0;
        },
      });
    await one.settle();
    t.equal(answered, 100, kind);
    return one.partition.figures.turns - before;
  };
  await show({ body: 'light' });
  t.ok((await turnsOf('inapp.feed')) <= 2, 'light feeds share turns');
  t.equal(await turnsOf('flags.evaluate'), 1);
  const loop = '{% for a in (1..40) %}{% for b in (1..10) %}x{% endfor %}{% endfor %}';
  for (let i = 0; i < 50; i++) await show({ body: `${loop}${i}` }, { inbox: true });
  t.ok((await turnsOf('inapp.feed')) >= 34, 'three feeds at most');
  const filter = { any: Array.from({ length: 90 }, () => ({ tag: 'plan', eq: 'pro' })) };
  for (let i = 0; i < 200; i++)
    await one.value(app, 'flag.create', { key: `f${i}`, input: { enabled: true, filter } });
  t.ok((await turnsOf('flags.evaluate')) >= 25, 'four evaluations of all flags at most');
});

t.test('a message that would take too much of every feed is refused by its member', async (t) => {
  const { one, app, message } = await world();
  const loop = '{% for a in (1..50) %}{% for b in (1..50) %}x{% endfor %}{% endfor %}';
  const parsed = `{% assign x = "${'y'.repeat(limits.inAppTagCharsMax)}" %}z`;
  const fifty = Array.from({ length: 30 }, (_, i) => [
    `a${String.fromCharCode(97 + (i % 26))}-x${i}`,
    { body: '{% for a in (1..400) %}x{% endfor %}' },
  ]);
  const refusals = [
    { content: { body: loop }, says: /body: runaway template: more than 2000 steps/ },
    { content: { body: parsed }, says: /body: runaway template: too many characters within tags/ },
    {
      content: { body: 'fine', localizations: { de: { body: loop } } },
      says: /localizations\.de\.body: runaway/,
    },
    {
      content: { body: 'fine', localizations: Object.fromEntries(fifty) },
      says: /10000 and 16384 across all languages/,
    },
  ];
  const shownId = await message({ body: 'short {{ name }}' });
  await one.value(app, 'inapp.create', { input: { messageId: shownId } });
  for (const { content, says } of refusals) {
    const messageId = await message(content);
    t.match(await one.ask(app, 'inapp.create', { input: { messageId } }), {
      fault: { code: 'invalid', field: 'messageId', message: says },
    });
    t.match(
      await one.ask(app, 'message.update', { id: shownId, change: { content, removed: [] } }),
      { fault: { code: 'in_use', message: says } },
      'nor does a message that is shown become so',
    );
  }
});

t.test('a feed of long messages is short, and the rest of its inbox comes by pages', async (t) => {
  const { person, show, feed } = await world();
  await person('ada');
  const ids: string[] = [];
  for (let i = 0; i < 60; i++)
    ids.push(await show({ body: `<p>${'x'.repeat(60_000)}` }, { inbox: true }));
  const first = await feed(ada, 200);
  t.equal(first.messages.length, 18, 'a mebibyte, and the message that crossed it');
  const found: string[] = [];
  let page = first;
  let pages = 1;
  for (;;) {
    found.push(...page.inbox.items.map(({ id }) => id));
    t.equal(page.inbox.unread, 60);
    const { nextCursor } = page.inbox;
    if (nextCursor === null) break;
    pages++;
    page = await feed(ada, 200, nextCursor);
  }
  t.same(found, ids.reverse());
  t.ok(pages > 2 && pages < 6, `${pages} pages`);
});

t.test('an app has a bounded number of each', async (t) => {
  const { one, app, message } = await world();
  const messageId = await message({ body: 'x' });
  const conflict = { ok: false, fault: { code: 'limit_reached', message: /at most/ } };
  for (let i = 0; i < limits.inAppMessagesMax; i++)
    await one.value(app, 'inapp.create', { input: { messageId } });
  t.match(await one.ask(app, 'inapp.create', { input: { messageId } }), conflict);
  for (let i = 0; i < limits.flagsMax; i++)
    await one.value(app, 'flag.create', { key: `f${i}`, input: {} });
  t.match(await one.ask(app, 'flag.create', { key: 'more', input: {} }), conflict);
  const state = one.product.state.apps.get(app);
  if (state !== undefined) state.messageCount = limits.messagesMax;
  const content = { body: 'one too many' };
  t.match(await one.ask(app, 'message.create', { message: { content } }), conflict);
  const long = {
    body: `<p>${'x'.repeat(200_000)}`,
    localizations: { de: { body: `<p>${'y'.repeat(200_000)}` } },
  };
  if (state !== undefined) state.messageCount = 1;
  const { id } = await one.value(app, 'message.create', { message: { content: long } });
  const change = { content: { payload: { x: 'z'.repeat(130_000) } }, removed: [] };
  t.match(await one.ask(app, 'message.update', { id, change }), {
    fault: { code: 'invalid', message: /at most 524288 characters as JSON/ },
  });
});

t.test('the inbox keeps what is dismissed, knows what was read, and comes by pages', async (t) => {
  const { one, app, person, show, beacon, feed } = await world();
  await person('ada');
  const ids: string[] = [];
  for (let i = 0; i < 7; i++) {
    // Two of each instant, so that a page may end between them.
    const startMs = one.clock.nowMs - 1000 + Math.floor(i / 2);
    ids.push(await show({ body: `n${i}` }, { inbox: true, startMs }));
  }
  await show({ body: 'not kept' });
  const [first = ''] = ids;
  await beacon('inapp_dismissed', first);
  await beacon('inbox_read', first);
  await beacon('inbox_read', ids[3] ?? '');
  const whole = await feed();
  t.equal(whole.messages.length, 7, 'six of the inbox and one beside');
  t.equal(whole.inbox.items.length, 7);
  t.equal(whole.inbox.unread, 5);
  t.same(
    whole.inbox.items.filter(({ read }) => read).map(({ body }) => body),
    ['n3', 'n0'],
  );
  for (const limit of [1, 2, 3, 7, 50]) {
    const bodies: string[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < 10; pages++) {
      const { inbox } = await feed(ada, limit, cursor);
      bodies.push(...inbox.items.map(({ body }) => body));
      t.equal(inbox.unread, 5, 'of all pages');
      if (inbox.nextCursor === null) break;
      cursor = inbox.nextCursor;
    }
    t.same(
      bodies,
      whole.inbox.items.map(({ body }) => body),
      `pages of ${limit}`,
    );
  }
  const { inbox } = await feed(ada, 2);
  const last = inbox.items[1]?.id ?? '';
  const rest = whole.inbox.items.slice(2).map(({ id }) => id);
  await one.value(app, 'inapp.delete', { id: last });
  const next = await feed(ada, 50, inbox.nextCursor ?? '');
  t.same(
    next.inbox.items.map(({ id }) => id),
    rest,
    'a deletion between two pages moves nothing',
  );
  for (const cursor of ['x', '1.iam_x', `zz.${last}x`, last]) {
    const refusal = await one.ask(app, 'inapp.feed', { ref: ada, limit: 5, cursor });
    t.match(refusal, { ok: false, fault: { code: 'invalid', field: 'cursor' } }, cursor);
  }
});

t.test('a message that goes, or loses its body, cannot while an app shows it', async (t) => {
  const { one, app, message } = await world();
  const messageId = await message({ body: 'x', payload: { kakao: { template: 'y' } } });
  const { id } = await one.value(app, 'inapp.create', { input: { messageId } });
  t.match(await one.ask(app, 'message.delete', { id: messageId }), {
    fault: { code: 'in_use', message: new RegExp(id) },
  });
  const change = { content: {}, removed: ['body' as const] };
  t.match(await one.ask(app, 'message.update', { id: messageId, change }), {
    fault: { code: 'in_use', message: /shows this message; after the change it has no body/ },
  });
  const silent = await message({ payload: { kakao: { template: 'y' } } });
  t.match(await one.ask(app, 'inapp.create', { input: { messageId: silent } }), {
    fault: { code: 'invalid', field: 'messageId' },
  });
  const long = { content: { data: { long: 'x'.repeat(limits.inAppCharsMax) } }, removed: [] };
  t.match(await one.ask(app, 'message.update', { id: messageId, change: long }), {
    fault: { code: 'in_use', message: /more than 65536 characters/ },
  });
  const longer = await message({ body: 'x', ...long.content });
  t.match(await one.ask(app, 'inapp.create', { input: { messageId: longer } }), {
    fault: { code: 'invalid', field: 'messageId', message: /more than 65536 characters/ },
  });
  await one.value(app, 'inapp.delete', { id });
  await one.value(app, 'message.update', { id: messageId, change });
  await one.value(app, 'message.delete', { id: messageId });
  t.match(await one.ask(app, 'message.read', { id: messageId }), { fault: { code: 'not_found' } });
  t.match(await one.ask(app, 'inapp.create', { input: { messageId } }), {
    fault: { code: 'not_found', field: 'messageId' },
  });
});

t.test('an erased person counts no more, and has no feed', async (t) => {
  const { one, app, person, show, beacon } = await world();
  await person('ada');
  await person('ben');
  const id = await show({ body: 'x' });
  for (const who of ['ada', 'ben', 'ada']) await beacon('inapp_viewed', id, who);
  t.equal((await one.value(app, 'inapp.read', { id })).counts.viewed, 2);
  await one.value(app, 'subscriber.erase', { ref: ada });
  t.equal((await one.value(app, 'inapp.read', { id })).counts.viewed, 1);
  t.match(await one.ask(app, 'inapp.feed', { ref: ada, limit: 1 }), {
    fault: { code: 'not_found' },
  });
});

t.test(
  'a filter that counts is refused until what it counts was read, never silently false',
  async (t) => {
    const { one, app, person, show, feed } = await world();
    await person('ada');
    await show({ body: 'loyal' }, { filter: { event: 'order', withinDays: 30, atLeast: 2 } });
    t.match(await one.ask(app, 'inapp.feed', { ref: ada, limit: 1 }), {
      fault: { code: 'not_started', retryAfterSeconds: 1 },
    });
    const { nowMs } = one.clock;
    t.same(await one.value(app, 'inapp.uncounted', { ref: ada }), {
      names: [['order', 2]],
      person: 0,
      fromMs: nowMs - 30 * dayMs,
      erased: [],
      merged: new Uint32Array(),
    });
    const once = [['order', { kept: 2, byRank: [{ sparse: [[0, nowMs - 5] as const] }] }]] as const;
    const none = await one.value(app, 'inapp.feed', { ref: ada, limit: 1, times: once });
    t.equal(none.messages.length, 0, 'fewer than it takes is an answer, too');
    const ranks = [nowMs - 4, nowMs - 5].map((atMs) => ({ sparse: [[0, atMs] as const] }));
    const times = [['order', { kept: 2, byRank: ranks }]] as const;
    const whole = await one.value(app, 'inapp.feed', { ref: ada, limit: 1, times });
    t.equal(whole.messages.length, 1);
    await t.rejects(feed(), 'nothing of it was kept');
  },
);

t.test('memory from the log, and from a checkpoint, is the memory that ran on', async (t) => {
  const tableKey = newHashKey(seededRng(5));
  let flagsSeen = 0;
  let bitsSeen = 0;
  for (const seed of [1, 2, 3]) {
    const rng = seededRng(seed);
    const store = new MirroredStore(temporaryDirectory());
    const { one, app, person, show, beacon } = await world(store);
    const ids: string[] = [];
    const flags = ['a', 'b', 'c'];
    for (let step = 0; step < 60; step++) {
      const dice = below(rng, 100);
      const who = `user-${below(rng, 6)}`;
      const id = ids[below(rng, Math.max(1, ids.length))] ?? 'iam_none';
      if (dice < 15) await person(who);
      else if (dice < 30) ids.push(await show({ body: who }, { inbox: below(rng, 2) === 0 }));
      else if (dice < 65) {
        const names = [...beaconNames, 'other'];
        await beacon(names[below(rng, names.length)] ?? '', id, who);
      } else if (dice < 70) await one.ask(app, 'inapp.delete', { id });
      else if (dice < 75) await one.ask(app, 'inapp.update', { id, input: { priority: step } });
      else if (dice < 80) await one.ask(app, 'subscriber.erase', { ref: { externalUserId: who } });
      else if (dice < 95) {
        const key = flags[below(rng, flags.length)] ?? '';
        const input = { rolloutPercent: below(rng, 101), enabled: below(rng, 2) === 0 };
        const made = await one.ask(app, 'flag.create', { key, input });
        if (!made.ok) await one.ask(app, 'flag.update', { flag: key, input });
      } else await one.ask(app, 'flag.delete', { flag: flags[below(rng, flags.length)] ?? '' });
      if (step % 25 !== 24) continue;
      await store.synced();
      makeCheckpoint({
        path: store.disk.path,
        partition: 0,
        source: store.disk,
        nowMs: one.clock.nowMs,
        tableKey,
        onProblem: (problem) => t.fail(problem),
      });
    }
    await store.synced();
    const checkpoint = newestCheckpoint(store.disk.path, (_name, problem) => t.fail(problem));
    const seq = checkpoint?.manifest.seq ?? 0;
    t.ok(seq > 0 && seq < store.disk.durableSeq, 'a checkpoint, and a log after it');
    const started = foldingPartition(0, tableKey);
    started.partition.restore(checkpoint?.parts() ?? [], seq);
    for (const { seq: at, block } of logBlocks(store.disk, seq + 1, store.disk.durableSeq))
      started.partition.replay(at, block);
    const replayed = foldingPartition(0, tableKey);
    for (const { seq: at, block } of store.blocks(1, 1e9)) replayed.partition.replay(at, block);
    const running = bytesOf(one.partition.snapshot());
    t.same(bytesOf(started.partition.snapshot()), running, 'from a checkpoint');
    t.same(bytesOf(replayed.partition.snapshot()), running, 'from the log');
    const kept = started.product.state.apps.get(app);
    flagsSeen += kept?.flags.size ?? 0;
    for (const { id } of kept?.inApp.records() ?? [])
      for (const count of Object.values(kept?.inApp.countsOf(id) ?? {})) bitsSeen += count;
    t.equal(kept?.messageCount, one.product.state.apps.get(app)?.messageCount);
    await store.disk.close();
  }
  t.ok(flagsSeen > 0 && bitsSeen > 10, `${flagsSeen} flags, ${bitsSeen} beacons`);
});

// Without the instant of the newest turn: one that only refused something is not in the log.
function bytesOf(parts: readonly SnapshotPart[]): [string, string][] {
  return parts.map(({ name, value }) => {
    const kept = name === 'runtime' ? { ...(value as object), atMs: 0 } : value;
    return [name, Buffer.from(encodePart(kept)).toString('base64')];
  });
}

t.test('what is for the inbox alone is not shown besides, and the rest as before', async (t) => {
  const { person, show, shown, feed, one, app } = await world();
  await person('ada');
  const quiet = await show({ body: 'quiet' }, { show: 'inbox' });
  await show({ body: 'both' }, { show: 'both' });
  await show({ body: 'as ever' }, { inbox: true });
  await show({ body: 'popup' }, { show: 'popup' });
  t.same(await shown(), ['popup', 'as ever', 'both']);
  const { inbox } = await feed();
  t.same(
    inbox.items.map(({ body }) => body),
    ['as ever', 'both', 'quiet'],
  );
  t.equal(inbox.unread, 3);
  await one.value(app, 'inapp.update', { id: quiet, input: { show: 'popup' } });
  t.same(await shown(), ['popup', 'as ever', 'both', 'quiet']);
  t.equal((await feed()).inbox.items.length, 2);
});
