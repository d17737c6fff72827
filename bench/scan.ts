// Reading and packing `POST /e` events, beside JSON.parse of the same bodies: trust the ratios. An
// event has 198 bytes of JSON with five scalar props, a thousand per body.
// Run: node --import=tsx bench/scan.ts [rounds = 15]

import { encodeEventBlock } from '../actors/events/history/encode-block.ts';
import { blockRowsMax } from '../actors/events/history/file-writer.ts';
import { sortedRows } from '../actors/events/history/sorted-rows.ts';
import { findAppId } from '../actors/events/ingest/find-app-id.ts';
import { scanIngest } from '../actors/events/ingest/scan.ts';
import { parseIngest } from '../actors/events/ingest/slow-path.ts';
import { encodeBatch } from '../actors/events/log/batch.ts';
import { decodeBatch } from '../actors/events/log/event-batch.ts';
import { createEventRows, rowsMax } from '../actors/events/log/event-rows.ts';
import { dayMs } from '../engine/base/brand.ts';
import { below, pick, seededRng } from '../engine/base/rng.ts';

const rounds = Number(process.argv[2] ?? 15);
const bodyCount = 32;
const perBody = 1000;
const startMs = 1_763_700_000_000;
const people = 1_000_000;
const names = [
  'product_viewed',
  'cart_added',
  'checkout_started',
  'purchase',
  'session_started',
  'search',
  'signup',
  'level_up',
  'article_read',
  'app_opened',
];
const rng = seededRng(12345, 'events');

type IdKind = 'counted' | 'uuid';

function event(nth: number, ids: IdKind) {
  return {
    id: ids === 'uuid' ? uuid() : countedId(nth),
    name: pick(rng, names),
    externalUserId: `user-${below(rng, people)}`,
    // Phones send late and unordered; counted ids are those of an orderly server.
    at: new Date(startMs + nth * 37 + (ids === 'uuid' ? below(rng, 60_000) : 0)).toISOString(),
    props: {
      sku: `SKU-${below(rng, 5000)}`,
      price: below(rng, 100_000) / 100,
      currency: 'SGD',
      qty: 1 + below(rng, 5),
      campaign: `c${below(rng, 50)}`,
    },
  };
}

function countedId(nth: number): string {
  const random = below(rng, 1_000_000).toString(36).padStart(4, '0');
  return `01HZ${(1e12 + nth).toString(36).toUpperCase().padStart(12, '0')}${random}`;
}

function uuid(): string {
  const hex = [1, 2, 3, 4].map(() => rng.uint32().toString(16).padStart(8, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function bodiesOf(ids: IdKind): Buffer[] {
  return Array.from({ length: bodyCount }, (_, nth) => {
    const events = Array.from({ length: perBody }, (_, i) => event(nth * perBody + i, ids));
    return Buffer.from(JSON.stringify({ appId: 'app_01', events }));
  });
}

const limits = {
  appOrdinal: 1,
  nowMs: startMs + bodyCount * perBody * 37,
  retentionMs: 90 * dayMs,
  keptDays: 90,
};
const rows = createEventRows();
const person = new Uint32Array(rowsMax);
const accepted = new Uint8Array(rowsMax).fill(1);

function pack(body: Buffer, firstSeq: number): Uint8Array {
  if (!scanIngest(body, limits, rows)) throw new Error('the scanner refused a plain body');
  return encodeBatch(rows, { accepted, person, receivedAtMs: limits.nowMs, firstSeq });
}

/** Microseconds per event in the fastest round, when nothing else runs. */
function fastest(bodies: readonly Buffer[], run: (body: Buffer) => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    for (const body of bodies) run(body);
    best = Math.min(best, performance.now() - began);
  }
  return (best * 1000) / (bodies.length * perBody);
}

const bodies = bodiesOf('counted');
const bytes = bodies.reduce((sum, body) => sum + body.length, 0) / (bodyCount * perBody);
console.log(`${bytes.toFixed(0)} bytes of JSON an event, ${perBody} to a body, best of ${rounds}`);
const parse = fastest(bodies, (body) => JSON.parse(body.toString('latin1')));
const measured: [what: string, us: number][] = [
  ['JSON.parse alone', parse],
  ['scan', fastest(bodies, (body) => scanIngest(body, limits, rows))],
  ['scan and encode', fastest(bodies, (body) => pack(body, 1))],
  ['slow path', fastest(bodies, (body) => parseIngest(body, limits, rows))],
  ['findAppId', fastest(bodies, findAppId)],
];
for (const [what, us] of measured) {
  const rate = `${(1 / us).toFixed(2)} M events/s`;
  console.log(
    `${what.padEnd(18)} ${us.toFixed(3)} µs  ${rate.padStart(18)}  ${(parse / us).toFixed(2)} x JSON.parse`,
  );
}

const one = Buffer.from(JSON.stringify({ events: [event(1, 'counted')] }));
const repeated: Buffer[] = new Array(perBody).fill(one);
const oneUs = fastest(repeated, (body) => pack(body, 123_456)) * perBody;
const oneBytes = pack(one, 123_456).length;
console.log(
  `a body of one event: scan and encode ${oneUs.toFixed(2)} µs, ${oneBytes} bytes packed`,
);

for (const ids of ['counted', 'uuid'] as const) {
  const batches = bodiesOf(ids).map((body, nth) => {
    for (let i = 0; i < perBody; i++) person[i] = below(rng, people);
    return decodeBatch(pack(body, 1 + nth * perBody));
  });
  const count = bodyCount * perBody;
  const logged = batches.reduce((sum, batch) => sum + batch.bytes.length, 0) / count;
  let compactUs = Number.POSITIVE_INFINITY;
  let bytes = 0;
  for (let round = 0; round < Math.min(rounds, 4); round++) {
    const began = performance.now();
    bytes = 0;
    for (const list of sortedRows(batches, () => true, blockRowsMax)) {
      const { person: people, hot, cold } = encodeEventBlock(list).sections;
      bytes += people.length + hot.length + cold.length;
    }
    compactUs = Math.min(compactUs, ((performance.now() - began) * 1000) / count);
  }
  console.log(
    `${ids} ids: ${logged.toFixed(1)} bytes an event in the log, ${(bytes / count).toFixed(1)} in history; ` +
      `compact ${compactUs.toFixed(1)} µs an event`,
  );
}
