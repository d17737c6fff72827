// Records and credentials that cannot be read: what needs them ends or waits, and everything else
// goes on.

import t from 'tap';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { type Sealer, textSealer } from '../../../../actors/sealer.ts';
import { OrgRoom } from '../../../../actors/sending/gate/org-room.ts';
import type { AttemptReport, DispatchGrant } from '../../../../actors/sending/outbox/protocol.ts';
import { type DispatchPlan, pumpApp } from '../../../../actors/sending/outbox/pump.ts';
import { sendKey } from '../../../../actors/sending/outbox/send-key.ts';
import { sandboxSenders } from '../../../../actors/tenants/accounts/sender.ts';
import { decodeBlock } from '../../../../engine/actor/block.ts';
import { dayMs, hourMs } from '../../../../engine/base/brand.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { AgeClock } from '../../../../engine/time/age-clock.ts';
import { Documents } from '../../../../storage/documents.ts';
import { encodeKey } from '../../../../storage/keys.ts';
import { MemoryStore } from '../../../../storage/memory.ts';
import { binaryName, OrderedMap } from '../../../../storage/ordered-map.ts';
import { createSealer } from '../../../../storage/sealed.ts';
import { deadLetters, sends } from '../../../../storage/tables/send.ts';
import { subscribers } from '../../../../storage/tables/subscriber.ts';
import { partitionWithApp, TestPartition, testClock } from '../../../support/partition.ts';

const phone = { channel: 'fcm' as const, endpoint: 'token-of-a-phone-0123456789' };
const accepted: Outcome = { outcome: 'accepted' };
const otherKey = new Uint8Array(32).fill(8);

/** A partition with an app, and its rows at rest within reach. */
async function onADisk() {
  const clock = testClock();
  const rows = new OrderedMap<Uint8Array>();
  const store = new MemoryStore(
    {},
    { epoch: 1, durableSeq: 0, oldestSeq: 1, blocks: new Map(), documents: rows },
  );
  const { one, app } = await partitionWithApp({ clock, store });
  const damage = (key: Uint8Array) => {
    const name = binaryName(key);
    const record = Buffer.from(rows.get(name) ?? []);
    t.ok(record.length > 0, 'there is a record to damage');
    record.writeUInt8(record.readUInt8(record.length - 1) ^ 1, record.length - 1);
    rows.set(name, record);
  };
  return {
    one,
    app,
    rows,
    damage,
    damageSend: (id: string) => damage(encodeKey(sends.id, app, sendKey(app, id) ?? [])),
    damagePerson: (person: number) => damage(encodeKey(subscribers.id, app, [person])),
  };
}

async function person(one: TestPartition, app: number, name: string, devices: object[] = []) {
  const { subscriber } = await one.value(app, 'subscriber.upsert', {
    subscriber: {
      externalUserId: name,
      devices: [{ channel: 'email', endpoint: `${name}@example.com` }, ...devices] as never,
    },
  });
  return subscriber.person;
}

async function send(one: TestPartition, app: number, name: string, extra: object = {}) {
  const request = { to: { externalUserId: name }, title: 'Hi', body: 'there', ...extra };
  return (await one.value(app, 'transactional.accept', { request, claim: null })).id;
}

function reportsOf(grants: readonly DispatchGrant[], outcome: Outcome): AttemptReport[] {
  return grants.flatMap(({ attempts }) =>
    attempts.map(({ target, attempt: { sendId, attempt } }) => ({
      sendId,
      target,
      attempt,
      outcome,
    })),
  );
}

const sentBy = (grants: readonly DispatchGrant[]) =>
  grants.flatMap(({ attempts }) => attempts.map(({ attempt }) => attempt.sendId));

const queueOf = (one: TestPartition, app: number, channel: 'email' | 'fcm') =>
  one.product.state.apps.get(app)?.outbox.queue(channel);

