// Logins decided by the app's actor: which proof is good until when, what a merge moves and leaves,
// and its bounds.

import { createHmac } from 'node:crypto';
import t from 'tap';
import { limits } from '../../../../actors/limits.ts';
import type { Login } from '../../../../actors/people/identity/protocol.ts';
import { dayMs, minuteMs } from '../../../../engine/base/brand.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { Documents } from '../../../../storage/documents.ts';
import { aliases } from '../../../../storage/tables/subscriber.ts';
import { partitionWithApp, TestPartition, testClock } from '../../../support/partition.ts';

const tokenKey = new Uint8Array(32).fill(3);
const hashOf = (secret: string, user: string) =>
  createHmac('sha256', secret).update(user).digest('hex');

async function world() {
  const { one, app } = await partitionWithApp({ clock: testClock() });
  return { one, app };
}

type World = Awaited<ReturnType<typeof world>>;

const logIn = ({ one, app }: World, login: Omit<Login, 'tokenKey'> = {}) =>
  one.value(app, 'sdk.login', { login: { ...login, tokenKey } });
const refusal = async ({ one, app }: World, login: Omit<Login, 'tokenKey'> = {}) => {
  const answer = await one.ask(app, 'sdk.login', { login: { ...login, tokenKey } });
  return answer.ok ? undefined : answer.fault;
};
const readOf = ({ one, app }: World, id: string) =>
  one.value(app, 'subscriber.read', { ref: { id } });
const set = ({ one, app }: World, identityVerification: 'open' | 'required' | 'first-use') =>
  one.value(app, 'settings.patch', { patch: { identityVerification } });

t.test(
  'a secret that was replaced vouches for 24 hours more, and not a millisecond longer',
  async (t) => {
    const all = await world();
    const { one, app } = all;
    await set(all, 'required');
    const login = { externalUserId: 'ana', identityHash: hashOf('first', 'ana') };
    t.match(
      await refusal(all, login),
      { code: 'identity_required', field: 'identityHash' },
      'no secret',
    );
    await one.value(app, 'identity.put_secret', { secret: 'first' });
    await logIn(all, login);
    await one.value(app, 'identity.put_secret', { secret: 'second' });
    one.clock.nowMs += dayMs - 1;
    await logIn(all, login);
    one.clock.nowMs += 1;
    t.match(await refusal(all, login), { code: 'identity_required' });
    await logIn(all, { ...login, identityHash: hashOf('second', 'ana') });
    await one.value(app, 'identity.put_secret', { secret: 'third' });
    await one.value(app, 'identity.put_secret', { secret: 'fourth' });
    t.match(
      await refusal(all, { ...login, identityHash: hashOf('second', 'ana') }),
      { code: 'identity_required' },
      'only the one before goes on',
    );
  },
);

t.test('a secret that was replaced by a wrong clock ends a day after the true time', async (t) => {
  const all = await world();
  await all.one.value(all.app, 'identity.put_secret', { secret: 'first' });
  const beginMs = all.one.clock.nowMs;
  const startedAt = async (nowMs: number) => {
    const one = new TestPartition({ store: all.one.store, clock: testClock(nowMs) });
    await one.settle();
    return { one, app: all.app };
  };
  const wrong = await startedAt(beginMs + 120 * dayMs);
  await wrong.one.value(all.app, 'identity.put_secret', { secret: 'second' });
  const right = await startedAt(beginMs + minuteMs);
  right.one.partition.acceptClock();
  await right.one.settle();
  const login = { externalUserId: 'ana', identityHash: hashOf('first', 'ana') };
  await logIn(right, login);
  await right.one.advance(dayMs + minuteMs);
  t.match(await refusal(right, login), { code: 'identity_required' });
  await logIn(right, { ...login, identityHash: hashOf('second', 'ana') });
});

