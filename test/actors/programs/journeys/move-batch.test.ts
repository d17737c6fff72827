// What became of people in one decision, as entries: everybody once, their own way, and events and
// sends numbered as the fold counts them.

import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import t from 'tap';
import type { Move, RunsMoved } from '../../../../actors/programs/journeys/entries.ts';
import { eventsOfMove } from '../../../../actors/programs/journeys/facts.ts';
import { MoveBatch } from '../../../../actors/programs/journeys/move-batch.ts';
import { eventsOf } from '../../../../actors/runtime/facts.ts';
import { formatId } from '../../../../engine/base/id.ts';
import { unpackOrdinals } from '../../../../engine/base/ordinal-list.ts';
import { tries } from '../../../support/tries.ts';

const happened = fc.oneof(
  fc.record({ kind: fc.constant('entered' as const), operation: fc.nat(3) }),
  fc.record({ kind: fc.constant('sent' as const), operation: fc.nat(3) }),
  fc.record({
    kind: fc.constant('suppressed' as const),
    operation: fc.nat(3),
    reason: fc.constantFrom('no_device', 'frequency_cap'),
  }),
  fc.record({
    kind: fc.constant('held' as const),
    operation: fc.nat(3),
    reason: fc.constantFrom('quiet_hours', 'counting'),
    untilMs: fc.integer({ min: 1, max: 400 }),
  }),
);
const move: fc.Arbitrary<Move> = fc
  .record({
    enrolls: fc.boolean(),
    happened: fc.array(happened, { maxLength: 3 }),
    outcome: fc.oneof(
      fc.constantFrom({ kind: 'completed' as const }, { kind: 'converted' as const }),
      fc.record({
        kind: fc.constant('waits' as const),
        operation: fc.nat(3),
        wakeMs: fc.integer({ min: 1, max: 400 }),
      }),
    ),
  })
  // Plain objects, as the product makes them.
  .map(({ enrolls, ...rest }) =>
    structuredClone(enrolls ? { enrolls: true as const, ...rest } : rest),
  );

t.test('entries tell everybody’s way once, and their numbers have no gap', async (t) => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.nat(5000), move), {
        maxLength: 400,
        size: 'max',
        selector: ([person]) => person,
      }),
      fc.uniqueArray(fc.nat(9000), { maxLength: 20 }),
      (people, passed) => {
        const atMs = 1_790_000_000_000;
        const batch = new MoveBatch({
          owner: 8,
          journeyId: 'jrn',
          atMs,
          firstSend: 7,
        });
        for (const person of passed.toSorted((a, b) => a - b)) batch.pass(person);
        const device = (person: number, i: number) =>
          formatId('dev', { ordinal: 8, atMs: 99, high16: i, low32: person });
        for (const [person, one] of people) {
          const sent = one.happened.filter(({ kind }) => kind === 'sent');
          batch.add(
            person,
            one,
            sent.map((_, i) => [{ deviceId: device(person, i), channel: 'fcm' as const }]),
          );
        }
        const found = new Map<number, Move>();
        let send = 7;
        const gone: number[] = [];
        for (const entry of batch.entries() as RunsMoved[]) {
          deepStrictEqual(entry.firstSend, send);
          let events = 0;
          const counts = [...(entry.sends?.counts ?? [])];
          unpackOrdinals(entry.people).forEach((person, i) => {
            const one = entry.moves[entry.codes?.[i] ?? 0] as Move;
            deepStrictEqual(found.has(person), false);
            found.set(person, structuredClone(one));
            events += eventsOfMove(one).length;
            send += one.happened.filter(({ kind }) => kind === 'sent').length;
          });
          deepStrictEqual(counts.length, send - entry.firstSend);
          const stored = eventsOf(entry).reduce((sum, { count }) => sum + count, 0);
          deepStrictEqual(stored, events);
          gone.push(...unpackOrdinals(entry.passed ?? new Uint8Array()));
        }
        deepStrictEqual(found.size, people.length);
        for (const [person, one] of people) deepStrictEqual(found.get(person), one);
        deepStrictEqual(
          gone,
          passed.toSorted((a, b) => a - b),
        );
      },
    ),
    { numRuns: tries(25), endOnFailure: true },
  );
  t.pass('however many ways there are');
});

t.test('a storm of a thousand who all send is a few tens of bytes each', async (t) => {
  const batch = new MoveBatch({
    owner: 8,
    journeyId: 'jrn',
    atMs: 1,
    firstSend: 1,
  });
  const one: Move = {
    enrolls: true,
    happened: [
      { kind: 'entered', operation: 0 },
      { kind: 'sent', operation: 0 },
    ],
    outcome: { kind: 'waits', operation: 1, wakeMs: 5 },
  };
  for (let person = 0; person < 1000; person++)
    batch.add(person * 7, one, [
      [
        {
          deviceId: formatId('dev', { ordinal: 8, atMs: 99, high16: 1, low32: person }),
          channel: 'fcm',
        },
      ],
    ]);
  const [entry, ...more] = batch.entries() as RunsMoved[];
  t.same(more, []);
  const { people, sends } = entry as RunsMoved;
  const bytes =
    people.length +
    (sends?.counts.length ?? 0) +
    (sends?.channels.length ?? 0) +
    (sends?.devices.length ?? 0);
  t.ok(bytes <= 16_000, `${bytes} bytes`);
  t.equal(entry?.moves.length, 1);
});