t.test('a report about a send whose record is damaged settles all that it reports', async (t) => {
  const { one, app, damageSend } = await onADisk();
  for (const name of ['ana', 'ben', 'eve']) await person(one, app, name);
  const ids = [await send(one, app, 'ana'), await send(one, app, 'ben')] as const;
  const grants = one.takeGrants();
  damageSend(ids[1]);
  const before = one.product.state.apps.get(app)?.nextEvent ?? 0;
  const reports = reportsOf(grants, accepted);
  t.match(await one.ask(app, 'dispatch.report', { channel: 'email', reports }), { ok: true });
  t.equal(queueOf(one, app, 'email')?.inFlight, 0, 'no credit is lost');
  t.equal(one.product.state.apps.get(app)?.outbox.jobs.size, 0);
  t.equal(one.product.state.apps.get(app)?.nextEvent, before + 2, 'each has its event');
  t.equal((await one.value(app, 'transactional.read', { id: ids[0] })).status, 'delivered');
  const id = await send(one, app, 'eve');
  t.same(sentBy(one.takeGrants()), [id], 'the channel goes on');
});

t.test('what a crash interrupted is settled after it, too, beside a damaged record', async (t) => {
  const { one, app, damageSend } = await onADisk();
  await person(one, app, 'ana');
  await person(one, app, 'ben');
  const ids = [await send(one, app, 'ana'), await send(one, app, 'ben')] as const;
  damageSend(ids[1]);
  const two = new TestPartition({
    clock: one.clock,
    store: one.store.crash(),
    rng: seededRng(2),
  });
  await two.settle();
  await two.advance(hourMs);
  t.same(sentBy(two.takeGrants()), [ids[0]], 'the readable one is tried again');
  t.equal(queueOf(two, app, 'email')?.inFlight, 1);
  t.equal(two.product.state.apps.get(app)?.outbox.jobs.size, 1, 'the other has ended');
});

t.test('outcomes about a person whose record is damaged are receipts all the same', async (t) => {
  for (const outcome of ['dead', 'opted_out'] as const) {
    const { one, app, damagePerson } = await onADisk();
    const ana = await person(one, app, 'ana');
    const id = await send(one, app, 'ana');
    const grants = one.takeGrants();
    damagePerson(ana);
    const reports = reportsOf(grants, { outcome, reason: 'gone' });
    t.match(await one.ask(app, 'dispatch.report', { channel: 'email', reports }), { ok: true });
    t.match(await one.value(app, 'transactional.read', { id }), { status: 'bounced' }, outcome);
  }
});

t.test('a due send of a person whose record is damaged fails, and others leave', async (t) => {
  const { one, app, damagePerson } = await onADisk();
  const ana = await person(one, app, 'ana');
  await person(one, app, 'ben');
  const id = await send(one, app, 'ana');
  const retry: Outcome = { outcome: 'retry', reason: 'http_503' };
  const reports = reportsOf(one.takeGrants(), retry);
  await one.ask(app, 'dispatch.report', { channel: 'email', reports });
  damagePerson(ana);
  await one.advance(hourMs);
  t.same(one.takeGrants(), []);
  t.match(await one.value(app, 'transactional.read', { id }), {
    status: 'failed',
    outcomes: [{ reason: 'internal' }],
    failures: { open: 1 },
  });
  const other = await send(one, app, 'ben');
  t.same(sentBy(one.takeGrants()), [other]);
});

t.test('a due send whose record is damaged ends, and others leave', async (t) => {
  const { one, app, damageSend } = await onADisk();
  await person(one, app, 'ana');
  const id = await send(one, app, 'ana');
  const reports = reportsOf(one.takeGrants(), { outcome: 'rate', reason: 'rate' });
  await one.ask(app, 'dispatch.report', { channel: 'email', reports });
  damageSend(id);
  const other = await send(one, app, 'ana');
  await one.advance(hourMs);
  const grants = one.takeGrants();
  t.same(sentBy(grants), [other]);
  const taken = reportsOf(grants, { outcome: 'accepted', providerMessageId: 'm' });
  await one.ask(app, 'dispatch.report', { channel: 'email', reports: taken });
  t.equal(one.product.state.apps.get(app)?.outbox.jobs.size, 0);
  t.match(await one.value(app, 'dead_letter.redrive', { all: true }), { redriven: 0 });
});

async function withCredential() {
  const disk = await onADisk();
  const { one, app } = disk;
  await one.value(app, 'credential.put', {
    channel: 'fcm',
    credential: { projectId: 'shop' },
    fingerprint: 'f',
  } as never);
  await person(one, app, 'ana', [phone]);
  return disk;
}