t.test('another app’s secret and token are good for nothing here', async (t) => {
  const all = await world();
  const { one, app } = all;
  const { org } = one.product.state.apps.get(app)?.record ?? { org: 0 };
  const vapid = { publicKey: 'public', privateKey: 'private' };
  const other = await one.value(org, 'app.create', { name: 'Other', timezone: 'UTC', vapid });
  const theirs = { one, app: other.ordinal };
  await one.value(other.ordinal, 'identity.put_secret', { secret: 'theirs' });
  await one.value(app, 'identity.put_secret', { secret: 'ours' });
  t.match(await refusal(all, { externalUserId: 'ana', identityHash: hashOf('theirs', 'ana') }), {
    code: 'identity_required',
  });
  await logIn(all);
  const { clientToken } = await logIn(theirs);
  t.match(
    await refusal(all, { clientToken }),
    { code: 'invalid_client_token' },
    'even under the same key',
  );
});

t.test(
  'people made without a key are counted, and those whom the tenant vouches for are not',
  async (t) => {
    const all = await world();
    const { one, app } = all;
    await set(all, 'first-use');
    await one.value(app, 'identity.put_secret', { secret: 's' });
    const { clientToken } = await logIn(all);
    for (let made = 1; made < limits.keylessPeoplePerMinute; made++) await logIn(all);
    const full = await refusal(all);
    t.match(full, { code: 'rate_limited', retryAfterSeconds: 60 });
    t.match(await refusal(all, { externalUserId: 'new' }), { code: 'rate_limited' });
    await logIn(all, { externalUserId: 'vouched', identityHash: hashOf('s', 'vouched') });
    await logIn(all, { clientToken });
    one.clock.nowMs += minuteMs;
    await logIn(all);
  },
);

t.test('a send under way to somebody who is merged ends on the known person', async (t) => {
  const all = await world();
  const { one, app } = all;
  await set(all, 'open');
  const { subscriberId, clientToken } = await logIn(all);
  const device = { channel: 'fcm' as const, endpoint: 'phone-of-somebody-0123' };
  await one.value(app, 'sdk.register', { clientToken, device });
  const request = { to: { id: subscriberId }, title: 'Hi', body: 'there' };
  const { id } = await one.value(app, 'transactional.accept', { request, claim: null });
  const waiting = await one.value(app, 'transactional.accept', { request, claim: null });
  const [grant, next] = one.takeGrants();
  const known = await one.value(app, 'subscriber.upsert', {
    subscriber: { externalUserId: 'ana' },
  });
  await logIn(all, { clientToken, externalUserId: 'ana' });
  const attempt = grant?.attempts[0];
  t.equal(attempt?.attempt.sendId, id);
  const report = (sendId: string, outcome: 'accepted' | 'dead') =>
    one.value(app, 'dispatch.report', {
      channel: 'fcm',
      reports: [
        {
          sendId,
          target: 0,
          attempt: 1,
          outcome: outcome === 'dead' ? { outcome, reason: 'unregistered' } : { outcome },
        },
      ],
    });
  await report(id, 'accepted');
  t.equal((await one.value(app, 'transactional.read', { id })).status, 'delivered');
  const state = one.product.state.apps.get(app);
  const person = known.subscriber.person;
  t.equal(
    state?.traits.events.get('delivered')?.at(person),
    one.clock.nowMs,
    'the receipt is theirs',
  );
  t.ok(next, 'another is under way');
  await report(waiting.id, 'dead');
  t.match((await readOf(all, known.subscriber.id)).devices, [
    { enabled: false, disabledReason: 'unregistered' },
  ]);
  t.equal(state?.outbox.jobs.size, 0);

  const open = await one.value(app, 'transactional.accept', { request, claim: null });
  t.match(await one.value(app, 'transactional.read', { id: open.id }), { status: 'suppressed' });
});

t.test('a restart finds the open sends of somebody merged with the known person', async (t) => {
  const all = await world();
  const { one, app } = all;
  await set(all, 'open');
  const { subscriberId, clientToken } = await logIn(all);
  const device = { channel: 'fcm' as const, endpoint: 'phone-of-somebody-0123' };
  await one.value(app, 'sdk.register', { clientToken, device });
  const request = { to: { id: subscriberId }, title: 'Hi', body: 'there' };
  await one.value(app, 'transactional.accept', { request, claim: null });
  const known = await one.value(app, 'subscriber.upsert', {
    subscriber: { externalUserId: 'ana' },
  });
  await logIn(all, { clientToken, externalUserId: 'ana' });
  const two = new TestPartition({ store: one.store.crash(), clock: one.clock });
  const outbox = two.product.state.apps.get(app)?.outbox;
  t.equal(outbox?.of(known.subscriber.person).length, 1);
  t.equal(outbox?.of(0).length, 0);
});

