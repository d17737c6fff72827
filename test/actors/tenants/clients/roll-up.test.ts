// A parent and its client in two partitions, with everything that may happen on the way between
// them: lost and repeated messages, a death between any two steps, a restore of one of them to an
// earlier instant, the end of a month, a clock that was wrong.

import fc from 'fast-check';
import t from 'tap';
import { dayMs, minuteMs } from '../../../../engine/base/brand.ts';
import { formatId } from '../../../../engine/base/id.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { utcMonthOf } from '../../../../engine/time/utc-month.ts';
import { anApp } from '../../../support/partition.ts';
import { tries } from '../../../support/tries.ts';
import { begin, clientId, key, Pair } from './pair.ts';

const january = utcMonthOf(begin);

t.test('a client reads a change of its parent’s branding a second later', async (t) => {
  const pair = await new Pair().begin();
  await pair.pass(minuteMs);
  const [client] = pair.clients;
  const read = async () => {
    const asked = pair.client.value(client?.record.ordinal ?? 0, 'branding.read', {});
    return (await asked).branding.productName;
  };
  const change = (productName: string) =>
    pair.parent.value(pair.org, 'branding.patch', { patch: { productName } });
  for (const [i, name] of ['One', 'Two', 'Three'].entries()) {
    await change(name);
    await pair.pass(1_000, 100);
    t.equal(await read(), name);
    // Whatever else is being told just then.
    await pair.pass(700 * i, 100);
    await pair.track(`visitor-${i}`);
    await pair.pass(300, 100);
  }
});

t.test('many clients are told a hundred a second', async (t) => {
  const pair = await new Pair().begin();
  for (let n = 0; n < 249; n++) {
    const id = formatId('org', { ordinal: 0, atMs: n + 1, high16: 0, low32: 77 + n });
    const own = { id: `key_${n}`, keyId: `many${n}`, secretHash: new Uint8Array(32) };
    await pair.parent.value(pair.org, 'client.open', { clientId: id, name: `C${n}`, key: own });
  }
  await pair.pass(2 * minuteMs);
  t.equal(pair.clients.length, 250);
  await pair.parent.value(pair.org, 'branding.patch', { patch: { productName: 'New' } });
  const told: number[] = [];
  for (let second = 0; second < 3; second++) {
    await pair.pass(1_000, 100);
    told.push(pair.clients.filter(({ branding }) => branding.parent.productName === 'New').length);
  }
  t.same(told, [100, 200, 250]);
});

t.test('a client that was recorded is made, once, whatever dies on the way', async (t) => {
  const pair = await new Pair().begin();
  t.equal(pair.clients.length, 0);
  await pair.restart('parent');
  await pair.pass(minuteMs);
  t.equal(pair.clients.length, 1, 'the parent told it after its death');
  pair.isCut = true;
  await pair.restart('parent');
  await pair.restart('client');
  await pair.pass(minuteMs);
  pair.isCut = false;
  await pair.pass(minuteMs);
  t.equal(pair.clients.length, 1);
  t.match(pair.clients[0]?.record, { id: clientId, name: 'One', parentOrdinal: pair.org });
  t.equal(pair.clients[0]?.keyIds.size, 1);
});

t.test('a parent knows a minute later, over any loss, doubling and order', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.array(fc.constantFrom('track', 'parent', 'client', 'pass'), { maxLength: 12 }),
      async (seed, steps) => {
        const pair = await new Pair(seededRng(seed)).begin();
        while (pair.clients.length === 0) await pair.pass(minuteMs);
        let people = 0;
        for (const step of steps) {
          if (step === 'track') await pair.track(`user-${people++}`);
          else if (step === 'pass') await pair.pass(30_000);
          else await pair.restart(step);
        }
        // A message in nine gets through both ways, every 20 seconds.
        for (let n = 0; n < 100 && pair.known() !== people; n++) await pair.pass(minuteMs);
        t.equal(pair.known(), people);
      },
    ),
    { numRuns: tries(15) },
  );
});

t.test('a month is complete once the client has said so, and not before', async (t) => {
  const pair = await new Pair().begin();
  await pair.pass(minuteMs);
  await pair.track('ana', 'ben');
  await pair.pass(minuteMs);
  t.equal(pair.known(january), 2);
  t.notOk(pair.isComplete(january), 'it is not over');
  pair.isCut = true;
  await pair.pass(dayMs, 60 * minuteMs);
  await pair.track('cleo'); // the last hours of January
  await pair.pass(dayMs, 60 * minuteMs);
  t.ok(utcMonthOf(pair.clock.nowMs) > january);
  t.notOk(pair.isComplete(january), 'the client could not be heard');
  pair.isCut = false;
  await pair.pass(minuteMs);
  t.ok(pair.isComplete(january));
  t.equal(pair.known(january), 3, 'with its last word');
  t.equal(pair.known(), 0, 'an idle client reports the new month, too');
});

