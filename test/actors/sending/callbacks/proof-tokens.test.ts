// A token that proves a call without covering its body: it proves the first body that came with it,
// for every front, in any order, after a restart, and longer than a call may be old.

import fc from 'fast-check';
import t from 'tap';
import { hourMs } from '../../../../engine/base/brand.ts';
import { partitionWithApp, TestPartition } from '../../../support/partition.ts';
import { tries } from '../../../support/tries.ts';

const relayId = 'rel_00000000000000000000000001';
const call = fc.record({
  owner: fc.constantFrom('app', 'org'),
  token: fc.constantFrom('a', 'b', 'c'),
  bodyHash: fc.constantFrom('1', '2', '3'),
  minutes: fc.integer({ min: 0, max: 10 }),
  isKilled: fc.boolean(),
});

t.test('a token proves the first body alone, also after kills', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 40 }), async (calls) => {
      let { one, app, org } = await partitionWithApp();
      const first = new Map<string, string>();
      for (const { owner, token, bodyHash, minutes, isKilled } of calls) {
        if (isKilled) one = new TestPartition({ store: one.store.crash(), clock: one.clock });
        await one.advance(minutes * 60_000);
        const place = `${owner} ${token}`;
        const wanted = first.get(place) ?? bodyHash;
        first.set(place, wanted);
        const asked = owner === 'app' ? app : org;
        const isProven = await one.value(asked, 'callback.proof', { relayId, token, bodyHash });
        t.equal(isProven, bodyHash === wanted);
      }
    }),
    { numRuns: tries(20) },
  );
});

t.test('a token is remembered for as long as its call is young', async (t) => {
  const { one, app } = await partitionWithApp();
  const prove = (bodyHash: string) =>
    one.value(app, 'callback.proof', { relayId, token: 'captured', bodyHash });
  t.equal(await prove('1'), true);
  for (let hours = 0; hours < 12; hours++) {
    t.equal(await prove('2'), false);
    t.equal(await prove('1'), true, 'the service may repeat its call');
    await one.advance(hourMs);
  }
});

t.test('a token of one relay says nothing of another', async (t) => {
  const { one, app } = await partitionWithApp();
  const prove = (id: string, bodyHash: string) =>
    one.value(app, 'callback.proof', { relayId: id, token: 't', bodyHash });
  t.equal(await prove('rel_1', '1'), true);
  t.equal(await prove('rel_2', '2'), true);
});
