// How long sessions and links last, how many there are, and what brings none of them back.

import t from 'tap';
import { limits } from '../../../../actors/limits.ts';
import { hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { partitionWithApp, TestPartition } from '../../../support/partition.ts';

const slot = 5;
const secretHash = new Uint8Array(32).fill(3);
const email = 'ada@acme.example';
let nth = 0;

function material() {
  const keyId = String(++nth).padStart(12, '0');
  return { id: `ses_${'0'.repeat(14)}${keyId}`, keyId: `s${keyId.slice(1)}`, secretHash };
}

async function scene() {
  const { one, org } = await partitionWithApp();
  const member = await one.value(org, 'member.add', { email, role: 'owner' });
  const open = async (address = email) => {
    const key = material();
    const body = { email: address, signedInMs: one.clock.nowMs, key };
    t.ok(await one.value(org, 'session.open_by_address', body));
    return key.keyId;
  };
  const find = (keyId: string, from = one) => from.value(slot, 'session.find', { keyId });
  const link = (hash: string, way: 'link' | 'once' = 'link') =>
    one.value(org, 'session.make_link', { email, hash, way });
  const openBy = (hash: string, way: 'link' | 'once' = 'link', from = one) =>
    from.value(slot, 'session.open_by_link', { hash, way, key: material() });
  return { one, org, member, open, find, link, openBy };
}

t.test('a session ends after twelve hours without use, and use moves that', async (t) => {
  const { one, open, find } = await scene();
  const [used, unused] = [await open(), await open()];
  await one.advance(11 * hourMs);
  await one.value(slot, 'session.touch', { keyId: used });
  await one.advance(2 * hourMs);
  t.match(await find(used), { session: { keyId: used } });
  t.equal(await find(unused), null);
  await one.value(slot, 'session.touch', { keyId: unused });
  t.equal(await find(unused), null, 'a late use brings it not back');
});

t.test('use is noted once in five minutes', async (t) => {
  const { one, open } = await scene();
  const keyId = await open();
  const before = one.store.durableSeq;
  await one.advance(4 * minuteMs);
  await one.value(slot, 'session.touch', { keyId });
  t.equal(one.store.durableSeq, before);
  await one.advance(minuteMs);
  await one.value(slot, 'session.touch', { keyId });
  t.equal(one.store.durableSeq, before + 1);
});

t.test('after thirty days a session ends however much it is used', async (t) => {
  const { one, open, find } = await scene();
  const keyId = await open();
  for (let hours = 0; hours < 30 * 24 - 6; hours += 6) {
    await one.advance(6 * hourMs);
    await one.value(slot, 'session.touch', { keyId });
  }
  t.ok(await find(keyId));
  await one.advance(6 * hourMs);
  t.equal(await find(keyId), null);
});

t.test('the twenty-first session of a member ends the one unused for longest', async (t) => {
  const { one, org, open, find } = await scene();
  const first = await open();
  await one.advance(1);
  const second = await open();
  await one.advance(6 * minuteMs);
  await one.value(slot, 'session.touch', { keyId: first });
  for (let more = 2; more < limits.sessionsOfOneMax; more++) await open();
  t.ok(await find(second));
  await open();
  t.ok(await find(first));
  t.equal(await find(second), null);
  const { total } = await one.value(org, 'session.list', { limit: 1 });
  t.equal(total, limits.sessionsOfOneMax);
});

t.test('a link works once, in its way, for fifteen minutes', async (t) => {
  const { one, link, openBy } = await scene();
  await link('a');
  await link('b');
  await link('c', 'once');
  t.equal(await openBy('a', 'once'), null, 'a mailed link is none that skips the question');
  t.ok(await openBy('a'));
  t.equal(await openBy('a'), null);
  await one.advance(limits.signInLinkMs);
  t.equal(await openBy('b'), null);
  t.equal(await openBy('unknown'), null);
  t.ok(await openBy('c', 'once'));
});

t.test('a member gets five links an hour; a newer once-link replaces the older', async (t) => {
  const { one, link, openBy } = await scene();
  for (const hash of ['1', '2', '3', '4', '5']) t.ok(await link(hash), hash);
  t.ok(await openBy('1'), 'a used one counts too');
  t.equal(await link('6'), null);
  t.ok(await link('x', 'once'));
  t.ok(await link('y', 'once'));
  t.equal(await openBy('x', 'once'), null);
  t.ok(await openBy('y', 'once'));
  await one.advance(hourMs);
  t.ok(await link('7'));
});

t.test('a restore ends all sessions and links; a restart and a checkpoint keep them', async (t) => {
  const { one, open, find, link, openBy } = await scene();
  const keyId = await open();
  await link('a');
  const checkpoint = { seq: one.store.durableSeq, memory: [...one.product.parts()] };
  const kept = new TestPartition({ store: one.store.crash(), clock: one.clock, checkpoint });
  await kept.settle();
  t.match(await find(keyId, kept), { session: { member: { email } } });
  t.ok(await openBy('a', 'link', kept));
  const memberships = await kept.value(0, 'session.memberships', { email: 'ADA@acme.example' });
  t.match(memberships, [{ orgName: 'Acme', member: { role: 'owner' } }]);
  const restored = { epoch: 2, resend: 'all', erased: () => [] } as const;
  const back = new TestPartition({ store: one.store.crash(), clock: one.clock, restored });
  await back.settle();
  t.equal(await find(keyId, back), null);
  t.equal(await openBy('a', 'link', back), null);
});

t.test('fronts hear of every session that ends', async (t) => {
  const { one, org, member, open } = await scene();
  const keyId = await open();
  const told = () =>
    one.effects
      .splice(0)
      .flatMap(({ message }) =>
        message.kind === 'directory.changed'
          ? (message as unknown as { keyIds: string[] }).keyIds
          : [],
      );
  told();
  await one.value(org, 'org.rename', { name: 'Acme 2' });
  t.ok(told().includes(keyId), 'its grant carries what the org allows');
  await one.value(org, 'member.add', { email: 'bob@acme.example', role: 'owner' });
  await open('bob@acme.example');
  told();
  await one.value(org, 'member.set_role', { memberId: member.id, role: 'viewer' });
  t.same(told(), [keyId], 'its grant carries the role');
  await one.value(org, 'member.remove', { memberId: member.id });
  t.same(told(), [keyId]);
});
