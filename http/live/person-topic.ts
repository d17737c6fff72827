// A person's story as a topic. Its page is read by the pool, which is dear, so each look first asks
// the app's actor for what only memory knows; the page is read again when that differs, when there
// is a new event of the person, or when the time of something next has come.

import type { EventsProtocol } from '../../actors/events/protocol.ts';
import { toldOf } from '../../actors/insight/timeline/names.ts';
import type {
  NamedId,
  StoryEntry,
  TimelineProtocol,
} from '../../actors/insight/timeline/protocol.ts';
import { limits } from '../../actors/limits.ts';
import type { Millis, Ordinal } from '../../engine/base/brand.ts';
import type { Actor, Call } from '../call/call.ts';
import { timelineView } from '../routes/timeline/read-timeline.ts';
import type { Reading } from './feed.ts';

type Located = TimelineProtocol['timeline.locate']['reply'];

interface PersonTopic {
  readonly text: string;
  readonly id: string;
}

export function followedPerson(call: Call, app: Ordinal, { text, id }: PersonTopic) {
  const actor = call.to<TimelineProtocol>(app);
  const ref = { id };
  const events = new NewEvents(call.to<EventsProtocol>(app), id);
  let mark = '';
  let ids: readonly string[] = [];
  let dueMs = 0;
  return {
    check: () => actor.ask('timeline.locate', { ref, withNow: false }),
    read: async (): Promise<Reading> => {
      const [located, names] = await Promise.all([
        actor.ask('timeline.locate', { ref, withNow: true }),
        ids.length === 0 ? [] : actor.ask('timeline.names', { ids }),
      ]);
      const isNew = await events.areThere(located.newestEvent);
      if (!isNew && located.readMs < dueMs && mark === markOf(located, names)) return undefined;
      mark = ''; // should this fail, the next look reads again
      const page = await actor.ask('timeline.read', { ref, limit: limits.pageDefault });
      const entries = [...page.items, ...page.now];
      ids = toldOf(entries);
      dueMs = nextMs(entries, located.readMs);
      mark = markOf(located, namesIn(entries));
      const json = JSON.stringify({ topic: text, ...timelineView(page) });
      return { kind: 'state', json, key: mark + JSON.stringify(page.items) };
    },
  };
}

/** All of it that a page depends on, without times that move by themselves. */
function markOf(located: Located, names: readonly NamedId[]): string {
  const { now, person, aliases, open, readMs } = located;
  const states = now.map(({ atMs, ...entry }) => (atMs === readMs ? entry : { atMs, ...entry }));
  return JSON.stringify([person, aliases, open, states, names]);
}

function namesIn(entries: readonly StoryEntry[]): readonly NamedId[] {
  const named = new Map<string, string>();
  for (const { campaignId, campaignName, journeyId, journeyName } of entries) {
    if (campaignId !== undefined && campaignName !== undefined) named.set(campaignId, campaignName);
    if (journeyId !== undefined && journeyName !== undefined) named.set(journeyId, journeyName);
  }
  return toldOf(entries).flatMap((id): readonly NamedId[] => {
    const name = named.get(id);
    return name === undefined ? [] : [[id, name]];
  });
}

/** When the first of what is next stops being next. */
function nextMs(entries: readonly StoryEntry[], readMs: Millis): Millis {
  const next = entries.map(({ next }) => next?.atMs ?? 0).filter((atMs) => atMs > readMs);
  return Math.min(...next, Number.POSITIVE_INFINITY);
}

/** Whether a person has new events. Events of others cost a look at the newest part of the log. */
class NewEvents {
  readonly #actor: Actor<EventsProtocol>;
  readonly #subscriberId: string;
  #seen = -1;
  /** All up to this one were looked at. */
  #looked: number | undefined;

  constructor(actor: Actor<EventsProtocol>, subscriberId: string) {
    this.#actor = actor;
    this.#subscriberId = subscriberId;
  }

  /** Looks twice at each: an event is counted a moment before the pool can read it. */
  async areThere(newest: number): Promise<boolean> {
    if (newest === this.#seen && newest === this.#looked) return false;
    const before = this.#seen;
    const afterSeq = this.#looked;
    if (afterSeq === undefined) {
      this.#looked = before < 0 ? undefined : before;
      this.#seen = newest;
      return true;
    }
    const query = { subscriberId: this.#subscriberId, afterSeq, limit: 1 };
    const { items, nextCursor } = await this.#actor.ask('events.list', { query });
    this.#seen = newest;
    this.#looked = Math.max(before, afterSeq, items[0]?.seq ?? 0);
    return items.length > 0 || nextCursor !== null;
  }
}
