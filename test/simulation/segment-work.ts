// What workers do with segments: they save filters, change and delete them, and ask about them.
// Whether an answer is right is judged where it is given (`segment-truth.ts`); here it is
// remembered what was saved, and that it stays so.

import type { Filter } from '../../actors/audiences/segments/filter.ts';
import { longestWindowDays } from '../../actors/audiences/segments/filter.ts';
import type { FilterRef } from '../../actors/audiences/segments/protocol.ts';
import { pick, type Rng } from '../../engine/base/rng.ts';
import { coin, whole } from './chance.ts';
import { type Client, persist } from './client.ts';
import {
  channelsUsed,
  isConflict,
  isFault,
  nextName,
  somebody,
  unexpected,
  type Worker,
} from './worker.ts';

/** Names of events that every worker tracks, so that people do the same thing more than once. */
export const sharedNames = ['order', 'page', 'session'] as const;
/** No app keeps events for fewer days, so no filter with a shorter window is ever refused. */
const retentionLeast = 7;

/** Previews a filter or counts a saved one. */
export function* countSegment(worker: Worker): Client {
  const { app, rng } = worker;
  const asked = drawAsked(worker);
  const { reply } = yield* persist(
    app.ordinal,
    'segment.preview',
    { asked, sample: whole(rng, 0, 3) },
    { by: app.org },
  );
  if (!app.leaving && !reply.ok && !isExplained(asked, reply))
    unexpected(worker, 'segment.preview', reply);
}

/** Asks why one person is in, or is not. */
export function* explainSegment(worker: Worker): Client {
  const { app } = worker;
  const person = somebody(worker);
  const asked = drawAsked(worker);
  const ref = { externalUserId: person.externalUserId };
  const { reply } = yield* persist(app.ordinal, 'segment.explain', { asked, ref }, { by: app.org });
  if (app.leaving || reply.ok || isExplained(asked, reply)) return;
  if (person.exists || !isFault(reply, 'not_found')) unexpected(worker, 'segment.explain', reply);
}

/** Saves a filter, or changes or deletes one of the worker's own. */
export function* changeSegment(worker: Worker): Client {
  const { app, rng, segments } = worker;
  const by = { by: app.org };
  const id = pick(rng, [...segments.keys(), '']);
  const { campaigns, journeys } = worker.model.faults;
  const filter = campaigns || journeys ? drawPlainFilter(rng) : drawFilter(rng);
  noteWindow(worker, filter);
  if (id === '') {
    const name = nextName(worker);
    const { reply, lost } = yield* persist(app.ordinal, 'segment.create', { name, filter }, by);
    if (app.leaving) return;
    if (!reply.ok) {
      if (!isTooLong(filter, reply)) unexpected(worker, 'segment.create', reply);
      if (lost === 0) return;
    }
    if (reply.ok) segments.set(reply.value.id, JSON.stringify(filter));
    if (lost === 0) return;
    // Each answer that was lost may have saved one, too.
    const { reply: list } = yield* persist(app.ordinal, 'segment.list', {}, by);
    if (app.leaving) return;
    if (!list.ok) return unexpected(worker, 'segment.list', list);
    const mine = list.value.filter((one) => one.name === name);
    if (mine.length > lost + 1) unexpected(worker, `${mine.length} segments ${name}`, list);
    for (const one of mine) segments.set(one.id, JSON.stringify(filter));
    return;
  }
  if (coin(rng, 0.3)) {
    const { reply, lost } = yield* persist(app.ordinal, 'segment.delete', { id }, by);
    if (app.leaving) return;
    // One of them may use it, or another worker's.
    if ((worker.model.faults.journeys || worker.campaigns.length > 0) && isConflict(reply)) return;
    if (!reply.ok && !(lost > 0 && isFault(reply, 'not_found')))
      return unexpected(worker, 'segment.delete', reply);
    segments.delete(id);
    return;
  }
  const { reply, lost } = yield* persist(app.ordinal, 'segment.update', { id, filter }, by);
  if (app.leaving) return;
  if (reply.ok) {
    segments.set(id, JSON.stringify(filter));
    return;
  }
  if (!isTooLong(filter, reply)) return unexpected(worker, 'segment.update', reply);
  if (lost === 0) return;
  // An earlier try may have been taken, and the app have shortened its retention since.
  const { reply: read } = yield* persist(app.ordinal, 'segment.read', { id }, by);
  if (app.leaving) return;
  if (read.ok) segments.set(id, JSON.stringify(read.value.filter));
  else unexpected(worker, 'segment.read', read);
}

