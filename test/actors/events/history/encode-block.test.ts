import fc from 'fast-check';
import t from 'tap';
import { encodeEventBlock, splitSection } from '../../../../actors/events/history/encode-block.ts';
import {
  type ColumnName,
  EventBlock,
  type SectionName,
} from '../../../../actors/events/history/event-block.ts';
import { blockRowsMax } from '../../../../actors/events/history/file-writer.ts';
import { type RowChoice, sortedRows } from '../../../../actors/events/history/sorted-rows.ts';
import { type EventDraft, encodeDrafts } from '../../../../actors/events/log/drafts.ts';
import { decodeBatch, type EventBatch } from '../../../../actors/events/log/event-batch.ts';
import type { StoredEvents } from '../../../../actors/events/log/stored-events.ts';
import { below, seededRng } from '../../../../engine/base/rng.ts';
import { tries } from '../../../support/tries.ts';
import { nowMs } from '../bodies.ts';
import { draft, eventAt, eventsOf, type PlainEvent } from '../stored.ts';

/** Everything chosen as one block, packed and opened again. */
function open(sources: readonly StoredEvents[], choose: RowChoice = () => true): EventBlock {
  const [list] = sortedRows(sources, choose, 1e6);
  if (list === undefined) throw new Error('nothing was chosen');
  const { count, firstPerson, sections } = encodeEventBlock(list);
  const columns = new Map<ColumnName, Buffer>();
  for (const section of ['person', 'hot', 'cold'] as SectionName[])
    for (const [name, bytes] of splitSection(section, sections[section])) columns.set(name, bytes);
  return new EventBlock(
    count,
    firstPerson,
    (name) => columns.get(name) as Buffer,
    () => false,
  );
}

function batches(parts: readonly (readonly EventDraft[])[], firstSeq = 1): EventBatch[] {
  let seq = firstSeq;
  return parts.map((drafts, i) => {
    const batch = decodeBatch(encodeDrafts(drafts, nowMs + i * 1000, seq));
    seq += drafts.length;
    return batch;
  });
}

const sorted = (events: PlainEvent[]) =>
  events.toSorted((a, b) => a.person - b.person || a.atMs - b.atMs || a.seq - b.seq);

t.test('every event comes back from a block, sorted by person and time', async () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(draft, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      (parts, reversed) => {
        const sources = batches(parts, 2 ** 33);
        const got = eventsOf(open(reversed ? sources.toReversed() : sources));
        const want = sorted(sources.flatMap((source) => eventsOf(source)));
        same(got, want);
      },
    ),
    { seed: 11, numRuns: tries(150) },
  );
});

