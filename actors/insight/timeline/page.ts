// One page of a person's story: their stored events, newest first, with the calls of their
// transactional sends between them. An event names its send, whose row knows when it was accepted
// and what every call came to; so nothing more is stored. What a reader would get wrong: a send's
// calls are older than the receipt it was found by, and belong on the page of their time. So a
// cursor carries the sends that have something left to tell, and every page of whatever size is a
// part of one order.

import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { parseId } from '../../../engine/base/id.ts';
import { storyOfEvent, type ToldEvent } from './event-story.ts';
import type { SendTold, StoryEntry } from './protocol.ts';
import { callsOf } from './send-story.ts';

/** Where a story goes on. */
export interface TimelinePlace {
  /** Only events with a smaller seq are left. */
  readonly beforeSeq?: number;
  /** The last entry that was shown; absent at the beginning. */
  readonly shown?: EntryKey;
  /** Sends that were found and have something older to tell. */
  readonly carried: readonly string[];
}

/** What puts entries in order: by the instant, then events after the calls of sends. */
type EntryKey =
  | { readonly atMs: Millis; readonly seq: number }
  | { readonly atMs: Millis; readonly sendId: string; readonly index: number };

/** Where the page's parts come from. */
export interface TimelineSources {
  /**
   * Events of the person before a seq, newest first; `nextBefore` where there are more, also when
   * none was found.
   */
  events(
    beforeSeq: number | undefined,
    limit: number,
  ): { readonly found: readonly ToldEvent[]; readonly nextBefore: number | undefined };
  /** What is stored of a transactional send of this person; `undefined` for any other. */
  send(sendId: string): SendTold | undefined;
  /** Their open sends. */
  readonly open: readonly SendTold[];
  /** Nothing from before is told. */
  readonly keptFromMs: Millis;
  readonly readMs: Millis;
}

/**
 * Sends that a cursor carries; the calls of any more are told by `GET …/notifications/:id` alone.
 */
const carriedMax = 24;

interface Keyed {
  readonly key: EntryKey;
  readonly entry: StoryEntry;
}

/** The page from `place` on, and where the next begins; `undefined` at the end. */
export function timelinePage(
  { beforeSeq, shown, carried }: TimelinePlace,
  limit: number,
  sources: TimelineSources,
): { readonly items: readonly StoryEntry[]; readonly next: TimelinePlace | undefined } {
  const { found, nextBefore } = sources.events(beforeSeq, limit + 1);
  const sends = new Map<string, SendTold>();
  const all: Keyed[] = [];
  for (const event of found) {
    const key = { atMs: event.receivedMs, seq: event.seq };
    if (!isAfter(key, shown)) continue;
    all.push({ key, entry: storyOfEvent(event, sources.readMs) });
    find(event.sendId);
  }
  for (const send of sources.open) sends.set(send.sendId, send);
  for (const sendId of carried) find(sendId);
  // Events that were not read yet may come before whatever is older than the oldest that was.
  const oldest = found.at(-1);
  const floor = nextBefore === undefined ? undefined : oldest;
  for (const send of sends.values()) {
    callsOf(send).forEach((entry, index) => {
      const key = { atMs: entry.atMs, sendId: send.sendId, index };
      if (entry.atMs >= sources.keptFromMs && isAfter(key, shown)) all.push({ key, entry });
    });
  }
  all.sort((a, b) => compare(a.key, b.key));
  const known = all.filter(
    ({ key }) =>
      nextBefore === undefined ||
      (floor !== undefined && compare(key, { atMs: floor.receivedMs, seq: floor.seq }) <= 0),
  );
  const items = known.slice(0, limit);
  const isEnd = nextBefore === undefined && known.length === items.length;
  const entries = items.map(({ entry }) => entry);
  if (isEnd) return { items: entries, next: undefined };
  const last = items.at(-1)?.key ?? shown;
  const passed = found.filter(
    ({ receivedMs: atMs, seq }) => last !== undefined && compare({ atMs, seq }, last) <= 0,
  );
  const isAllPassed = passed.length === found.length;
  const before =
    isAllPassed && nextBefore !== undefined ? nextBefore : (passed.at(-1)?.seq ?? beforeSeq);
  const isFound = ({ sendId }: SendTold) =>
    carried.includes(sendId) || passed.some((event) => event.sendId === sendId);
  const left = [...sends.values()].filter((send) => hasMore(send, isFound(send), last, sources));
  return {
    items: entries,
    next: {
      ...(before === undefined ? {} : { beforeSeq: before }),
      ...(last === undefined ? {} : { shown: last }),
      carried: left.slice(0, carriedMax).map(({ sendId }) => sendId),
    },
  };

  function find(sendId: string | null): void {
    if (sendId === null || sends.has(sendId)) return;
    const send = sources.send(sendId);
    if (send !== undefined) sends.set(sendId, send);
  }
}