/** At the end: the app has exactly the segments that its workers saved, as they saved them. */
export function* checkSegments(worker: Worker, everybody: readonly Worker[]): Client {
  const { app, findings } = worker;
  const { reply } = yield* persist(app.ordinal, 'segment.list', {}, { by: app.org });
  if (!reply.ok) return unexpected(worker, 'segment.list', reply);
  const wanted = new Map(
    everybody.filter((one) => one.app === app).flatMap(({ segments }) => [...segments]),
  );
  const found = new Map(reply.value.map(({ id, filter }) => [id, JSON.stringify(filter)]));
  for (const [id, filter] of wanted)
    findings.expect(
      found.get(id) === filter,
      'acknowledged_kept',
      () => `segment ${id} is ${found.get(id)}, saved ${filter}`,
    );
  findings.expect(
    found.size === wanted.size,
    'acknowledged_kept',
    () => `app ${app.ordinal} has ${found.size} segments, ${wanted.size} were saved`,
  );
  for (let n = 0; n < 20; n++) yield* countSegment(worker);
}

/**
 * Remembers how far back filters of the app have looked: its retention may be refused for any of
 * them.
 */
export function noteWindow({ app }: Worker, filter: Filter): void {
  app.longestWindowDays = Math.max(app.longestWindowDays, longestWindowDays(filter));
}

function drawAsked(worker: Worker): FilterRef {
  const { rng, segments } = worker;
  const ids = [...segments.keys()];
  return ids.length > 0 && coin(rng, 0.5) ? { id: pick(rng, ids) } : { filter: drawFilter(rng) };
}

/** A refusal that the worker can have caused: a window beyond the app's retention. */
function isExplained(asked: FilterRef, reply: Parameters<typeof isFault>[0]): boolean {
  return 'filter' in asked && isTooLong(asked.filter as Filter, reply);
}

export function isTooLong(filter: Filter, reply: Parameters<typeof isFault>[0]): boolean {
  return isFault(reply, 'invalid') && longestWindowDays(filter) > retentionLeast;
}

/**
 * A filter that counts nothing: a campaign or a journey waits for columns that count, and the pool
 * that fills them is not here.
 */
export function drawPlainFilter(rng: Rng): Filter {
  for (;;) {
    const filter = drawFilter(rng);
    if (!JSON.stringify(filter).includes('atLeast')) return filter;
  }
}

/** A random filter over what the simulator's people have and do. */
export function drawFilter(rng: Rng, level = 1): Filter {
  if (level <= 3 && coin(rng, level === 1 ? 0.7 : 0.3)) {
    const members = Array.from({ length: whole(rng, 1, 3) }, () => drawFilter(rng, level + 1));
    return coin(rng, 0.5) ? { all: members } : { any: members };
  }
  const days = pick(rng, [1, 1, 2, 2, 7, 30]);
  const event = pick(rng, [...sharedNames, 'delivered', 'suppressed']);
  const tag = pick(rng, ['plan', 'city', 'age']);
  const value = coin(rng, 0.5) ? 'Riga' : whole(rng, 0, 99);
  switch (whole(rng, 0, 9)) {
    case 0:
      return { tag, eq: value };
    case 1:
      return { tag, ne: value };
    case 2:
      return { tag, exists: coin(rng, 0.5) };
    case 3:
      return { tag, in: [value, 'Riga', 7] };
    case 4:
      return { event, withinDays: days };
    case 5:
      return { event, withinDays: days, atLeast: whole(rng, 2, 4) };
    case 6:
      return { event, notWithinDays: days };
    case 7:
      return { activeWithinDays: days };
    case 8:
      return { inactiveForDays: days };
    default:
      return { channel: pick(rng, channelsUsed), exists: coin(rng, 0.7) };
  }
}
