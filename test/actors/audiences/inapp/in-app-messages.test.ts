import fc from 'fast-check';
import t from 'tap';
import { type Beacon, InAppMessages } from '../../../../actors/audiences/inapp/in-app-messages.ts';
import type { InAppRecord } from '../../../../actors/audiences/inapp/protocol.ts';
import { tries } from '../../../support/tries.ts';

const beacons = [
  'viewed',
  'clicked',
  'dismissed',
  'read',
  'archived',
] as const satisfies readonly Beacon[];

function record(id: string, change: Partial<InAppRecord> = {}): InAppRecord {
  const times = { createdMs: 10, updatedMs: 10 };
  return { id, messageId: 'msg_1', priority: 0, inbox: false, ...times, ...change };
}

const id = fc.constantFrom('iam_a', 'iam_b', 'iam_c');
const person = fc.nat({ max: 70 });
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('save' as const), id }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), id }) },
  {
    weight: 20,
    arbitrary: fc.record({
      do: fc.constant('note' as const),
      id,
      person,
      beacon: fc.constantFrom(...beacons),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('forget' as const), person }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('merge' as const), person, into: person }),
  },
);

t.test('it counts each person once, forgets the erased, and joins who became one', async (t) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const messages = new InAppMessages();
      // As plainly as it can be said: who did what, as texts.
      const known = new Set<string>();
      const done = new Set<string>();
      for (const one of steps) {
        if (one.do === 'save') {
          messages.save(record(one.id));
          known.add(one.id);
        } else if (one.do === 'delete') {
          messages.delete(one.id);
          known.delete(one.id);
          for (const each of [...done]) if (each.startsWith(one.id)) done.delete(each);
        } else if (one.do === 'note') {
          messages.note(one.beacon, one.id, one.person);
          if (known.has(one.id)) done.add(`${one.id} ${one.beacon} ${one.person}`);
        } else if (one.do === 'forget') {
          messages.forget(one.person);
          for (const each of [...done]) if (each.endsWith(` ${one.person}`)) done.delete(each);
        } else {
          messages.merge(one.person, one.into);
          for (const each of [...done]) {
            if (!each.endsWith(` ${one.person}`)) continue;
            done.delete(each);
            done.add(each.replace(/\d+$/, String(one.into)));
          }
        }
      }
      for (const found of [messages, InAppMessages.restore(structuredClone(messages.snapshot()))]) {
        t.equal(found.size, known.size);
        for (const one of known) {
          const counts = found.countsOf(one);
          for (const beacon of beacons) {
            const those = [...done].filter((each) => each.startsWith(`${one} ${beacon} `));
            t.equal(counts[beacon], those.length);
            for (let person = 0; person <= 70; person++) {
              const is = done.has(`${one} ${beacon} ${person}`);
              if (found.has(one, beacon, person) !== is) t.fail(`${one} ${beacon} ${person}`);
            }
          }
        }
      }
    }),
    { seed: 5, numRuns: tries(60) },
  );
});

t.test('a batch without beacons, or an app without messages, costs one look a name', async (t) => {
  const messages = new InAppMessages();
  t.equal(messages.beaconsAmong(['inapp_viewed']), undefined, 'nothing that it could mean');
  messages.save(record('iam_a'));
  t.equal(messages.beaconsAmong(['purchase', 'opened', 'Inapp_viewed']), undefined);
  t.same(
    messages.beaconsAmong([
      'a',
      'inapp_viewed',
      'inapp_clicked',
      'inapp_dismissed',
      'inbox_read',
      'inbox_archived',
    ]),
    [undefined, ...beacons],
  );
});

t.test('a message is due from its start on and up to its end', async (t) => {
  const messages = new InAppMessages();
  messages.save(record('iam_a'));
  messages.save(record('iam_b', { startMs: 100, endMs: 200 }));
  const due = (nowMs: number) => [...messages.dueAt(nowMs)].map(({ id }) => id);
  t.same(due(99), ['iam_a']);
  t.same(due(100), ['iam_a', 'iam_b']);
  t.same(due(199), ['iam_a', 'iam_b']);
  t.same(due(200), ['iam_a']);
});

t.test('a change keeps what people did', async (t) => {
  const messages = new InAppMessages();
  messages.save(record('iam_a'));
  messages.note('dismissed', 'iam_a', 3);
  messages.note('dismissed', 'iam_unknown', 3);
  messages.note('dismissed', undefined, 3);
  messages.save(record('iam_a', { priority: 9 }));
  t.equal(messages.get('iam_a')?.priority, 9);
  t.ok(messages.has('iam_a', 'dismissed', 3));
  t.equal(messages.countsOf('iam_a').dismissed, 1);
});
