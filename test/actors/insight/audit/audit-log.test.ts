// The audit log through the whole product, without HTTP: pages against a naive filter, its age and
// its length, and that memory counts what the table has.

import fc from 'fast-check';
import t from 'tap';
import { type AuditAction, auditActions } from '../../../../actors/audit-actions.ts';
import type { NamedNote } from '../../../../actors/insight/audit/protocol.ts';
import { limits } from '../../../../actors/limits.ts';
import type { Page } from '../../../../actors/people/audience/protocol.ts';
import { Documents } from '../../../../storage/documents.ts';
import { auditNotes } from '../../../../storage/tables/audit-note.ts';
import { partitionWithApp, TestPartition } from '../../../support/partition.ts';
import { tries } from '../../../support/tries.ts';

async function world() {
  const { one, org, app } = await partitionWithApp();
  const notes = () =>
    new Documents(one.store)
      .bound(org)
      .range(auditNotes, { limit: 10_000 })
      .map(({ value }) => value);
  const note = (action: AuditAction, actor: string, appId?: string) =>
    one.value(org, 'audit.note', {
      note: {
        atMs: one.clock.nowMs,
        action,
        actor,
        target: 'x',
        ...(appId === undefined ? {} : { appId }),
      },
    });
  const rename = (name: string) => one.value(org, 'org.rename', { name });
  const counted = () => one.product.state.orgs.get(org)?.auditNotes;
  return { one, org, app, notes, note, rename, counted };
}

const noted = fc.record({
  action: fc.constantFrom(...auditActions.slice(0, 3)),
  actor: fc.constantFrom('key_a', 'key_b', 'operator'),
  appId: fc.constantFrom('app_a', 'app_b', undefined),
  afterMs: fc.integer({ min: 0, max: 3 }),
});

t.test('pages of any size and filter are what a naive filter finds, newest first', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(noted, { maxLength: 30 }),
      fc.record({
        limit: fc.integer({ min: 1, max: 9 }),
        action: fc.constantFrom(undefined, ...auditActions.slice(0, 3)),
        actor: fc.constantFrom(undefined, 'key_a', 'operator', 'nobody'),
        appId: fc.constantFrom(undefined, 'app_a', 'app_c'),
      }),
      async (all, { limit, ...filter }) => {
        const { one, org, note, notes } = await world();
        for (const { action, actor, appId, afterMs } of all) {
          await one.advance(afterMs);
          await note(action, actor, appId);
        }
        const given = Object.fromEntries(
          Object.entries(filter).filter(([, value]) => value !== undefined),
        );
        const wanted = notes()
          .filter((row) =>
            Object.entries(given).every(
              ([member, value]) => (row as unknown as Record<string, unknown>)[member] === value,
            ),
          )
          .reverse();
        const found = [];
        let cursor: string | null = null;
        do {
          const from: { cursor?: string } = cursor === null ? {} : { cursor };
          const page: Page<NamedNote> = await one.value(org, 'audit.list', {
            limit,
            ...given,
            ...from,
          });
          t.ok(page.items.length <= limit);
          found.push(...page.items.map(({ targetName: _, targetExists: __, ...row }) => row));
          cursor = page.nextCursor;
        } while (cursor !== null);
        t.same(found, wanted);
      },
    ),
    { numRuns: tries(40) },
  );
});

t.test('what is no cursor of it is refused', async (t) => {
  const { one, org } = await world();
  for (const cursor of ['x', 'dl_00000000000000000000000000'])
    t.match(await one.ask(org, 'audit.list', { limit: 5, cursor }), {
      ok: false,
      fault: { field: 'cursor' },
    });
});

t.test('notes go once they are older than the log goes back, two with each new one', async (t) => {
  const { one, org, notes: all, rename, counted } = await world();
  // Months pass, and their invoices are issued.
  const notes = () => all().filter(({ action }) => !action.startsWith('invoice.'));
  for (let i = 0; i < 4; i++) {
    await one.advance(1);
    await rename(`n${i}`);
  }
  const before = notes().length;
  const firstMs = notes()[0]?.atMs ?? 0;
  one.clock.nowMs = firstMs + limits.auditKeptMs;
  await rename('as old as it may be');
  t.equal(notes().length, before + 1);
  await one.advance(1);
  const page = await one.value(org, 'audit.list', { limit: 200 });
  const kept = all().filter(({ atMs }) => atMs > firstMs).length;
  t.equal(page.items.length, kept, 'what is too old is shown no more, though it is there');
  await rename('a millisecond later');
  t.equal(notes().length, before, 'two went for one that came');
  t.equal(counted(), all().length);
});

t.test('a log that is full gives up its oldest notes, whatever their age', async (t) => {
  const { one, org, notes, rename } = await world();
  const kept = one.product.state.orgs.get(org);
  if (kept === undefined) throw new Error('there is no org');
  kept.auditNotes = limits.auditNotesMax - 1;
  const [first, second] = notes();
  await one.advance(1);
  await rename('the last that fits');
  t.ok(notes().some(({ id }) => id === first?.id));
  await one.advance(1);
  await rename('one more');
  t.notOk(notes().some(({ id }) => id === first?.id || id === second?.id));
  t.ok(kept.auditNotes <= limits.auditNotesMax);
});

t.test('a change that changes nothing is not noted', async (t) => {
  const { one, org, app, notes, rename } = await world();
  await rename('Acme');
  const before = notes().length;
  await rename('Acme');
  await one.value(app, 'app.update', { name: 'Shop' });
  await one.value(app, 'settings.patch', { patch: { emailTracking: true } });
  await one.value(org, 'org.set_limits', {});
  t.equal(notes().length, before);
});

t.test('memory counts what the table has, also after a restart', async (t) => {
  const { one, org, notes, rename } = await world();
  for (const name of ['a', 'b', 'c']) await rename(name);
  const memory = one.partition.snapshot();
  await rename('d');
  for (const checkpoint of [undefined, { seq: one.store.durableSeq - 1, memory }]) {
    const again = new TestPartition({
      store: one.store,
      ...(checkpoint === undefined ? {} : { checkpoint }),
    });
    t.equal(again.product.state.orgs.get(org)?.auditNotes, notes().length);
  }
});

t.test('a note is named from its own org alone, whatever ids it has', async (t) => {
  const { one, org, note } = await world();
  const { org: theirs } = await one.value(5, 'org.create', {
    orgId: 'org_00000000000000000000000001',
    name: 'Theirs',
    parentOrgId: null,
    key: {
      id: 'key_00000000000000000000000001',
      keyId: '000000000001',
      secretHash: new Uint8Array(32),
    },
  });
  const app = await one.value(theirs.ordinal, 'app.create', {
    name: 'Their app',
    timezone: 'UTC',
    vapid: { publicKey: 'public', privateKey: 'private' },
  });
  const member = await one.value(theirs.ordinal, 'member.add', {
    email: 'ada@theirs.example',
    role: 'owner',
  });
  await note('settings.changed', member.id, app.id);
  const { items } = await one.value(org, 'audit.list', { limit: 1 });
  t.strictSame(Object.keys(items[0] ?? {}).sort(), [
    'action',
    'actor',
    'appId',
    'atMs',
    'id',
    'target',
  ]);
  t.notMatch(JSON.stringify(items), /Their|theirs/);
  const own = await one.value(theirs.ordinal, 'audit.list', { limit: 5, action: 'member.added' });
  t.match(own.items, [{ targetName: 'ada@theirs.example', targetExists: true }]);
});