t.test('columns of one kind of value each come back exactly', async () => {
  const kinds: fc.Arbitrary<unknown>[] = [
    fc.integer(),
    fc.integer({ min: -9999, max: 9999 }).map((n) => n / 100),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constantFrom('a', 'b', 'ค'),
    fc.integer({ min: 0, max: 999_999 }).map((n) => `SKU-${n}`),
    fc.integer({ min: 0, max: 999 }).map((n) => `n${String(n).padStart(3, '0')}`),
    fc.uuid(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', '0', '00', '7', 'x7', 'x'),
    fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
    fc.array(fc.integer(), { maxLength: 2 }),
    fc.constant(-0).map(() => 0),
  ];
  fc.assert(
    fc.property(
      fc
        .integer({ min: 0, max: kinds.length - 1 })
        .chain((kind) =>
          fc.array(kinds[kind] as fc.Arbitrary<unknown>, { minLength: 8, maxLength: 60 }),
        ),
      (values) => {
        const drafts = values.map((v, i) => ({
          name: 'a',
          person: i,
          atMs: nowMs,
          propsJson: JSON.stringify({ v }),
          ...(typeof v === 'string' && v !== '' ? { id: v } : {}),
        }));
        const sources = batches([drafts]);
        same(
          eventsOf(open(sources)),
          sources.flatMap((source) => eventsOf(source)),
        );
      },
    ),
    { seed: 12, numRuns: tries(700) },
  );
});

t.test('props that JSON.stringify would not write again are kept as they are', async (t) => {
  const odd = [
    '{"n":1e999}',
    '{"n":-0}',
    '{"s":"\\ud800"}',
    '{"a":{"b":-1e400}}',
    '{"__proto__":{"a":1}}',
    '{"2":1,"1":2}',
    '{}',
  ];
  const texts = Array.from({ length: 70 }, (_, i) => odd[i % odd.length] as string);
  const drafts = texts.map((propsJson, i) => ({ name: 'a', person: i, atMs: nowMs, propsJson }));
  const block = open(batches([drafts]));
  for (let row = 0; row < block.count; row++) {
    t.strictSame(JSON.parse(block.propsJson(row) ?? ''), JSON.parse(texts[row] as string));
  }
});

t.test(
  'blocks and batches merge into one block, without the rows that are not chosen',
  async () => {
    const drafts = Array.from({ length: 300 }, (_, i) => ({
      name: i % 2 === 0 ? 'a' : 'b',
      person: (i * 7) % 31,
      atMs: nowMs - i,
      id: `e${i}`,
    }));
    const [one, two, three] = batches([
      drafts.slice(0, 100),
      drafts.slice(100, 200),
      drafts.slice(200),
    ]);
    if (one === undefined || two === undefined || three === undefined) throw new Error();
    const merged = open([open([three, one]), two], (source, row) => source.person(row) !== 7);
    const want = sorted(
      [one, two, three].flatMap((source) => eventsOf(source)).filter((e) => e.person !== 7),
    );
    same(eventsOf(merged), want);
  },
);

t.test('a person’s rows are found without reading the others', async (t) => {
  const people = [5, 3, 5, 9, 3, 5, 0xffffffff, 0];
  const block = open(
    batches([people.map((person, i) => ({ name: 'a', person, atMs: nowMs + i, id: `${i}` }))]),
  );
  const { from, to } = block.rowsOf(5);
  t.strictSame(
    Array.from({ length: to - from }, (_, i) => block.id(from + i)),
    ['0', '2', '5'],
  );
  t.strictSame(block.rowsOf(4), { person: 4, from: 3, to: 3 });
  t.strictSame(block.rowsOf(0xffffffff), { person: 0xffffffff, from: 7, to: 8 });
});

t.test('a block read row by row is the block read as a whole', async () => {
  fc.assert(
    fc.property(fc.array(draft, { minLength: 1, maxLength: 40 }), fc.nat(), (drafts, at) => {
      const sources = batches([drafts]);
      const whole = eventsOf(open(sources));
      const row = at % whole.length;
      // A block of its own, so that nothing was unpacked before.
      const one = open(sources);
      same(eventAt(one, row), whole[row]);
    }),
    { seed: 13, numRuns: tries(150) },
  );
});

t.test(
  'an event of 198 bytes of JSON rests in fewer than 20, in blocks of a thousand',
  async (t) => {
    const rng = seededRng(1);
    const names = ['product_viewed', 'cart_added', 'purchase', 'search', 'signup'];
    const parts = Array.from({ length: 16 }, (_, part) =>
      Array.from({ length: 1000 }, (_, i) => {
        const nth = part * 1000 + i;
        return {
          id: `01HZ${(1e12 + nth).toString(36).toUpperCase().padStart(12, '0')}${below(rng, 1e6).toString(36).padStart(4, '0')}`,
          name: names[below(rng, names.length)] as string,
          person: below(rng, 1_000_000),
          atMs: nowMs + nth * 37,
          propsJson: JSON.stringify({
            sku: `SKU-${below(rng, 5000)}`,
            price: below(rng, 100_000) / 100,
            currency: 'SGD',
            qty: 1 + below(rng, 5),
            campaign: `c${below(rng, 50)}`,
          }),
        };
      }),
    );
    const sources = batches(parts);
    let bytes = 0;
    for (const list of sortedRows(sources, () => true, blockRowsMax)) {
      const { person, hot, cold } = encodeEventBlock(list).sections;
      bytes += person.length + hot.length + cold.length;
    }
    t.ok(bytes / 16_000 < 20, `${bytes / 16_000} bytes`);
    same(eventsOf(open(sources)), sorted(sources.flatMap((source) => eventsOf(source))));
  },
);

function same(got: unknown, want: unknown): void {
  const a = stable(got);
  const b = stable(want);
  if (a !== b) throw new Error(`got  ${a.slice(0, 2000)}\nwant ${b.slice(0, 2000)}`);
}

/** JSON in which the order of keys says nothing, and -0 and infinities show. */
function stable(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === 'number' && (Object.is(item, -0) || !Number.isFinite(item)))
      return `number ${item}`;
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
