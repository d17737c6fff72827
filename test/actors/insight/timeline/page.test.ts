// Pages of a person's story: whatever their size, however short the reads of events come, and
// whatever happens between two of them, they are parts of one order that a naive merge knows; and a
// cursor is nothing but what a page gave.

import fc from 'fast-check';
import t from 'tap';
import { type PersonEvent, storyOfEvent } from '../../../../actors/insight/timeline/event-story.ts';
import {
  placeOfTimeline,
  type TimelinePlace,
  type TimelineSources,
  timelineCursor,
  timelinePage,
} from '../../../../actors/insight/timeline/page.ts';
import type { SendDetails, StoryEntry } from '../../../../actors/insight/timeline/protocol.ts';
import { callsOf } from '../../../../actors/insight/timeline/send-story.ts';
import { formatId } from '../../../../engine/base/id.ts';
import type { SendOutcomeRow, SendTryRow } from '../../../../storage/tables/send.ts';
import { tries } from '../../../support/tries.ts';

const carriedMax = 24;

const app = 4711;
const readMs = 1_000_000;
const sendIdOf = (n: number, atMs: number) =>
  formatId('ntf', { ordinal: app, atMs, high16: n, low32: n });

/**
 * A send of the world: when it was accepted, the tries before each of its receipts, and whether it
 * is open.
 */
interface Drawn {
  readonly atMs: number;
  readonly waits: readonly number[];
  readonly isOpen: boolean;
}

const drawnSend: fc.Arbitrary<Drawn> = fc.record({
  atMs: fc.integer({ min: 1, max: 60 }),
  waits: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 5 }),
  isOpen: fc.boolean(),
});

interface World {
  readonly events: readonly PersonEvent[];
  readonly sends: readonly SendDetails[];
}

function worldOf(drawn: readonly Drawn[], tracked: readonly number[]): World {
  const receipts: { readonly atMs: number; readonly sendId: string }[] = [];
  const sends = drawn.map(({ atMs, waits, isOpen }, n): SendDetails => {
    const sendId = sendIdOf(n, atMs);
    let nowMs = atMs;
    const tries: SendTryRow[] = [];
    for (const [i, wait] of waits.entries()) {
      tries.push({ atMs: nowMs, attempt: i + 1, answer: 'not_now', said: `busy: ${n}.${i}` });
      nowMs += wait;
    }
    if (!isOpen) receipts.push({ atMs: nowMs, sendId });
    const target = { deviceId: 'dev_1', channel: 'fcm' } as const;
    const outcome: SendOutcomeRow = {
      ...target,
      status: 'delivered',
      attempts: 1,
      atMs: nowMs,
      tries,
    };
    return {
      sendId,
      acceptedMs: atMs,
      isMarketing: false,
      channels: ['fcm'],
      outcomes: isOpen ? [] : [outcome],
      open: isOpen
        ? [
            {
              ...target,
              state: 'waiting',
              attempts: tries.length,
              dueMs: readMs,
              tries,
              pausedUntilMs: 0,
              isSlowed: false,
              isRefused: false,
              isUnreached: false,
            },
          ]
        : [],
      reads: [],
    };
  });
  const names = [
    ...receipts.map(({ atMs, sendId }) => ({ atMs, sendId, name: 'delivered' })),
    ...tracked.map((atMs) => ({ atMs, sendId: null, name: 'tracked' })),
  ].sort((a, b) => a.atMs - b.atMs);
  const events = names.map(
    ({ atMs, sendId, name }, i): PersonEvent => ({
      id: `evt_${i}`,
      seq: i + 1,
      name,
      atMs,
      receivedMs: atMs,
      sendId,
      deviceId: null,
      channel: null,
      campaignId: null,
      messageId: null,
      journeyId: null,
      props: null,
      meta: null,
    }),
  );
  return { events, sends };
}

/** Reads of events that come short now and then, even empty, and say that there is more. */
function sourcesOf({ events, sends }: World, shortAfter: number): TimelineSources {
  return {
    events(beforeSeq = Number.POSITIVE_INFINITY, limit) {
      const newest = [...events].reverse().filter(({ seq }) => seq < beforeSeq);
      // Passing by what is not there, as a bounded read does: a seq somewhere below.
      if (shortAfter === 0 && newest.length > 0 && beforeSeq === Number.POSITIVE_INFINITY)
        return { found: [], nextBefore: (newest[0]?.seq ?? 0) + 1 };
      const found = newest.slice(0, Math.min(limit, Math.max(1, shortAfter)));
      const isMore = found.length < newest.length;
      return { found, nextBefore: isMore ? found.at(-1)?.seq : undefined };
    },
    send: (id) => sends.find(({ sendId, open }) => sendId === id && open.length === 0),
    open: sends.filter(({ open }) => open.length > 0),
    keptFromMs: 0,
    readMs,
  };
}

/**
 * Everything, by the definition: newest first, what is of events before what is of sends at one
 * instant.
 */
