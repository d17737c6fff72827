// The events that wait to be sent. Each is stored with its id, its time and the person of that
// moment, and stays until the server has answered. The server remembers ids for a day, so what was
// sent without an answer is not sent again after 23 hours: it could count twice.

import type { Platform, Rows } from './platform.ts';
import { currentOf, type State } from './state.ts';

const queueEventsMax = 1_000;
const queueBytesMax = 524_288;
/** Of one call. */
export const batchMax = 500;
const retriedMs = 23 * 3_600_000;
/** Of all that a page may send while it ends; browsers allow 65,536 for all calls together. */
const leavingBytesMax = 60_000;

export type Props = Readonly<Record<string, unknown>>;

/** What an event is about, for those that a message caused. */
export interface References {
  readonly deviceId?: string;
  readonly sendId?: string;
  readonly campaignId?: string;
  readonly messageId?: string;
}

export interface Instant {
  readonly ms: number;
  /** By the clock of this page, which nobody sets. */
  readonly monotonicMs: number;
  readonly page: string;
}

interface QueuedEvent {
  readonly id: string;
  readonly name: string;
  readonly at: Instant;
  readonly n: number;
  /** The person's id if it was known. */
  readonly subscriberId?: string | undefined;
  readonly props?: Props | undefined;
  readonly references?: References | undefined;
  readonly bytes: number;
  /** When it was first sent. */
  readonly tried?: Instant;
  /** The server did not take its time: it counts from its arrival. */
  readonly isTimeless?: boolean;
}

export type Row = readonly [key: number, event: QueuedEvent];

/** The page's own clock, with which the age of what it stored is known whatever people set. */
export function instantOf(platform: Platform, page: string): Instant {
  return { ms: platform.now(), monotonicMs: platform.monotonic(), page };
}

/** Milliseconds from `then` to `now`; 0 if the clock was set back and nothing better is known. */
function elapsed(then: Instant, now: Instant): number {
  const ms = then.page === now.page ? now.monotonicMs - then.monotonicMs : now.ms - then.ms;
  return Math.max(0, ms);
}

export function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/** Adds an event, of the page's person, and drops the oldest that leave no room. */
export async function enqueue(
  rows: Rows,
  state: State,
  event: Omit<QueuedEvent, 'n' | 'subscriberId' | 'bytes'>,
): Promise<{ readonly row: Row; readonly dropped: readonly Row[] }> {
  const { n, id: subscriberId } = currentOf(state);
  const bytes = bytesOf(event);
  const dropped: Row[] = [];
  while (state.events >= queueEventsMax || state.bytes + bytes > queueBytesMax) {
    const oldest = (await rows.first('queue', 1)) as Row[];
    if (!oldest[0]) break;
    await dequeue(rows, state, oldest);
    dropped.push(oldest[0]);
  }
  const row: Row = [state.nextKey++, { ...event, n, subscriberId, bytes }];
  await rows.put('queue', ...row);
  state.events++;
  state.bytes += bytes;
  return { row, dropped };
}

export async function dequeue(rows: Rows, state: State, gone: readonly Row[]): Promise<void> {
  for (const [key, { bytes }] of gone) {
    if (!(await rows.get('queue', key))) continue;
    await rows.remove('queue', key);
    state.events = Math.max(0, state.events - 1);
    state.bytes = Math.max(0, state.bytes - bytes);
  }
}

interface Batch {
  readonly rows: readonly Row[];
  /** Not sent, because they may have been counted too long ago. */
  readonly expired: readonly Row[];
}

/** The oldest events of one person, marked as tried. */
export async function takeBatch(rows: Rows, limit: number, now: Instant): Promise<Batch> {
  const found = (await rows.first('queue', limit)) as Row[];
  const expired = found.filter(([, { tried }]) => tried && elapsed(tried, now) > retriedMs);
  const left = found.filter((row) => !expired.includes(row));
  const end = left.findIndex(([, { n }]) => n !== left[0]?.[1].n);
  const batch = tried(end < 0 ? left : left.slice(0, end), now);
  for (const row of batch) await rows.put('queue', ...row);
  return { rows: batch, expired };
}

function tried(rows: readonly Row[], now: Instant): readonly Row[] {
  return rows.map(([key, event]) => [key, { tried: now, ...event }]);
}

/** The body of `POST /e`. `subscriberId` is of those whose person was not known yet. */
export function ingestBody(
  appId: string,
  rows: readonly Row[],
  subscriberId: string | undefined,
  now: Instant,
) {
  const events = rows.map(([, { id, name, at, props, references, isTimeless, ...event }]) => ({
    id,
    name,
    subscriberId: event.subscriberId ?? subscriberId,
    // Its age by the clock as it is now, which may have been set since.
    ...(isTimeless ? {} : { at: new Date(now.ms - elapsed(at, now)).toISOString() }),
    props,
    ...references,
  }));
  return { appId, events };
}

/** The newest events that a page may still send while it ends, marked as tried. */
export function leavingRows(rows: readonly Row[], now: Instant): readonly Row[] {
  let bytes = 0;
  const newest = [...rows].reverse().slice(0, batchMax);
  // 100 for the names of its members, and the person.
  const end = newest.findIndex(([, event]) => (bytes += event.bytes + 100) > leavingBytesMax);
  return tried((end < 0 ? newest : newest.slice(0, end)).reverse(), now);
}
