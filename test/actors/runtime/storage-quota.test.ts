// What an org stores is counted to the byte through any history, and a full org can neither make
// nor grow anything, but can delete, read, send and stop.

import fc from 'fast-check';
import t from 'tap';
import { everyArea } from '../../../actors/runtime/every-area.ts';
import { type RowBytes, rowKinds } from '../../../actors/stored-share.ts';
import { storedByKind } from '../../../actors/tenants/usage/stored-by-org.ts';
import { rowBytes } from '../../../actors/weight.ts';
import { prefixRange } from '../../../storage/keys.ts';
import { partitionWithApp, TestPartition } from '../../support/partition.ts';
import { tries } from '../../support/tries.ts';
import { aDestination } from '../integrations/webhooks/webhook-world.ts';

interface World {
  readonly one: TestPartition;
  readonly org: number;
  readonly app: number;
}

async function worldOf(quota: number | null = null): Promise<World> {
  const { one, org, app } = await partitionWithApp();
  await setQuota({ one, org, app }, quota);
  return { one, org, app };
}

async function setQuota({ one, org }: World, storageQuotaBytes: number | null): Promise<void> {
  await one.value(org, 'org.set_limits', { storageQuotaBytes });
}

async function stored({ one, org }: World) {
  return one.value(org, 'org.stored', {});
}

/** Of memory as it is, before its partition does anything. */
function storedAt({ one, org }: World) {
  return storedByKind(one.product.state, everyArea.stored.sums, org, one.clock.nowMs);
}

/** Counted anew from the records themselves. */
function rowsIn({ one, app }: World): RowBytes {
  const sums: Record<string, number> = {};
  for (const [kind, { id }] of everyArea.stored.tables)
    for (const { value } of one.store.range(prefixRange(id, app, [])))
      sums[kind] = (sums[kind] ?? 0) + rowBytes + value.byteLength;
  return sums;
}

function rowsCounted({ one, app }: World): RowBytes {
  const own = one.product.state.apps.get(app)?.stored;
  return Object.fromEntries(
    rowKinds.flatMap((kind) => (own?.rows(kind) ? [[kind, own.rows(kind)]] : [])),
  );
}

/** The same partition from its newest memory, or from the first block of its log. */
function again(world: World, from: 'memory' | 'log'): World {
  const { one } = world;
  const { store, clock } = one;
  const checkpoint = { seq: store.durableSeq, memory: [...one.partition.parts()] };
  const options = from === 'memory' ? { store, clock, checkpoint } : { store, clock };
  return { ...world, one: new TestPartition(options) };
}

type Act = (world: World, size: number, pick: number) => Promise<unknown>;

const text = (size: number) => 'ö'.repeat(1 + size / 2);
const from = <One>(list: readonly One[], pick: number) => list[pick % Math.max(1, list.length)];
const asked = (world: World, kind: string, body: object, bytes?: Uint8Array) =>
  world.one.ask(world.app, kind as 'org.read', body as never, {
    by: world.org,
    ...(bytes === undefined ? {} : { bytes }),
  });
const page = { limit: 200 };

async function idsOf({ one, app }: World, of: 'message' | 'template' | 'campaign' | 'journey') {
  const list = await one.value(app, `${of}.list`, { ...page, archived: 'all' } as never);
  return (list as { items: readonly { id: string }[] }).items.map(({ id }) => id);
}

const filterOf = (size: number) => ({ tag: 'city', eq: text(size % 900) });
const stepsOf = (size: number) => [
  { id: 'say', type: 'send', message: { title: 'Hi', body: text(size % 2_000) } },
];

