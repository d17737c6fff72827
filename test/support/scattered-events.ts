// Raw events scattered over files of history and the log, as the product would find them: days in
// several files, late ones in a file of their own or still in the log, other apps' events among
// them. In memory, so that hundreds of histories are tried in a second.

import { EventHistory } from '../../actors/events/history/event-history.ts';
import { encodeDrafts } from '../../actors/events/log/drafts.ts';
import { decodeBatch } from '../../actors/events/log/event-batch.ts';
import type { BlockSource } from '../../actors/events/read/read.ts';
import { StoredWalk } from '../../actors/events/read/stored-walk.ts';
import { eventsOf } from '../../actors/runtime/facts.ts';
import { encodeBlock } from '../../engine/actor/block.ts';
import { below, type Rng } from '../../engine/base/rng.ts';
import { StopFlag } from '../../engine/thread/shared-word.ts';
import type { HistoryFile } from '../../storage/checkpoint.ts';
import { dayOf } from '../../storage/history.ts';

export interface ScatteredEvent {
  readonly name: string;
  readonly person: number;
  readonly atMs: number;
  readonly props?: Readonly<Record<string, unknown>> | undefined;
  /** In place of `props`, as it was written. */
  readonly propsJson?: string;
  readonly sendId?: string | undefined;
  readonly deviceId?: string | undefined;
  readonly campaignId?: string;
  /** Its number in the catalog's order, plus one. */
  readonly channel?: number;
}

const app = 4097;
const otherApp = 8193;

/**
 * A walk over these events, lying as chance has it. Each is there once. `seqs` hears under which
 * number; the order of numbers is no other chance's.
 */
export function scattered(
  events: readonly ScatteredEvent[],
  rng: Rng,
  seqs = new Map<ScatteredEvent, number>(),
): StoredWalk {
  const batchOf = (some: readonly ScatteredEvent[]): Uint8Array => {
    const firstSeq = seqs.size + 1;
    some.forEach((event, row) => {
      seqs.set(event, firstSeq + row);
    });
    return encode(some, firstSeq);
  };
  const files: (HistoryFile & { readonly batch: Uint8Array })[] = [];
  const logged: ScatteredEvent[][] = [];
  const days = new Map<string, ScatteredEvent[]>();
  for (const event of shuffled(events, rng)) {
    if (below(rng, 3) === 0) {
      if (logged.length === 0 || below(rng, 3) === 0) logged.push([]);
      logged.at(-1)?.push(event);
      continue;
    }
    const key = `${dayOf(event.atMs)}:${below(rng, 3)}`;
    days.set(key, [...(days.get(key) ?? []), event]);
  }
  for (const ofFile of days.values()) {
    const times = ofFile.map(({ atMs }) => atMs);
    files.push({
      app,
      day: dayOf(times[0] as number),
      file: '',
      count: ofFile.length,
      minSeq: 1,
      maxSeq: 1,
      minAtMs: Math.min(...times),
      maxAtMs: Math.max(...times),
      bytes: 0,
      crc32: 0,
      batch: batchOf(ofFile),
    });
  }
  const seq = 1 + below(rng, 5);
  const listed = [...files, ...files.slice(0, 1).map((one) => ({ ...one, app: otherApp }))];
  const history = new EventHistory(seq, shuffled(listed, rng), (file) => {
    const block = decodeBatch((file as (typeof files)[number]).batch);
    return {
      questionRows: 1,
      find: () => [{ events: block, from: 0, to: block.count }],
    };
  });
  const blocks = logged.map((some, i) => {
    const batch = batchOf(some);
    const entries = [app, otherApp].map((owner) => ({ kind: 'events.tracked', owner, batch }));
    return { seq: seq + 1 + i, block: encodeBlock({ atMs: 1, entries }) };
  });
  const log: BlockSource = {
    durableSeq: seq + blocks.length,
    oldestSeq: 1,
    blocks: (from, limit) => blocks.filter((one) => one.seq >= from).slice(0, limit),
    eventsOf,
  };
  return new StoredWalk(app, log, history, new StopFlag());
}

function encode(events: readonly ScatteredEvent[], firstSeq: number): Uint8Array {
  const drafts = events.map(({ props, sendId, deviceId, ...event }) => ({
    ...event,
    ...(sendId === undefined ? {} : { sendId }),
    ...(deviceId === undefined ? {} : { deviceId }),
    ...(props === undefined ? {} : { propsJson: JSON.stringify(props) }),
  }));
  return encodeDrafts(drafts, events[0]?.atMs ?? 0, firstSeq);
}

function shuffled<Item>(items: readonly Item[], rng: Rng): Item[] {
  const all = [...items];
  for (let i = all.length - 1; i > 0; i--) {
    const other = below(rng, i + 1);
    [all[i], all[other]] = [all[other] as Item, all[i] as Item];
  }
  return all;
}
