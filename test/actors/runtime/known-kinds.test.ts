// What a program says it knows is what its areas fold, and nobody adds to entries unnoticed.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { type AnyArea, areas } from '../../../actors/runtime/areas.ts';
import { knownKinds } from '../../../actors/runtime/known-kinds.ts';
import { seededRng } from '../../../engine/base/rng.ts';
import { MemoryStore } from '../../../storage/memory.ts';
import { entryShapes } from '../../support/entry-shapes.ts';
import { TestPartition } from '../../support/partition.ts';
import { fileAt } from '../../support/places.ts';
import { RandomDays } from '../../support/random-days.ts';

const entriesVersion = Number(/^entries@(\d+)$/.exec(knownKinds.always[0] ?? '')?.[1]);

t.test('every entry, timer and table of an area is known, and nothing else', async (t) => {
  for (const { apply, tables, timers } of areas as readonly AnyArea[]) {
    for (const kind of Object.keys(apply ?? {})) t.ok(knownKinds.has(kind), kind);
    for (const timer of Object.keys(timers ?? {})) t.ok(knownKinds.has(`timer ${timer}`), timer);
    for (const table of tables ?? []) {
      const { version } = table as unknown as { readonly version: number };
      t.ok(knownKinds.has(`table ${table.name}@${version}`), table.name);
      t.notOk(knownKinds.has(`table ${table.name}@${version + 1}`), `later ${table.name}`);
    }
  }
  t.ok(knownKinds.has(`entries@${entriesVersion}`));
  const unknown = [
    'session.reopened',
    'timer 999',
    'table riddles@1',
    'table sends',
    `entries@${entriesVersion + 1}`,
    'entries',
    'timer',
    '',
    'constructor',
  ];
  for (const name of unknown) t.notOk(knownKinds.has(name), name);
});

t.test('what lived-in partitions write is noted with the turn that is the first', async (t) => {
  const store = new MemoryStore();
  const noted = new Map<string, number>();
  const commit = store.commit.bind(store);
  store.commit = (turn, ...told) => {
    for (const kind of turn.kinds ?? []) {
      t.notOk(noted.has(kind), `${kind} once`);
      noted.set(kind, turn.seq);
    }
    commit(turn, ...told);
  };
  const one = new TestPartition({ store });
  const days = await RandomDays.begin(one, seededRng(3));
  await days.live(150);
  t.ok(noted.size > 20, `${noted.size} kinds`);
  t.ok([...noted.keys()].some((kind) => kind.startsWith('timer ')));
  for (const kind of noted.keys()) t.ok(knownKinds.has(kind), kind);
});

t.test('what entries contain is what their version says', async (t) => {
  const path = fileURLToPath(fileAt('test/fixtures/entry-shapes.json'));
  const kept = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
  const shapes = entryShapes();
  t.ok(shapes.length > 150, `${shapes.length} types`);
  for (const name of ['AppRecord', 'SessionsEntry', 'DeadLetter'])
    t.ok(
      shapes.some((one) => one.name === name),
      name,
    );
  const text = shapes.map((one) => one.text).join('\n');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  t.equal(
    kept[entriesVersion],
    hash,
    `entries contain something else now: if a release had version ${entriesVersion}, raise entriesVersion in actors/runtime/known-kinds.ts; then keep ${hash} for it in test/fixtures/entry-shapes.json`,
  );
});