const acts: Readonly<Record<string, Act>> = {
  message: (world, size) =>
    asked(world, 'message.create', {
      message: { name: 'n', content: { title: 'x', body: 'y' }, design: { blocks: text(size) } },
    }),
  messageCopy: async (world, _size, pick) =>
    asked(world, 'message.duplicate', { id: from(await idsOf(world, 'message'), pick) ?? 'none' }),
  messageGrows: async (world, size, pick) =>
    asked(world, 'message.update', {
      id: from(await idsOf(world, 'message'), pick) ?? 'none',
      change: { content: {}, design: { blocks: text(size) }, removed: [] },
    }),
  messageGoes: async (world, _size, pick) =>
    asked(world, 'message.delete', { id: from(await idsOf(world, 'message'), pick) ?? 'none' }),
  template: (world, size, pick) =>
    asked(world, 'template.create', { name: `t${pick}`, content: { body: text(size) } }),
  templateGrows: (world, size, pick) =>
    asked(world, 'template.update', {
      template: `t${pick}`,
      change: { content: { body: text(size) }, removed: [] },
    }),
  templateGoes: (world, _size, pick) => asked(world, 'template.delete', { template: `t${pick}` }),
  picture: (world, size, pick) =>
    asked(
      world,
      'asset.add',
      { asset: { hash: `hash-${pick}`, type: 'image/png', width: 1, height: 1 } },
      Buffer.alloc(1 + size),
    ),
  pictureGoes: async (world, _size, pick) => {
    const { items } = await world.one.value(world.app, 'asset.list', page as never);
    return asked(world, 'asset.delete', { id: from(items, pick)?.id ?? 'ast_x' });
  },
  segment: (world, size) =>
    asked(world, 'segment.create', { name: 'Some', filter: filterOf(size) }),
  segmentGrows: async (world, size, pick) => {
    const all = await world.one.value(world.app, 'segment.list', {});
    return asked(world, 'segment.update', {
      id: from(all, pick)?.id ?? 'none',
      filter: filterOf(size),
    });
  },
  segmentGoes: async (world, _size, pick) => {
    const all = await world.one.value(world.app, 'segment.list', {});
    return asked(world, 'segment.delete', { id: from(all, pick)?.id ?? 'none' });
  },
  flag: (world, size, pick) =>
    asked(world, 'flag.create', { key: `f${pick}`, input: { filter: filterOf(size) } }),
  flagGrows: (world, size, pick) =>
    asked(world, 'flag.update', { flag: `f${pick}`, input: { filter: filterOf(size) } }),
  flagGoes: (world, _size, pick) => asked(world, 'flag.delete', { flag: `f${pick}` }),
  inApp: async (world, size, pick) =>
    asked(world, 'inapp.create', {
      input: {
        messageId: from(await idsOf(world, 'message'), pick) ?? 'none',
        filter: filterOf(size),
      },
    }),
  inAppGoes: async (world, _size, pick) => {
    const all = await world.one.value(world.app, 'inapp.list', {});
    return asked(world, 'inapp.delete', { id: from(all, pick)?.id ?? 'none' });
  },
  campaign: async (world, size, pick) =>
    asked(world, 'campaign.create', {
      input: {
        name: text(size % 200),
        channels: ['fcm'],
        messageId: from(await idsOf(world, 'message'), pick) ?? 'none',
      },
    }),
  campaignGrows: async (world, size, pick) =>
    asked(world, 'campaign.update', {
      id: from(await idsOf(world, 'campaign'), pick) ?? 'none',
      change: { input: { name: text(size % 200) }, removed: [] },
    }),
  campaignSent: async (world, _size, pick) =>
    asked(world, 'campaign.send', { id: from(await idsOf(world, 'campaign'), pick) ?? 'none' }),
  campaignGoes: async (world, _size, pick) =>
    asked(world, 'campaign.delete', { id: from(await idsOf(world, 'campaign'), pick) ?? 'none' }),
  journey: (world, size) =>
    asked(world, 'journey.create', {
      input: { name: 'Walk', triggerEvent: 'seen', steps: stepsOf(size) },
    }),
  journeyLive: async (world, _size, pick) =>
    asked(world, 'journey.update', {
      id: from(await idsOf(world, 'journey'), pick) ?? 'none',
      change: { input: {}, removed: [] },
      active: pick % 3 > 0,
    }),
  journeyGoes: async (world, _size, pick) =>
    asked(world, 'journey.delete', { id: from(await idsOf(world, 'journey'), pick) ?? 'none' }),
  person: (world, size, pick) =>
    asked(world, 'subscriber.upsert', {
      subscriber: {
        externalUserId: `p${pick}`,
        devices: [{ channel: 'fcm', endpoint: `token-${pick}` }],
        tags: { city: text(size % 500) },
      },
    }),
  optOut: (world, _size, pick) =>
    asked(world, 'suppression.add', {
      channel: 'email',
      address: `p${pick}@example.com`,
      source: 'api',
    }),
  personGoes: (world, _size, pick) =>
    asked(world, 'subscriber.erase', { ref: { externalUserId: `p${pick}` } }),
  webhook: (world) => asked(world, 'destination.put', { type: 'webhook', input: aDestination }),
  webhookTest: (world) => asked(world, 'destination.test', { type: 'webhook' }),
  settings: (world, size) => asked(world, 'settings.patch', { patch: settingsOf(size) }),
  month: ({ one }) => one.advance(31 * 86_400_000),
};

const settingsOf = (size: number) => ({
  keywords: { stop: Array.from({ length: 1 + (size % 9) }, (_, i) => `no${i}`) },
});

const anAct = fc.record({
  name: fc.constantFrom(...Object.keys(acts)),
  size: fc.oneof(fc.nat(200), fc.nat(20_000)),
  pick: fc.nat(5),
});

