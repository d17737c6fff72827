// Two editors in any interleaving, through the whole product, without HTTP.

import fc from 'fast-check';
import t from 'tap';
import type { SegmentRecord } from '../../../actors/audiences/segments/protocol.ts';
import { segmentEtag } from '../../../actors/audiences/segments/segment-etag.ts';
import { type JourneyRecord, journeyEtag } from '../../../actors/programs/journeys/records.ts';
import type { Message } from '../../../engine/actor/message.ts';
import { Documents } from '../../../storage/documents.ts';
import { lastEdits } from '../../../storage/tables/last-edit.ts';
import { partitionWithApp } from '../../support/partition.ts';
import { tries } from '../../support/tries.ts';

const deed = fc.record({
  who: fc.integer({ min: 0, max: 1 }),
  does: fc.constantFrom('read', 'save', 'save', 'save untagged', 'delete', 'make'),
  what: fc.constantFrom('a', 'b', 'c'),
  /** Both editors ask in one turn. */
  isRacing: fc.boolean(),
});

t.test('a save with a tag never overwrites what its editor has not seen', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { maxLength: 25 }), async (deeds) => {
      const { one, app } = await partitionWithApp();
      const filterOf = (what: string) => ({ tag: 'plan', eq: what });
      const make = (): Promise<SegmentRecord> =>
        one.value(app, 'segment.create', { name: 'S', filter: filterOf('a') });
      /** As everybody would find it. */
      let now: SegmentRecord | undefined = await make();
      let id = now.id;
      const seen: (string | undefined)[] = [undefined, undefined];
      for (const { who, does, what, isRacing } of deeds) {
        const current = now === undefined ? undefined : segmentEtag(now);
        const tag = seen[who] ?? 'never seen';
        const save = (editor: number, ifMatch?: readonly string[]) =>
          one.ask(app, 'segment.update', {
            id,
            filter: filterOf(`${what}${editor}`),
            actor: `key_${editor}`,
            ...(ifMatch && { ifMatch }),
          } as never);
        switch (does) {
          case 'make':
            if (now === undefined) {
              now = await make();
              id = now.id;
            }
            break;
          case 'read':
            seen[who] = current;
            break;
          case 'delete': {
            const answer = await one.ask(app, 'segment.delete', { id, ifMatch: [tag] } as never);
            if (answer.ok !== (current !== undefined && tag === current)) return false;
            if (answer.ok) now = undefined;
            break;
          }
          default: {
            const ifMatch = does === 'save' ? [tag] : undefined;
            const asked = isRacing
              ? await Promise.all([save(0, ifMatch), save(1, ifMatch)])
              : [await save(who, ifMatch)];
            for (const answer of asked) {
              const before = now === undefined ? undefined : segmentEtag(now);
              const isCurrent = before !== undefined && (ifMatch === undefined || tag === before);
              if (answer.ok !== isCurrent) return false;
              if (answer.ok) now = answer.value as SegmentRecord;
              else if (now !== undefined && answer.fault.code !== 'changed') return false;
            }
            seen[who] = now === undefined ? undefined : segmentEtag(now);
          }
        }
        const read = await one.ask(app, 'segment.read', { id });
        if (read.ok !== (now !== undefined)) return false;
        if (read.ok && now && segmentEtag(read.value as SegmentRecord) !== segmentEtag(now))
          return false;
      }
      return true;
    }),
    { numRuns: tries(60) },
  );
  t.pass();
});

t.test('of two saves with one tag in one turn, the second is told of the first', async (t) => {
  const { one, app } = await partitionWithApp();
  const made: JourneyRecord = await one.value(app, 'journey.create', {
    input: { name: 'J', triggerEvent: 'x', steps: [{ id: 'w', type: 'wait', hours: 1 }] },
  } as never);
  const save = (name: string) =>
    one.ask(app, 'journey.update', {
      id: made.id,
      change: { input: { name }, removed: [] },
      ifMatch: [journeyEtag(made)],
      actor: `key_${name}`,
    } as unknown as Message as never);
  const [first, second] = await Promise.all([save('one'), save('two')]);
  t.equal(first.ok, true);
  t.match(second, { ok: false, fault: { code: 'changed', change: { by: 'key_one' } } });
});

t.test('who changed something is forgotten with it', async (t) => {
  const { one, app } = await partitionWithApp();
  const rows = () =>
    new Documents(one.store)
      .bound(app)
      .range(lastEdits, { limit: 10 })
      .map(({ key }) => key[0]);
  const { id } = await one.value(app, 'flag.create', { key: 'new', input: {} });
  t.same(rows(), [], 'a creation is no change');
  await one.value(app, 'flag.update', { flag: 'new', input: {}, actor: 'key_a' } as never);
  t.same(rows(), [id]);
  await one.value(app, 'flag.delete', { flag: id });
  t.same(rows(), []);
});

t.test('who saved something once more as it was is not named', async (t) => {
  const { one, app } = await partitionWithApp();
  const filterOf = (what: string) => ({ tag: 'plan', eq: what });
  const made = await one.value(app, 'segment.create', { name: 'S', filter: filterOf('a') });
  const seen = [segmentEtag(made)];
  const save = (actor: string, change: object) =>
    one.ask(app, 'segment.update', { id: made.id, ...change, actor } as never);
  const late = () => save('key_late', { name: 'Late', ifMatch: seen });
  await save('key_idle', {});
  t.equal((await save('key_first', { filter: filterOf('b') })).ok, true);
  for (const change of [{}, { filter: filterOf('b') }, { name: 'S' }]) {
    await save('key_idle', change);
    t.match(await late(), { ok: false, fault: { change: { by: 'key_first' } } });
  }
  await save('key_second', { name: 'T' });
  t.match(await late(), { ok: false, fault: { change: { by: 'key_second' } } });
});
