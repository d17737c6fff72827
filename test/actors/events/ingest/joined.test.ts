// Requests that are decided together leave the memory, and give the answers, that they would leave
// and give one after the other.

import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { acceptedReply } from '../../../../actors/events/ingest/accepted-reply.ts';
import type { IngestReply } from '../../../../actors/events/protocol.ts';
import { partitionWithApp, type TestPartition } from '../../../support/partition.ts';
import { tries } from '../../../support/tries.ts';

interface DrawnEvent {
  readonly person: string;
  readonly name: string;
  readonly id: string | undefined;
  readonly props: object | undefined;
  readonly odd: object;
}

const event: fc.Arbitrary<DrawnEvent> = fc.record({
  person: fc.constantFrom('ana', 'ben', 'cem', 'ข'),
  name: fc.constantFrom('opened_app', 'purchase', 'view'),
  id: fc.option(
    fc.integer({ max: 60, min: 0 }).map((one) => `id-${one}`),
    { nil: undefined, freq: 2 },
  ),
  props: fc.option(fc.constant({ amount: 3, ü: ['x'] }), { nil: undefined }),
  odd: fc.oneof(
    { weight: 60, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constantFrom({ nobodyReads: 1 }, { name: '' }, { at: 'never' }) },
  ),
});

function bodyOf(events: readonly DrawnEvent[]): Buffer {
  const list = events.map(({ person, odd, ...rest }) => ({
    ...{ externalUserId: person, ...rest },
    ...odd,
  }));
  return Buffer.from(JSON.stringify({ events: list }));
}

function one(partition: TestPartition, app: number, bytes: Buffer): Promise<IngestReply> {
  return partition.value(app, 'events.ingest', { keyless: false }, { bytes });
}

/** As fronts do. Whether they were decided together. */
async function together(
  partition: TestPartition,
  app: number,
  bodies: readonly Buffer[],
): Promise<{ readonly replies: readonly IngestReply[]; readonly isJoined: boolean }> {
  const parts = bodies.map(({ length }) => length);
  const ask = { keyless: false, parts };
  const bytes = Buffer.concat(bodies);
  const { each } = await partition.value(app, 'events.ingest', ask, { bytes });
  if (each !== undefined) return { replies: each.map(acceptedReply), isJoined: true };
  const replies: IngestReply[] = [];
  for (const body of bodies) replies.push(await one(partition, app, body));
  return { replies, isJoined: false };
}

/** Without the count of stored bytes: together they take fewer. */
function memoryOf({ partition }: TestPartition): unknown {
  const [apps, others] = [/^app-/, /^(?!app-)/].map((pattern) =>
    partition.snapshot().filter(({ name }) => pattern.test(name)),
  );
  return [others, apps?.map(({ value }) => ({ ...(value as object), stored: undefined }))];
}

t.test('requests decided together are as those decided one after the other', async (t) => {
  let joined = 0;
  let all = 0;
  const calls = fc.array(
    fc.array(fc.array(event, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 5 }),
    { minLength: 1, maxLength: 5 },
  );
  await fc.assert(
    fc.asyncProperty(calls, async (groups) => {
      const apart = await partitionWithApp();
      const fast = await partitionWithApp();
      for (const group of groups) {
        const bodies = group.map(bodyOf);
        const separate: IngestReply[] = [];
        for (const body of bodies) separate.push(await one(apart.one, apart.app, body));
        const { replies, isJoined } = await together(fast.one, fast.app, bodies);
        deepStrictEqual(replies, separate);
        all++;
        if (isJoined) joined++;
        await apart.one.advance(1);
        await fast.one.advance(1);
      }
      deepStrictEqual(memoryOf(fast.one), memoryOf(apart.one));
    }),
    { numRuns: tries(100) },
  );
  t.ok(joined > all / 4, `${joined} of ${all} groups were decided together`);
  t.ok(joined < all, 'and not all of them');
});

t.test('what is not plain is asked for apart, and nothing is written', async (t) => {
  const { one: partition, app } = await partitionWithApp();
  const plain = bodyOf([{ person: 'ana', name: 'view', id: undefined, props: undefined, odd: {} }]);
  const cases: readonly (readonly [string, readonly Buffer[]])[] = [
    ['an unknown member', [plain, Buffer.from('{"events":[],"odd":1}')]],
    ['no JSON', [plain, Buffer.from('{"events":[')]],
    ['two bodies in one', [plain, Buffer.concat([plain, plain])]],
    ['half a text, completed by the next', [cut(Buffer.from('{"a":"é"}'), 7), Buffer.from('x')]],
    ['an event of a service', [plain, Buffer.from(plain.toString().replace('view', 'sent'))]],
  ];
  for (const [name, bodies] of cases) {
    const { seq } = partition.partition;
    const ask = { keyless: false, parts: bodies.map(({ length }) => length) };
    const bytes = Buffer.concat(bodies);
    const reply = await partition.value(app, 'events.ingest', ask, { bytes });
    t.match(reply, { isApart: true, accepted: 0 }, name);
    t.equal(partition.partition.seq, seq, `${name}: nothing is written`);
  }
});

function cut(bytes: Buffer, length: number): Buffer {
  return bytes.subarray(0, length);
}