/** Calls that copy what is there, or whose size shows only afterwards. */
const mayExceed = /^(campaignSent|journeyLive|person|optOut|webhook|webhookTest|settings|month)$/;

t.test('any history leaves the count that the records have', async (t) => {
  const done = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(anAct, { minLength: 60, maxLength: 160, size: 'max' }),
      async (steps) => {
        const quota = 60_000;
        const world = await worldOf(quota);
        for (const { name, size, pick } of steps) {
          const before = (await stored(world)).storedBytes;
          const answer = await acts[name]?.(world, size, pick);
          const { storedBytes: after } = await stored(world);
          const isDone = (answer as { ok?: boolean } | undefined)?.ok === true;
          if (isDone) done.set(name, (done.get(name) ?? 0) + 1);
          if (isDone && after > before && !mayExceed.test(name))
            t.ok(after <= quota, `${name}: ${after}`);
          if (isDone && /Goes$/.test(name) && name !== 'personGoes')
            t.ok(after < before, `${name} gives back`);
        }
        t.same(rowsCounted(world), rowsIn(world), 'rows');
        const now = await stored(world);
        const sum = Object.values(now.byKind).reduce((all, bytes) => all + bytes, 0);
        t.equal(sum, now.storedBytes, 'the kinds are the whole');
        for (const start of ['memory', 'log'] as const)
          t.same(storedAt(again(world, start)), now.byKind, `from ${start}`);
      },
    ),
    { seed: 7, numRuns: tries(48) },
  );
  const undone = Object.keys(acts).filter((name) => name !== 'month' && !done.has(name));
  t.same(undone, [], 'every kind of change was accepted at least once');
});

t.test('data of a version that counted nothing is counted at its first start', async (t) => {
  const world = await worldOf();
  for (let pick = 0; pick < 50; pick++) {
    await acts['message']?.(world, 1_000 + pick, pick);
    await acts['template']?.(world, 500, pick);
  }
  await acts['webhook']?.(world, 0, 0);
  for (let pick = 0; pick < 300; pick++) await acts['webhookTest']?.(world, 0, pick);
  const now = await stored(world);
  const { store, clock } = world.one;
  const memory = [...world.one.partition.parts()].map(({ name, value }) => {
    const { stored: before, ...rest } = value as { stored?: { rows?: object; counted?: unknown } };
    if (before === undefined) return { name, value };
    const { rows: _rows, counted: _counted, ...bytes } = before;
    return { name, value: { ...rest, stored: bytes } };
  });
  const checkpoint = { seq: store.durableSeq, memory };
  const copy = { ...world, one: new TestPartition({ store, clock, checkpoint }) };
  const own = copy.one.product.state.apps.get(world.app)?.stored;
  t.same(rowsCounted(copy), {}, 'nothing at first');
  // Changes while it counts: what it has passed, and what is still to come.
  const [first, last] = [0, 49].map((i) => idsOf(world, 'message').then((ids) => ids[i]));
  const change = { content: {}, design: { blocks: text(9_000) }, removed: [] };
  const changes = [
    copy.one.ask(world.app, 'message.update', { id: (await first) ?? '', change } as never),
    copy.one.ask(world.app, 'message.delete', { id: (await last) ?? '' }),
    acts['message']?.(copy, 4_000, 0),
  ];
  await Promise.all(changes);
  await copy.one.settle();
  t.equal(own?.counted, 'all');
  t.same(rowsCounted(copy), rowsIn(copy));
  t.not((await stored(copy)).storedBytes, now.storedBytes);
  t.same(storedAt(again(copy, 'memory')), storedAt(copy), 'and never again');
  t.equal(again(copy, 'memory').one.product.state.apps.get(world.app)?.stored.counted, 'all');
});

