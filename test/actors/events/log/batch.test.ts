import fc from 'fast-check';
import t from 'tap';
import { DamagedEvents } from '../../../../actors/events/columns/byte-cursor.ts';
import { readIngest } from '../../../../actors/events/ingest/slow-path.ts';
import {
  batchVersion,
  encodeBatch,
  numberedBatch,
  unnumbered,
} from '../../../../actors/events/log/batch.ts';
import { encodeDrafts } from '../../../../actors/events/log/drafts.ts';
import { decodeBatch } from '../../../../actors/events/log/event-batch.ts';
import { createEventRows, rowsMax } from '../../../../actors/events/log/event-rows.ts';
import { tries } from '../../../support/tries.ts';
import { anyBody, limits, nowMs } from '../bodies.ts';
import { rowsOf } from '../rows-of.ts';
import { draft, eventsOf, expected } from '../stored.ts';

const rows = createEventRows();
const person = Uint32Array.from({ length: rowsMax }, (_, row) => 0xffffffff - row * 7);
const all = new Uint8Array(rowsMax).fill(1);
const columns = { accepted: all, person, receivedAtMs: nowMs, firstSeq: 1 };

t.test('every draft comes back from its batch as it went in', async () => {
  fc.assert(
    fc.property(
      fc.array(draft, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 2 ** 52 }),
      (drafts, firstSeq) => {
        const batch = decodeBatch(encodeDrafts(drafts, nowMs, firstSeq));
        const want = drafts.map((one, i) => expected(one, nowMs, firstSeq + i));
        const got = eventsOf(batch);
        if (!same(got, want)) throw new Error(`${JSON.stringify(got)}\n${JSON.stringify(want)}`);
      },
    ),
    { seed: 5, numRuns: tries(1_500) },
  );
});

t.test('of a request the accepted rows are packed, with seqs that have no gap', async (t) => {
  let packed = 0;
  fc.assert(
    fc.property(anyBody, fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), (body, mask) => {
      if (readIngest(body, limits, rows).outcome !== 'read') return;
      const accepted = Uint8Array.from({ length: rowsMax }, (_, row) => (mask[row % 3] ? 1 : 0));
      const kept = rowsOf(rows)
        .map((row, i) => ({ ...row, person: person[i] }))
        .filter((_, row) => accepted[row] === 1);
      if (kept.length === 0) return;
      packed++;
      const batch = decodeBatch(encodeBatch(rows, { ...columns, accepted, firstSeq: 77 }));
      const got = eventsOf(batch);
      const want = kept.map(({ name, person, id, atMs, props, references }, i) => {
        const [deviceId, sendId, campaignId, messageId, journeyId] = references;
        const none = { meta: undefined, channel: 0 };
        return {
          seq: 77 + i,
          name,
          person,
          atMs,
          receivedAtMs: nowMs,
          id,
          props,
          ...none,
          deviceId,
          sendId,
          campaignId,
          messageId,
          journeyId,
        };
      });
      if (!same(got, want)) throw new Error(`${JSON.stringify(got)}\n${JSON.stringify(want)}`);
    }),
    { seed: 6, numRuns: tries(4_000) },
  );
  t.ok(packed > tries(1_200), `only ${packed}`);
});

t.test('a batch numbered later has the bytes of one numbered at once', async () => {
  const body = Buffer.from('{"events":[{"name":"seen","externalUserId":"ada"}]}');
  const one = Uint8Array.from({ length: rowsMax }, (_, row) => (row === 0 ? 1 : 0));
  const seq = fc.oneof(
    fc.integer({ min: 1, max: 2 ** 52 }),
    fc.integer({ min: 1, max: 7 }).map((bytes) => 128 ** bytes),
    fc.integer({ min: 1, max: 7 }).map((bytes) => 128 ** bytes - 1),
  );
  readIngest(body, limits, rows);
  fc.assert(
    fc.property(seq, seq, (a, b) => {
      const [expectedSeq, firstSeq] = [Math.min(a, b), Math.max(a, b)];
      const open = encodeBatch(rows, {
        ...columns,
        accepted: one,
        firstSeq: unnumbered,
        expectedSeq,
      });
      const atOnce = encodeBatch(rows, { ...columns, accepted: one, firstSeq });
      if (Buffer.compare(numberedBatch(open, firstSeq), atOnce) !== 0)
        throw new Error(`${expectedSeq} ${firstSeq}`);
    }),
    { seed: 7, numRuns: tries(1_000) },
  );
});

