// One page of a person's story: stored events, newest first, merged with the calls of the sends
// they name. A send's calls are older than the receipt that leads to it and belong on the page of
// their time. So a cursor carries sends with older calls, and pages of any size are parts of one
// order.

import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { parseId } from '../../../engine/base/id.ts';
import { type PersonEvent, storyOfEvent } from './event-story.ts';
import type { SendDetails, StoryEntry } from './protocol.ts';
import { callsOf } from './send-story.ts';

export interface TimelinePlace {
  /** Only events with a smaller seq are left. */
  readonly beforeSeq?: number;
  /** The last entry shown; absent at the beginning. */
  readonly shown?: EntryKey;
  /** Sends found that have older calls to show. */
  readonly carried: readonly string[];
}

/** Sorted newest first; at one instant events precede calls. */
type EntryKey =
  | { readonly atMs: Millis; readonly seq: number }
  | { readonly atMs: Millis; readonly sendId: string; readonly index: number };

export interface TimelineSources {
  /** The person's events before a seq, newest first. `nextBefore` is set if there may be more. */
  events(
    beforeSeq: number | undefined,
    limit: number,
  ): { readonly found: readonly PersonEvent[]; readonly nextBefore: number | undefined };
  /** A transactional send of this person; `undefined` for any other. */
  send(sendId: string): SendDetails | undefined;
  readonly open: readonly SendDetails[];
  /** Older entries are omitted. */
  readonly keptFromMs: Millis;
  readonly readMs: Millis;
}

/** Sends per cursor; calls of further ones appear only in `GET …/notifications/:id`. */
const carriedMax = 24;

/** The page from `place` on; `next` is `undefined` at the end. */
export function timelinePage(
  { beforeSeq, shown, carried }: TimelinePlace,
  limit: number,
  sources: TimelineSources,
): { readonly items: readonly StoryEntry[]; readonly next: TimelinePlace | undefined } {
  const { found, nextBefore } = sources.events(beforeSeq, limit + 1);
  const sends = new Map<string, SendDetails>();
  const all: { readonly key: EntryKey; readonly entry: StoryEntry }[] = [];
  for (const event of found) {
    const key = { atMs: event.receivedMs, seq: event.seq };
    if (!isAfter(key, shown)) continue;
    all.push({ key, entry: storyOfEvent(event, sources.readMs) });
    find(event.sendId);
  }
  for (const send of sources.open) sends.set(send.sendId, send);
  for (const sendId of carried) find(sendId);
  // Unread events may precede entries older than the oldest read.
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
  const entries = items.map(({ entry }) => titled(entry, sends));
  if (isEnd) return { items: entries, next: undefined };
  const last = items.at(-1)?.key ?? shown;
  const passed = found.filter(
    ({ receivedMs: atMs, seq }) => last !== undefined && compare({ atMs, seq }, last) <= 0,
  );
  const isAllPassed = passed.length === found.length;
  const before =
    isAllPassed && nextBefore !== undefined ? nextBefore : (passed.at(-1)?.seq ?? beforeSeq);
  const isFound = ({ sendId }: SendDetails) =>
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

/** A receipt of a send with the title that the send has. */
function titled(entry: StoryEntry, sends: ReadonlyMap<string, SendDetails>): StoryEntry {
  const { title } = sends.get(entry.sendId ?? '') ?? {};
  return title === undefined ? entry : { ...entry, title };
}

/** Whether a send has calls after `from` that later pages could not find by an event. */
function hasMore(
  send: SendDetails,
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

/** Newest first: negative if `a` comes first. */
function compare(a: EntryKey, b: EntryKey): number {
  if (a.atMs !== b.atMs) return b.atMs - a.atMs;
  if ('seq' in a) return 'seq' in b ? b.seq - a.seq : -1;
  if ('seq' in b) return 1;
  if (a.sendId !== b.sendId) return a.sendId < b.sendId ? 1 : -1;
  return b.index - a.index;
}

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

/** `undefined` for any text that is not a cursor of this app's timelines. */
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