t.test('a full org is told what it has and what it asked for, and keeps working', async (t) => {
  const world = await worldOf();
  const { one, app, org } = world;
  await acts['picture']?.(world, 20_000, 0);
  for (const name of ['message', 'template', 'segment', 'flag', 'journey'])
    await acts[name]?.(world, 300, 1);
  await acts['campaign']?.(world, 0, 0);
  const [campaign] = await idsOf(world, 'campaign');
  const { storedBytes } = await stored(world);
  await setQuota(world, storedBytes);
  const before = await stored(world);
  const grow = ['message', 'messageCopy', 'messageGrows', 'templateGrows', 'picture', 'segment'];
  grow.push('segmentGrows', 'flagGrows', 'inApp', 'campaign', 'campaignGrows', 'journey');
  for (const name of grow) {
    const answer = (await acts[name]?.(world, 890, 1)) as {
      ok: boolean;
      fault?: { code: string; message: string };
    };
    t.equal(answer.fault?.code, 'storage_quota', name);
    t.match(
      answer.fault?.message,
      /^storageQuotaBytes of the org is \d+, \d+ are used, and this would add \d+;/,
    );
  }
  t.same(await stored(world), before, 'nothing changed');
  const shorter = { content: {}, design: {}, removed: [] };
  const [message = ''] = await idsOf(world, 'message');
  const less = await asked(world, 'message.update', { id: message, change: shorter });
  t.equal(less.ok, true, 'what shrinks is taken');
  await setQuota(world, (await stored(world)).storedBytes);
  const person = { externalUserId: 'ada', devices: [{ channel: 'fcm', endpoint: 'token' }] };
  const full = await asked(world, 'subscriber.upsert', { subscriber: person });
  t.equal(full.ok, false, 'no person either');
  for (const [kind, body] of [
    ['campaign.send', { id: campaign }],
    ['campaign.pause', { id: campaign }],
    ['campaign.resume', { id: campaign }],
    ['campaign.cancel', { id: campaign }],
    ['campaign.archive', { id: campaign }],
    ['settings.patch', { patch: settingsOf(8) }],
    ['template.delete', { template: 't1' }],
  ] as const) {
    const answer = await one.ask(app, kind as 'org.read', body as never, { by: org });
    if (!answer.ok) t.not(answer.fault.code, 'storage_quota', `${kind}: ${answer.fault.message}`);
    else t.pass(kind);
  }
});

t.test('copies of a sent campaign take a tenth beyond the quota and no more', async (t) => {
  const world = await worldOf();
  await acts['person']?.(world, 0, 0);
  await acts['message']?.(world, 0, 0);
  const [id = ''] = await idsOf(world, 'message');
  const change = { content: { body: 'y'.repeat(9_000) }, removed: [] };
  await asked(world, 'message.update', { id, change });
  for (let i = 0; i < 3; i++) await acts['campaign']?.(world, 0, 0);
  const { storedBytes } = await stored(world);
  const answers: string[] = [];
  await setQuota(world, Math.ceil(storedBytes / 0.95));
  for (const campaign of await idsOf(world, 'campaign')) {
    const answer = await asked(world, 'campaign.send', { id: campaign });
    answers.push(answer.ok ? 'sent' : answer.fault.code);
  }
  t.ok(answers.includes('storage_quota'), answers.join());
});

t.test('a scheduled campaign without room for its copy fails and says why', async (t) => {
  const world = await worldOf();
  const { one, app } = world;
  await acts['person']?.(world, 0, 0);
  await acts['message']?.(world, 0, 0);
  const [messageId = ''] = await idsOf(world, 'message');
  const change = { content: { body: 'y'.repeat(9_000) }, removed: [] };
  await asked(world, 'message.update', { id: messageId, change });
  const atMs = one.clock.nowMs + 3_600_000;
  const input = { messageId, channels: ['fcm'], schedule: { type: 'at', atMs } };
  const made: string[] = [];
  for (let i = 0; i < 2; i++) {
    const { id } = await one.value(app, 'campaign.create', { input } as never);
    await one.value(app, 'campaign.send', { id } as never, { by: world.org });
    made.push(id);
  }
  const { storedBytes } = await stored(world);
  await setQuota(world, storedBytes + 2_000);
  await one.advance(3_600_001);
  const first = await one.value(app, 'campaign.read', { id: made[0] ?? '' });
  t.match(first, { state: 'failed', stateReason: 'storage_quota' });
  await setQuota(world, null);
  const { id } = await one.value(app, 'campaign.duplicate', { id: made[1] ?? '' });
  const later = { schedule: { type: 'at', atMs: one.clock.nowMs + 1_000 } };
  await one.value(app, 'campaign.update', { id, change: { input: later, removed: [] } } as never);
  await one.value(app, 'campaign.send', { id } as never, { by: world.org });
  await one.advance(2_000);
  t.not((await one.value(app, 'campaign.read', { id })).state, 'failed');
});

t.test('a deleted app gives back all it had', async (t) => {
  const world = await worldOf();
  const { one, org } = world;
  const empty = await stored(world);
  const app = await one.value(org, 'app.create', {
    name: 'Club',
    timezone: 'UTC',
    vapid: { publicKey: 'public', privateKey: 'private' },
  });
  const second = { ...world, app: app.ordinal };
  for (const name of ['message', 'template', 'picture', 'segment', 'journey', 'person'])
    await acts[name]?.(second, 3_000, 1);
  t.ok((await stored(world)).storedBytes > empty.storedBytes + 10_000);
  await one.value(app.ordinal, 'app.delete', {});
  await one.advance(60_000);
  t.same(await stored(world), empty);
  t.same(rowsIn(second), {}, 'its records, too');
});