t.test(
  'a credential under a master key that is gone opens the circuit of its channel',
  async (t) => {
    const { one, app } = await withCredential();
    const two = new TestPartition({
      clock: one.clock,
      store: one.store.crash(),
      rng: seededRng(2),
      masterKeys: [otherKey],
    });
    const id = await send(two, app, 'ana');
    t.same(
      two.takeGrants().map(({ channel }) => channel),
      ['email'],
      'other channels leave',
    );
    t.match(queueOf(two, app, 'fcm'), { configFailures: 1, inFlight: 0 });
    for (let i = 0; i < 5; i++) await send(two, app, 'ana', { channels: ['fcm'] });
    t.match(queueOf(two, app, 'fcm'), { configFailures: 1 }, 'nothing is tried while it is open');
    await two.advance(10_000);
    t.match(queueOf(two, app, 'fcm'), { configFailures: 2 }, 'then one is tried');

    const three = new TestPartition({
      clock: one.clock,
      store: two.store.crash(),
      rng: seededRng(3),
      masterKeys: [otherKey, new Uint8Array(32).fill(7)],
    });
    await three.settle();
    const left = new Set<string>();
    for (let i = 0; i < 20; i++) {
      await three.advance(15 * 60_000);
      const grants = three.takeGrants().filter(({ channel }) => channel === 'fcm');
      for (const one of sentBy(grants)) left.add(one);
      const reports = reportsOf(grants, accepted);
      await three.ask(app, 'dispatch.report', { channel: 'fcm', reports });
    }
    t.equal(left.size, 6, 'with the key back, all of them leave');
    t.ok(left.has(id));
  },
);

t.test('a send whose content is gone ends, and says so', async (t) => {
  const { one, app, rows } = await onADisk();
  await person(one, app, 'ana');
  const id = await send(one, app, 'ana');
  const reports = reportsOf(one.takeGrants(), { outcome: 'retry', reason: 'busy' });
  await one.value(app, 'dispatch.report', { channel: 'email', reports });
  rows.delete(binaryName(encodeKey(sends.id, app, sendKey(app, id) ?? [])));
  await one.advance(hourMs);
  t.same(one.takeGrants(), []);
  const receipts: unknown[] = [];
  for (const { block } of one.store.blocks(1, 100))
    for (const entry of decodeBlock(block).entries)
      if (entry.kind === 'attempts.settled') receipts.push(entry);
  t.match(JSON.stringify(receipts.at(-1)), /"status":"suppressed","reason":"content_removed"/);
});

t.test('whoever watches is told which key is missing, and which record is damaged', async (t) => {
  const { one, app, damagePerson } = await withCredential();
  const state = one.product.state.apps.get(app);
  if (state === undefined) throw new Error('there is no app');
  one.product.quiesce(); // what is due stays due
  await send(one, app, 'ana', { channels: ['fcm'] });
  await send(one, app, 'ana', { channels: ['fcm'] });
  const documents = new Documents(one.store);
  const told = (sealer: Sealer) => {
    const said: string[] = [];
    const plan: DispatchPlan = {
      partition: 0,
      dispatchers: 1,
      available: new Set(['fcm', 'email']),
      credentialsRequired: true,
      senders: sandboxSenders,
      unsubscribeUrl: () => '',
      publicUrl: '',
      onUnreadable: (owner, { message }) => said.push(`${owner}: ${message}`),
    };
    const context = {
      nowMs: one.clock.nowMs,
      wallMs: one.clock.nowMs,
      ages: new AgeClock(),
      rng: seededRng(4),
      quarantined: new Set<number>(),
      isShared: false,
      documentsOf: (owner: number) => documents.bound(owner),
    };
    const room = OrgRoom.of(one.product.state, state.record.org, context.nowMs);
    pumpApp(state, plan, sealer, new Map(), room, context, 64);
    return said;
  };
  const sealer = textSealer(createSealer([otherKey]));
  const missing = told(sealer);
  t.match(missing[0], `${app}: credential fcm: sealed with master key`);
  t.equal(missing.length, 1, 'once, however much is due');
  const odd = told({ ...sealer, open: () => 'hush' });
  t.match(odd[0], /not JSON/);
  t.notMatch(odd[0], /hush/, 'and never what was inside');
  damagePerson(0);
  const damaged = told(textSealer(createSealer([new Uint8Array(32).fill(7)])));
  t.match(damaged[0], /table subscribers: fails its checksum/);
  t.equal(damaged.length, 2, 'for each target that it ends');
});