t.test('a deleted client is complete for all months, and keeps them', async (t) => {
  const pair = await new Pair().begin();
  await pair.pass(minuteMs);
  await pair.track('ana');
  await pair.parent.value(pair.org, 'client.close', { clientId });
  await pair.pass(minuteMs);
  t.equal(pair.client.product.state.apps.size, 0, 'its app is gone');
  t.equal(pair.clients[0]?.keyIds.size, 0, 'and its key');
  t.equal(pair.known(january), 1);
  t.ok(pair.isComplete(january + 5));
  const late = await pair.client.ask(
    pair.clients[0]?.record.ordinal ?? 0,
    'org.read',
    {},
    {
      by: pair.clients[0]?.record.ordinal ?? 0,
    },
  );
  t.notOk(late.ok, 'nobody acts for it');
});

t.test('one that is deleted before it was made stays deleted', async (t) => {
  const pair = await new Pair().begin();
  const { to, workspace } = await pair.parent.value(pair.org, 'client.close', { clientId });
  await pair.client.value(to, 'workspace.receive', { workspace });
  const first = { ...workspace, counter: 1, isClosed: false };
  await pair.client.value(to, 'workspace.receive', { workspace: first });
  t.ok(pair.clients[0]?.record.closedMs, 'a late message about its creation changes nothing');
  await pair.pass(minuteMs);
  t.ok(pair.isComplete(january));
});

for (const which of ['parent', 'client'] as const)
  t.test(`a restore that takes the ${which} back leads to one truth again`, async (t) => {
    const pair = await new Pair().begin();
    await pair.pass(minuteMs);
    await pair.track('ana');
    await pair.pass(minuteMs);
    const seq = pair[which].store.durableSeq;
    await pair.parent.value(pair.org, 'branding.patch', { patch: { productName: 'Northwind' } });
    for (const who of ['ben', 'cleo', 'dan']) {
      await pair.track(who);
      await pair.pass(minuteMs);
    }
    t.equal(pair.known(), 4);
    await pair.restart(which, seq);
    // A start alone tells it; as after a restore, both start.
    await pair.restart(which === 'parent' ? 'client' : 'parent');
    await pair.pass(3 * minuteMs);
    const truth = [...pair.client.product.state.apps.values()][0]?.monthlyActive.count(january);
    t.equal(truth, which === 'client' ? 1 : 4);
    t.equal(pair.known(), truth);
    const own = [...pair.parent.product.state.orgs.values()][0]?.branding.own;
    t.same(pair.clients[0]?.branding.parent, own, 'branding, too');
    await pair.track('eve');
    await pair.pass(minuteMs);
    t.equal(pair.known(), (truth ?? 0) + 1, 'and goes on');
  });

t.test('a client that its parent has forgotten in a restore is found again', async (t) => {
  const pair = new Pair();
  pair.org = (await anApp(pair.parent)).org;
  const seq = pair.parent.store.durableSeq;
  await pair.parent.value(pair.org, 'client.open', { clientId, name: 'One', key });
  await pair.pass(minuteMs);
  await pair.track('ana');
  await pair.pass(minuteMs);
  await pair.restart('parent', seq);
  t.equal(pair.known(), undefined);
  await pair.restart('client');
  await pair.pass(2 * minuteMs);
  t.equal(pair.known(), 1);
  const { items } = await pair.parent.value(pair.org, 'client.list', { limit: 10 });
  t.match(items, [{ id: clientId, name: 'One', mau: 1 }]);
});

t.test('a clock that was a year ahead takes no month from the parent', async (t) => {
  const pair = await new Pair().begin();
  await pair.pass(minuteMs);
  await pair.track('ana', 'ben');
  await pair.pass(minuteMs);
  const trueMs = pair.clock.nowMs;
  pair.clock.nowMs += 400 * dayMs;
  await pair.restart('parent');
  await pair.restart('client');
  await pair.pass(2 * minuteMs);
  await pair.track('cleo');
  await pair.pass(2 * minuteMs);
  t.equal(pair.known(january), 2, 'the month is still there');
  pair.clock.nowMs = trueMs + 5 * minuteMs;
  for (const one of [pair.parent, pair.client]) one.partition.acceptClock();
  await pair.pass(2 * minuteMs);
  const own = [...pair.client.product.state.apps.values()][0]?.monthlyActive.count(january);
  t.equal(pair.known(january), own, 'it is what the client itself counts');
  t.equal(pair.known(utcMonthOf(trueMs + 400 * dayMs)), 0, 'and not in one that has not begun');
  t.notOk(pair.isComplete(january), 'which is not over');
});
