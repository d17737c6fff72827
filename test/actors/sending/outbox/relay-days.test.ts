// The days of relays: what an app keeps of them is bounded by the relays that it has.

import fc from 'fast-check';
import t from 'tap';
import {
  boundedRelayDays,
  countRelayCall,
  type RelayDay,
  rebaseRelayDays,
} from '../../../../actors/sending/outbox/relay-days.ts';
import type { RelayRecord } from '../../../../actors/tenants/relays/records.ts';
import { dayMs } from '../../../../engine/base/brand.ts';
import { tries } from '../../../support/tries.ts';

function anApp(...ids: readonly string[]) {
  const relays = new Map(ids.map((id) => [id, { id, perDay: 5 } as RelayRecord]));
  return { relays, sharedRelays: [], relayDays: new Map<string, RelayDay>() };
}

const call = (relay: string) => ({ relay, status: 'delivered' }) as const;
const today = 20_000;

t.test('relays that come and go leave nothing, and each day is counted whole', async () => {
  const step = fc.record({
    relay: fc.integer({ min: 0, max: 9 }),
    does: fc.constantFrom('send', 'send', 'send', 'add', 'remove', 'tomorrow'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const app = anApp('rel_0');
      const sent = new Map<string, number>();
      let day = today;
      for (const { relay, does } of steps) {
        const id = `rel_${relay}`;
        if (does === 'add') app.relays.set(id, { id, perDay: 5 } as RelayRecord);
        if (does === 'remove') app.relays.delete(id);
        if (does === 'tomorrow') {
          day++;
          sent.clear();
        }
        if (does !== 'send' || !app.relays.has(id)) continue;
        countRelayCall(app, call(id), day * dayMs);
        sent.set(id, (sent.get(id) ?? 0) + 1);
        const isRight = app.relayDays.get(id)?.calls === sent.get(id);
        const isBounded = [...app.relayDays.values()].every((one) => one.day === day);
        if (!isRight || !isBounded) return false;
      }
      return true;
    }),
    { numRuns: tries(200) },
  );
});

t.test('a relay that is gone is forgotten once another one sends', async (t) => {
  const app = anApp('rel_1', 'rel_2');
  countRelayCall(app, call('rel_1'), today * dayMs);
  app.relays.delete('rel_1');
  countRelayCall(app, call('rel_2'), today * dayMs);
  t.same([...app.relayDays], [['rel_2', { day: today, calls: 1 }]]);
  countRelayCall(app, call('server'), today * dayMs);
  t.equal(app.relayDays.size, 1, 'the server has no bound');
});

t.test('a clock that ran ahead keeps no relay from being counted', async (t) => {
  const app = anApp('rel_1');
  countRelayCall(app, call('rel_1'), (today + 9) * dayMs);
  rebaseRelayDays(app, today);
  countRelayCall(app, call('rel_1'), today * dayMs);
  t.same(app.relayDays.get('rel_1'), { day: today, calls: 1 });
});

t.test('a process that starts is told of those that have a bound', async (t) => {
  const app = anApp('rel_1', 'rel_2');
  for (const id of ['rel_1', 'rel_2']) countRelayCall(app, call(id), today * dayMs);
  app.relays.set('rel_2', { id: 'rel_2' } as RelayRecord);
  t.same([...boundedRelayDays(app)], [['rel_1', { day: today, calls: 1 }]]);
});