t.test('a send whose credential never opens becomes a dead letter that says so', async (t) => {
  const { one, app } = await withCredential();
  const two = new TestPartition({
    clock: one.clock,
    store: one.store.crash(),
    rng: seededRng(2),
    masterKeys: [otherKey],
  });
  const id = await send(two, app, 'ana', { channels: ['fcm'] });
  for (let at = 0; at < dayMs + hourMs; at += hourMs / 4) await two.advance(hourMs / 4);
  t.match(await two.value(app, 'transactional.read', { id }), {
    status: 'failed',
    outcomes: [{ reason: 'credential_unreadable' }],
    failures: { open: 1 },
  });
  t.same((await two.value(app, 'dead_letter.list', { limit: 10 })).items.length, 1);
  const before = [...two.product.parts()];
  const three = new TestPartition({ clock: one.clock, store: two.store.crash() });
  t.same([...three.product.parts()], before, 'a replay makes the same of it');
});

t.test('retention and erasure get past a record that is damaged', async (t) => {
  const { one, app, damageSend, rows } = await onADisk();
  for (const name of ['ana', 'ben']) await person(one, app, name);
  const first = await send(one, app, 'ana');
  const second = await send(one, app, 'ben', { body: 'something personal' });
  const reports = reportsOf(one.takeGrants(), accepted);
  await one.ask(app, 'dispatch.report', { channel: 'email', reports });
  damageSend(first);
  await one.value(app, 'subscriber.erase', { ref: { externalUserId: 'ben' } });
  await one.advance(2 * hourMs);
  const record = () => rows.get(binaryName(encodeKey(sends.id, app, sendKey(app, second) ?? [])));
  t.ok(record(), 'it is kept');
  t.notMatch(Buffer.from(record() ?? []).toString('latin1'), /personal/);
  await one.advance(91 * dayMs);
  t.same(new Documents(one.store).range(sends, app, { limit: 9 }), [], 'the damaged one, too');
});

t.test('a dead letter that is damaged is passed by, and those behind it are listed', async (t) => {
  const { one, app, damage } = await onADisk();
  for (const name of ['ana', 'ben', 'eve', 'zoe']) {
    await person(one, app, name);
    await send(one, app, name);
    const reports = reportsOf(one.takeGrants(), { outcome: 'ambiguous', reason: 'timeout' });
    await one.ask(app, 'dispatch.report', { channel: 'email', reports });
    await one.advance(48 * hourMs);
    for (const grants = one.takeGrants(); grants.length > 0; grants.splice(0)) {
      const more = reportsOf(grants, { outcome: 'ambiguous', reason: 'timeout' });
      await one.ask(app, 'dispatch.report', { channel: 'email', reports: more });
    }
  }
  const all = await one.value(app, 'dead_letter.list', { limit: 50 });
  t.equal(all.items.length, 4);
  for (const place of [1, 2]) damage(encodeKey(deadLetters.id, app, [all.items[place]?.id ?? '']));
  const listed: string[] = [];
  let cursor: string | null = '';
  for (let pages = 0; cursor !== null && pages < 9; pages++) {
    const from: object = cursor === '' ? {} : { cursor };
    const page: { items: readonly { id: string }[]; nextCursor: string | null } = await one.value(
      app,
      'dead_letter.list',
      { limit: 1, ...from },
    );
    listed.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  t.same(listed, [all.items[0]?.id, all.items[3]?.id]);
  const ids = all.items.slice(0, 2).map(({ id }) => id);
  t.match(await one.ask(app, 'dead_letter.redrive', { ids }), { ok: true, value: { redriven: 1 } });
  t.match(await one.value(app, 'dead_letter.redrive', { all: true }), { redriven: 1 });
});