function naive({ events, sends }: World): StoryEntry[] {
  const all = [
    ...events.map((event) => ({
      entry: storyOfEvent(event, readMs),
      order: [event.receivedMs, 1, event.seq, ''] as const,
    })),
    ...sends.flatMap((send) =>
      callsOf(send).map((entry, i) => ({
        entry,
        order: [entry.atMs, 0, i, send.sendId] as const,
      })),
    ),
  ];
  all.sort(({ order: a }, { order: b }) => {
    if (a[0] !== b[0]) return b[0] - a[0];
    if (a[1] !== b[1]) return b[1] - a[1];
    if (a[3] !== b[3]) return a[3] < b[3] ? 1 : -1;
    return b[2] - a[2];
  });
  return all.map(({ entry }) => entry);
}

function readAll(sources: TimelineSources, limits: readonly number[]): StoryEntry[] {
  const found: StoryEntry[] = [];
  let place: TimelinePlace | undefined = { carried: [] };
  for (let page = 0; place !== undefined; page++) {
    if (page > 2_000) throw new Error('the pages never end');
    const limit = limits[page % limits.length] ?? 1;
    const { items, next } = timelinePage(place, limit, sources);
    if (items.length > limit) throw new Error('a page is longer than it may be');
    found.push(...items);
    place = next && placeOfTimeline(app, timelineCursor(app, next));
    if (next !== undefined && place === undefined) throw new Error('a cursor is not one');
  }
  return found;
}

const worlds = fc.tuple(
  fc.array(drawnSend, { maxLength: carriedMax }),
  fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 20 }),
);
const pageSizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 });

t.test('pages of any sizes are together what a naive merge gives', async (t) => {
  fc.assert(
    fc.property(worlds, pageSizes, fc.nat(9), ([sends, tracked], limits, shortAfter) => {
      const world = worldOf(sends, tracked);
      t.same(readAll(sourcesOf(world, shortAfter), limits), naive(world));
    }),
    { numRuns: tries(300) },
  );
});

t.test('what happens between two pages neither repeats nor hides what was there', async (t) => {
  fc.assert(
    fc.property(worlds, fc.integer({ min: 1, max: 7 }), ([sends, tracked], limit) => {
      const before = worldOf(sends, tracked);
      // Everything that was open has arrived since, and more was tracked.
      const later: PersonEvent[] = before.sends
        .filter(({ open }) => open.length > 0)
        .map(({ sendId }, i) => ({
          ...(before.events[0] ?? event(1)),
          id: `evt_later_${i}`,
          seq: before.events.length + 1 + i,
          receivedMs: 500 + i,
          name: 'delivered',
          sendId,
        }));
      const after: World = {
        events: [...before.events, ...later],
        sends: before.sends.map((send) => ({
          ...send,
          outcomes: send.outcomes.length > 0 ? send.outcomes : outcomesOf(send),
          open: [],
        })),
      };
      const first = timelinePage({ carried: [] }, limit, sourcesOf(before, 9));
      const found = [...first.items];
      let place = first.next;
      while (place !== undefined) {
        const { items, next } = timelinePage(place, limit, sourcesOf(after, 9));
        found.push(...items);
        place = next;
      }
      t.same(found, naive(before));
    }),
    { numRuns: tries(200) },
  );

  function event(atMs: number): PersonEvent {
    const [made] = worldOf([], [atMs]).events;
    if (made === undefined) throw new Error('it has one');
    return made;
  }

  function outcomesOf({ open }: SendDetails): SendOutcomeRow[] {
    return open.map(({ deviceId, channel, tries, attempts }) => ({
      deviceId,
      channel,
      tries,
      status: 'delivered',
      attempts,
      atMs: 500,
    }));
  }
});

t.test('nothing from before what is kept is told', async (t) => {
  const world = worldOf([{ atMs: 5, waits: [20, 20], isOpen: false }], []);
  const { items, next } = timelinePage({ carried: [] }, 50, {
    ...sourcesOf(world, 9),
    keptFromMs: 20,
  });
  t.same(
    items.map(({ atMs }) => atMs),
    [45, 25],
  );
  t.equal(next, undefined);
});

t.test("any other text is no cursor, nor is another app's", async (t) => {
  const cursor = timelineCursor(app, {
    beforeSeq: 7,
    shown: { atMs: 5, sendId: sendIdOf(1, 5), index: 2 },
    carried: [sendIdOf(1, 5)],
  });
  t.ok(placeOfTimeline(app, cursor));
  t.equal(placeOfTimeline(app + 1, cursor), undefined);
  const many = Array.from({ length: carriedMax + 1 }, (_, i) => sendIdOf(i, 5));
  t.equal(placeOfTimeline(app, timelineCursor(app, { carried: many })), undefined);
  t.ok(timelineCursor(app, { carried: many.slice(1) }).length < 1_024);
  fc.assert(fc.property(fc.string(), (text) => t.equal(placeOfTimeline(app, text), undefined)));
});