t.test('erasing the known person ends the sends that were somebody anonymous’s', async (t) => {
  const all = await world();
  const { one, app } = all;
  await set(all, 'open');
  const { subscriberId, clientToken } = await logIn(all);
  await one.value(app, 'sdk.register', {
    clientToken,
    device: { channel: 'fcm', endpoint: 'phone-0123456789-x' },
  });
  const request = { to: { id: subscriberId }, title: 'Hi', body: 'there' };
  const { id } = await one.value(app, 'transactional.accept', { request, claim: null });
  await one.value(app, 'subscriber.upsert', { subscriber: { externalUserId: 'ana' } });
  await logIn(all, { clientToken, externalUserId: 'ana' });
  one.effects.length = 0;
  await one.value(app, 'subscriber.erase', { ref: { externalUserId: 'ana' } });
  t.match(await one.value(app, 'transactional.read', { id }), {
    status: 'suppressed',
    outcomes: [{ reason: 'erased' }],
  });
  const listed = one.effects
    .filter(({ port }) => port === 'host')
    .map(({ message }) => message as { erasure?: { subscriberId: string } })
    .filter(({ erasure }) => erasure !== undefined);
  t.equal(listed.length, 2, 'both ids are on the list that outlives backups');
  t.ok(listed.some(({ erasure }) => erasure?.subscriberId === subscriberId));
  t.equal(new Documents(one.store).get(aliases, app, [0]), undefined);
  t.match(await refusal(all, { clientToken }), { code: 'invalid_client_token' });
});