/** Whether a send has calls after `from` that no later page would find by an event. */
function hasMore(
  send: SendTold,
  isFound: boolean,
  from: EntryKey | undefined,
  { open, keptFromMs }: TimelineSources,
): boolean {
  const { sendId } = send;
  if (!isFound && !open.includes(send)) return false;
  return callsOf(send).some(
    ({ atMs }, index) => atMs >= keptFromMs && isAfter({ atMs, sendId, index }, from),
  );
}

function isAfter(key: EntryKey, shown: EntryKey | undefined): boolean {
  return shown === undefined || compare(key, shown) > 0;
}

/** Newest first: negative where `a` comes first. */
function compare(a: EntryKey, b: EntryKey): number {
  if (a.atMs !== b.atMs) return b.atMs - a.atMs;
  if ('seq' in a) return 'seq' in b ? b.seq - a.seq : -1;
  if ('seq' in b) return 1;
  if (a.sendId !== b.sendId) return a.sendId < b.sendId ? 1 : -1;
  return b.index - a.index;
}

/** A place as a cursor of this app. */
export function timelineCursor(app: Ordinal, { beforeSeq, shown, carried }: TimelinePlace): string {
  const last =
    shown === undefined
      ? ''
      : 'seq' in shown
        ? `${shown.atMs.toString(36)}.e${shown.seq.toString(36)}`
        : `${shown.atMs.toString(36)}.${shown.sendId.slice(prefixLength)}.${shown.index.toString(36)}`;
  const before = beforeSeq === undefined ? '' : beforeSeq.toString(36);
  const rest = carried.map((id) => id.slice(prefixLength)).join('.');
  return `t${app.toString(36)}-${before}-${last}-${rest}`;
}

const prefixLength = 'ntf_'.length;

/** The place that a cursor of this app's timelines names; `undefined` for any other text. */
export function placeOfTimeline(app: Ordinal, cursor: string): TimelinePlace | undefined {
  const parts = /^t([0-9a-z]{1,7})-([0-9a-z]{0,11})-([0-9a-z.]{0,64})-([0-9a-z.]{0,1000})$/.exec(
    cursor,
  );
  if (parts === null || parts[1] !== app.toString(36)) return undefined;
  const [, , before = '', last = '', rest = ''] = parts;
  const shown = last === '' ? undefined : keyOf(last);
  if (last !== '' && shown === undefined) return undefined;
  const carried = rest === '' ? [] : rest.split('.').map((id) => `ntf_${id}`);
  const isWhole = carried.every((id) => parseId('ntf', id)?.ordinal === app);
  if (!isWhole || carried.length > carriedMax) return undefined;
  const beforeSeq = before === '' ? undefined : Number.parseInt(before, 36);
  if (beforeSeq !== undefined && !Number.isSafeInteger(beforeSeq)) return undefined;
  return {
    ...(beforeSeq === undefined ? {} : { beforeSeq }),
    ...(shown === undefined ? {} : { shown }),
    carried,
  };
}

function keyOf(text: string): EntryKey | undefined {
  const [at = '', what = '', index] = text.split('.');
  const atMs = Number.parseInt(at, 36);
  if (!Number.isSafeInteger(atMs)) return undefined;
  if (index === undefined) {
    const seq = what.startsWith('e') ? Number.parseInt(what.slice(1), 36) : Number.NaN;
    return Number.isSafeInteger(seq) ? { atMs, seq } : undefined;
  }
  const place = Number.parseInt(index, 36);
  const sendId = `ntf_${what}`;
  if (!Number.isSafeInteger(place) || parseId('ntf', sendId) === undefined) return undefined;
  return { atMs, sendId, index: place };
}