t.test('a batch lists the people it created, so that the log alone rebuilds them', async (t) => {
  const body = Buffer.from(
    JSON.stringify({
      events: ['ann', 'บุญ', 'cy'].map((externalUserId) => ({ name: 'a', externalUserId })),
    }),
  );
  t.match(readIngest(body, limits, rows), { errors: [] });
  const created = { count: 2, row: Uint16Array.of(1, 2), high16: Uint16Array.of(65535, 0) };
  const batch = decodeBatch(encodeBatch(rows, { ...columns, created }));
  t.strictSame(batch.createdPeople(), [
    { person: person[1], high16: 65535, externalUserId: 'บุญ' },
    { person: person[2], high16: 0, externalUserId: 'cy' },
  ]);
  t.strictSame(decodeBatch(encodeBatch(rows, columns)).createdPeople(), []);
});

t.test('ids can be read as bytes, for the table of ids seen', async (t) => {
  const batch = decodeBatch(
    encodeDrafts(
      [
        { name: 'a', person: 1, atMs: nowMs, id: 'first' },
        { name: 'a', person: 1, atMs: nowMs },
        { name: 'a', person: 1, atMs: nowMs, id: 'ข' },
      ],
      nowMs,
      1,
    ),
  );
  t.strictSame(
    [0, 1, 2].map((row) => Buffer.from(batch.idBytes(row)).toString()),
    ['first', '', 'ข'],
  );
  t.strictSame(
    [0, 1, 2].map((row) =>
      Buffer.from(batch.bytes.subarray(batch.idStart(row), batch.idEnd(row))).toString(),
    ),
    ['first', '', 'ข'],
  );
});

t.test('names that no accepted row has are left out', async (t) => {
  const body = Buffer.from(
    JSON.stringify({
      events: ['x', 'y', 'x', 'z'].map((name) => ({ name, externalUserId: 'a' })),
    }),
  );
  readIngest(body, limits, rows);
  const batch = decodeBatch(encodeBatch(rows, { ...columns, accepted: Uint8Array.of(0, 1, 1, 0) }));
  t.strictSame(batch.names, ['y', 'x']);
  t.strictSame(
    [0, 1].map((row) => batch.name(row)),
    ['y', 'x'],
  );
});

t.test('a thousand events with a thousand names and every width of time fit', async (t) => {
  for (const spread of [0, 20_000, 80_000_000, 89 * 86_400_000]) {
    const drafts = Array.from({ length: 1000 }, (_, i) => ({
      name: `name ${i}`,
      person: i,
      atMs: nowMs - Math.floor((spread * i) / 1000),
      propsJson: `{"a":"${'x'.repeat(i)}"}`,
    }));
    const batch = decodeBatch(encodeDrafts(drafts, nowMs, 5));
    t.ok(
      same(
        eventsOf(batch),
        drafts.map((one, i) => expected(one, nowMs, 5 + i)),
      ),
    );
  }
});

t.test('one event costs at most 30 bytes beside its name, id and props', async (t) => {
  const id = '01JQ7Z3V9XK4M2T8';
  const propsJson = '{"sku":"SKU-1"}';
  const bytes = encodeDrafts(
    [{ name: 'purchase', person: 12345, atMs: nowMs - 900, id, propsJson }],
    nowMs,
    123456,
  );
  t.ok(bytes.length - 'purchase'.length - id.length - propsJson.length <= 30, `${bytes.length}`);
});

t.test('bytes that are cut short or of another version are refused, not misread', async (t) => {
  const bytes = encodeDrafts(
    [{ name: 'a', person: 1, atMs: nowMs, id: 'i', propsJson: '{}', metaJson: '{}', sendId: 's' }],
    nowMs,
    1,
  );
  for (let length = 0; length < bytes.length; length++) {
    t.throws(() => eventsOf(decodeBatch(bytes.subarray(0, length))), DamagedEvents);
  }
  const newer = Uint8Array.from(bytes);
  newer[0] = batchVersion + 1;
  t.throws(() => decodeBatch(newer), /version 2, this program reads 1/);
});

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