t.test('a login never fails for want of room: what fits moves, what is there stays', async (t) => {
  const all = await world();
  const { one, app } = all;
  await set(all, 'open');
  const devices = (from: number, count: number, size = 30) =>
    Array.from({ length: count }, (_, i) => ({
      channel: 'fcm' as const,
      endpoint: `${from + i}-`.padEnd(size, 'x'),
    }));
  const big = 'y'.repeat(1_000);
  const tags = (name: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}${i}`, big]));
  const { subscriber } = await one.value(app, 'subscriber.upsert', {
    subscriber: { externalUserId: 'ana', devices: devices(0, 48), tags: tags('known', 20) },
  });
  const { subscriberId, clientToken } = await logIn(all);
  await one.value(app, 'subscriber.patch', {
    ref: { id: subscriberId },
    patch: { tags: tags('old', 55) },
  });
  for (const device of devices(100, 3)) {
    one.clock.nowMs += 1_000;
    await one.value(app, 'sdk.register', { clientToken, device });
  }
  await logIn(all, {
    clientToken,
    externalUserId: 'ana',
    language: 'en',
    timezone: 'Asia/Bangkok',
  });
  const after = await readOf(all, subscriber.id);
  t.equal(after.devices.length, limits.devicesMax);
  const names = after.devices.map(({ endpoint }) => String(endpoint).split('-')[0]);
  t.same(names.slice(48), ['101', '102'], 'those used last');
  t.equal(names.filter((name) => Number(name) < 48).length, 48, 'none is given up for them');
  t.match(after.tags, { language: 'en', known19: big, old0: big });
  t.equal(Object.keys(after.tags).filter((tag) => tag.startsWith('known')).length, 20);
  t.ok(Buffer.byteLength(JSON.stringify(after)) < limits.subscriberBytesMax + 200);
  const left = await one.value(app, 'subscriber.upsert', {
    subscriber: { devices: devices(100, 1) },
  });
  t.equal(left.subscriber.devices.length, 1, 'an endpoint that did not fit is nobody’s, and free');
});

t.test('beyond a bound of aliases a login leaves the anonymous person alone', async (t) => {
  const all = await world();
  const { one, app } = all;
  await set(all, 'open');
  const known = await logIn(all, { externalUserId: 'ana' });
  const people = one.product.state.apps.get(app)?.people;
  for (let i = 0; i < limits.aliasesMax; i++) {
    if (i % 500 === 0) one.clock.nowMs += minuteMs;
    const { clientToken } = await logIn(all);
    await logIn(all, { clientToken, externalUserId: 'ana' });
  }
  t.equal(people?.count, 1);
  one.clock.nowMs += minuteMs;
  const last = await logIn(all);
  const got = await logIn(all, { clientToken: last.clientToken, externalUserId: 'ana' });
  t.equal(got.subscriberId, known.subscriberId, 'it is a login all the same');
  t.equal((await readOf(all, last.subscriberId)).id, last.subscriberId, 'and nobody was merged');
  await one.value(app, 'subscriber.erase', { ref: { externalUserId: 'ana' } });
  t.equal(people?.count, 1);
});

t.test('keys that cannot be opened refuse with 503 and say nothing of the token', async (t) => {
  const all = await world();
  const { one, app } = all;
  const { clientToken } = await logIn(all);
  const masterKeys = [new Uint8Array(32).fill(8)];
  const two = new TestPartition({
    store: one.store.crash(),
    masterKeys,
    clock: one.clock,
    rng: seededRng(4),
  });
  t.match(await refusal({ one: two, app }, { clientToken }), { code: 'not_configured' });
  t.match(await refusal({ one: two, app }), { code: 'not_configured' });
  const people = two.product.state.apps.get(app)?.people;
  t.equal(people?.count, 1, 'and nobody was made');
});

t.test('a day after a new secret, sessions that the old one proved end; others stay', async (t) => {
  const all = await world();
  const { one, app } = all;
  const isOpen = async (clientToken: string) =>
    (await one.ask(app, 'sdk.person', { clientToken })).ok;
  const anonymous = await logIn(all);
  const claimed = await logIn(all, { externalUserId: 'claimed' });
  await one.value(app, 'identity.put_secret', { secret: 'first' });
  const proof = { externalUserId: 'ana', identityHash: hashOf('first', 'ana') };
  const ana = await logIn(all, proof);
  t.ok(await isOpen(claimed.clientToken), 'proof is required from now on, with a day to give it');
  one.clock.nowMs += dayMs;
  t.notOk(await isOpen(claimed.clientToken));
  t.ok(await isOpen(ana.clientToken));

  await one.value(app, 'identity.put_secret', { secret: 'second' });
  one.clock.nowMs += dayMs - 1;
  t.ok(await isOpen(ana.clientToken));
  const late = await logIn(all, proof);
  const renewed = { externalUserId: 'ana', identityHash: hashOf('second', 'ana') };
  const fresh = await logIn(all, { ...renewed, clientToken: ana.clientToken });
  t.not(fresh.clientToken, ana.clientToken);
  one.clock.nowMs += 1;
  t.notOk(await isOpen(ana.clientToken));
  t.notOk(await isOpen(late.clientToken), 'whoever has only the old secret gains nothing');
  t.ok(await isOpen(fresh.clientToken), 'proven again in time');
  t.ok(await isOpen(anonymous.clientToken), 'nobody vouches for an anonymous person');

  const two = new TestPartition({ store: one.store.crash(), clock: one.clock });
  t.notOk((await two.ask(app, 'sdk.person', { clientToken: ana.clientToken })).ok);
  t.ok((await two.ask(app, 'sdk.person', { clientToken: fresh.clientToken })).ok);
});

t.test('first-use: an unproven session outlives a new secret, which never proved it', async (t) => {
  const all = await world();
  const { one, app } = all;
  await set(all, 'first-use');
  const { clientToken } = await logIn(all, { externalUserId: 'ana' });
  await one.value(app, 'identity.put_secret', { secret: 'first' });
  await one.value(app, 'identity.put_secret', { secret: 'second' });
  one.clock.nowMs += 2 * dayMs;
  t.ok((await one.ask(app, 'sdk.person', { clientToken })).ok);
});
