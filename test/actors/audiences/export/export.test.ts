// Pages of an export, as the pool makes them from what an actor says and what is in the store.

import t from 'tap';
import { readExportPage } from '../../../../actors/audiences/export/export-page.ts';
import type { ExportFormat } from '../../../../actors/audiences/export/pool-read.ts';
import { allowedWhenFull } from '../../../../actors/runtime/disk-reserve.ts';
import type { AppState } from '../../../../actors/runtime/state.ts';
import { Documents } from '../../../../storage/documents.ts';
import { MemoryStore } from '../../../../storage/memory.ts';
import { subscribers } from '../../../../storage/tables/subscriber.ts';
import { partitionWithApp, type TestPartition } from '../../../support/partition.ts';
import { parseCsv } from '../../../support/strict-csv.ts';

const exportWindowMax = 10_000;

const pageCharsMax = 1024 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Everybody of an app, page by page, with the number of pages. `between` runs after each. */
async function exported(
  one: TestPartition,
  app: number,
  format: ExportFormat,
  between: (page: number) => Promise<unknown> = async () => undefined,
) {
  const pages: string[] = [];
  let end: number | undefined;
  for (let from = 0; end === undefined || from < end; ) {
    const page = { from, ...(end === undefined ? {} : { end }) };
    const { end: last, ...window } = await one.value(app, 'subscribers.window', page);
    end = last;
    const { text, next } = readExportPage({ app, format, ...window }, one.store);
    t.equal(text.byteLength, text.buffer.byteLength, 'the bytes are nobody else’s');
    t.ok(next > from || end === 0, 'goes on');
    from = next;
    pages.push(decoder.decode(text));
    await between(pages.length);
  }
  return { pages, text: pages.join('') };
}

async function addPeople(one: TestPartition, app: number, names: readonly string[], tags = {}) {
  for (const externalUserId of names)
    await one.value(app, 'subscriber.upsert', { subscriber: { externalUserId, tags } });
}

const namesIn = (jsonl: string): string[] =>
  jsonl
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).externalUserId);

t.test('large records make more pages, and each is bounded', async (t) => {
  const { one, app } = await partitionWithApp();
  const names = Array.from({ length: 240 }, (_, i) => `user-${i}`);
  const tags = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`tag${i}`, 'é"\n'.repeat(150)]),
  );
  await addPeople(one, app, names, tags);
  for (const format of ['csv', 'jsonl'] as const) {
    const { pages, text } = await exported(one, app, format);
    t.ok(pages.length > 4, `${pages.length} pages`);
    for (const page of pages) t.ok(page.length < pageCharsMax + 60_000, `${page.length}`);
    const found = format === 'csv' ? parseCsv(text).map(([, name]) => name) : namesIn(text);
    t.same(found, format === 'csv' ? ['externalUserId', ...names] : names);
  }
});

t.test('who is erased is in no page after it, and who comes later is not waited for', async (t) => {
  const { one, app } = await partitionWithApp();
  const tags = Object.fromEntries(
    Array.from({ length: 50 }, (_, i) => [`t${i}`, 'x'.repeat(1000)]),
  );
  await addPeople(
    one,
    app,
    Array.from({ length: 80 }, (_, i) => `user-${i}`),
    tags,
  );
  const erase = (name: string) =>
    one.value(app, 'subscriber.erase', { ref: { externalUserId: name } });
  await erase('user-3');
  const { text, pages } = await exported(one, app, 'jsonl', async (page) => {
    if (page !== 1) return;
    await erase('user-79');
    await addPeople(one, app, ['late']);
  });
  t.ok(pages.length > 2);
  const stayed = Array.from({ length: 80 }, (_, i) => `user-${i}`);
  t.same(
    namesIn(text),
    stayed.filter((name) => name !== 'user-3' && name !== 'user-79'),
  );
});

t.test('a record that is still there of somebody erased is passed by', async (t) => {
  const { one, app } = await partitionWithApp();
  await addPeople(one, app, ['ann', 'ben', 'cem']);
  const { end: _end, ...window } = await one.value(app, 'subscribers.window', { from: 0 });
  const read = { app, format: 'jsonl', ...window } as const;
  const { text, next } = readExportPage({ ...read, erased: [1] }, one.store);
  t.same([namesIn(decoder.decode(text)), next], [['ann', 'cem'], 3]);
});

t.test('a page covers a bounded number of people and has their last activity', async (t) => {
  const { one, app } = await partitionWithApp();
  const { people, traits } = one.product.state.apps.get(app) as AppState;
  for (let person = 0; person < 25_000; person++) people.add(person, null);
  traits.activity.touch(10_001, 5_007, 25_000);
  people.erase(10_002, null);
  people.erase(24_999, null);
  const first = await one.value(app, 'subscribers.window', { from: 0 });
  t.match(first, { from: 0, to: exportWindowMax, end: 25_000, erased: [] });
  const second = await one.value(app, 'subscribers.window', { from: first.to, end: first.end });
  t.match(second, { from: 10_000, to: 20_000, end: 25_000, erased: [10_002] });
  t.same([...second.lastActive.slice(0, 3)], [0, 5_007, 0]);
  t.equal(second.lastActive.length, exportWindowMax);
  const last = await one.value(app, 'subscribers.window', { from: 20_000, end: first.end });
  t.match(last, { to: 25_000, erased: [24_999] });
  for (let person = 0; person < 12_000; person++) people.erase(person, null);
  const { erased } = await one.value(app, 'subscribers.window', { from: 5_000, end: 25_000 });
  t.equal(erased.length, 7_000, 'also where more are erased than a page has people');
});

t.test('of another’s app, an app that is gone and a segment there is nothing', async (t) => {
  const { one, app } = await partitionWithApp();
  const refusal = async (to: number, more: object, by = -1) => {
    const answer = await one.ask(to, 'subscribers.window', { from: 0, ...more }, { by });
    return answer.ok ? undefined : answer.fault;
  };
  t.match(await refusal(app, {}, 999_999), { code: 'not_found', message: 'app not found' });
  t.match(await refusal(app + 4096, {}), { code: 'not_found', message: 'app not found' });
  t.match(await refusal(app, { segmentId: 'seg_1' }), {
    code: 'not_found',
    message: 'segmentId: segment not found',
    field: 'segmentId',
  });
  t.ok(allowedWhenFull({ kind: 'subscribers.window' }), 'a full disk may be exported from');
});

t.test('of nobody there is a header line, or nothing', async (t) => {
  const read = {
    app: 1,
    from: 0,
    to: 0,
    lastActive: new Float64Array(),
    hasOptOuts: false,
    erased: [],
  } as const;
  const store = new MemoryStore();
  t.match(decoder.decode(readExportPage({ ...read, format: 'csv' }, store).text), /^id,.*At\r\n$/);
  t.equal(readExportPage({ ...read, format: 'jsonl' }, store).text.length, 0);
});

t.test('people whose records are gone leave an empty page that goes on', async (t) => {
  const store = new MemoryStore();
  t.same(new Documents(store).range(subscribers, 1, { limit: 1 }), []);
  const read = {
    app: 1,
    from: 0,
    to: 9,
    lastActive: new Float64Array(9),
    hasOptOuts: true,
    erased: [],
  } as const;
  const { text, next } = readExportPage({ ...read, format: 'jsonl' }, store);
  t.same([text.length, next], [0, 9]);
});
