// What a journey would have done in the last days: replays stored events through its current steps,
// draft or live; nothing is sent. Only events are historical: tags, channels, preferences and
// settings are today's, as the answer says. Runs in the pool, over history and the log after it.

import { dayMs, type PersonOrdinal } from '../../../engine/base/brand.ts';
import { StopFlag } from '../../../engine/thread/shared-word.ts';
import { type DocumentStore, Documents } from '../../../storage/documents.ts';
import { eachCondition, type Filter, longestWindowDays } from '../../audiences/segments/filter.ts';
import type { EventHistory } from '../../events/history/event-history.ts';
import { countsAsActivity } from '../../events/ingest/names.ts';
import { isByMachine } from '../../events/log/machine-mark.ts';
import type { BlockSource } from '../../events/read/read.ts';
import { noPerson, SeenPeople } from '../../events/read/seen-people.ts';
import { StoredWalk, WalkStopped } from '../../events/read/stored-walk.ts';
import { ForecastCounts } from './forecast-counts.ts';
import { ForecastPerson } from './forecast-person.ts';
import type { ForecastRead } from './pool-read.ts';
import { filtersOf, goalEventsOf, longestWindowOf } from './program.ts';
import type { ForecastFacts, ForecastReply } from './protocol.ts';
import { type PastEvent, replay } from './replay.ts';

/** Events held at once, sixteen bytes each. */
export const forecastEventsMax = 16_000_000;

/** `null` if stopped, or if there are too many events. Rethrows read errors of history: retry. */
export function readForecast(
  { app, facts, stop }: ForecastRead,
  store: BlockSource & DocumentStore,
  history: EventHistory,
  eventsMax = forecastEventsMax,
): ForecastReply | null {
  const walk = new StoredWalk(app, store, history, new StopFlag(stop), facts.goneBeforeMs);
  try {
    const events = eventsFor(facts, walk, eventsMax);
    return events === undefined ? null : forecast(facts, events, new Documents(store).bound(app));
  } catch (error) {
    if (error instanceof WalkStopped) return null;
    throw error;
  }
}

/** Columns of events, sorted by person and then by time. */
interface Gathered {
  readonly names: readonly string[];
  readonly order: Uint32Array;
  readonly person: Uint32Array;
  readonly atMs: Float64Array;
  readonly name: Uint16Array;
}

function eventsFor(
  facts: ForecastFacts,
  walk: StoredWalk,
  eventsMax: number,
): Gathered | undefined {
  const { nowMs, days } = facts;
  const people = new SeenPeople(facts);
  const asked = filtersAsked(facts);
  const wanted = namesWanted(facts, asked);
  const pastDays = Math.max(longestWindowOf(facts.program), ...asked.map(longestWindowDays), 0);
  const fromMs = nowMs - (days + pastDays) * dayMs;
  const names: string[] = [];
  const codes = new Map<string, number>();
  let [count, room] = [0, Math.min(4096, eventsMax)];
  let person = new Uint32Array(room);
  let atMs = new Float64Array(room);
  let name = new Uint16Array(room);
  let isTooMuch = false;
  const options = wanted.isAnything ? { fromMs } : { fromMs, names: [...wanted.names] };
  walk.all(options, (events, from, to) => {
    for (let row = from; row < to && !isTooMuch; row++) {
      const what = events.name(row);
      if (!wanted.names.has(what) && !(wanted.isAnything && countsAsActivity(what))) continue;
      if (isByMachine(what, events, row)) continue;
      const whose = people.of(events.person(row));
      const whenMs = events.atMs(row);
      if (whose === noPerson || whenMs <= fromMs || whenMs > nowMs) continue;
      if (count === room) {
        if (room >= eventsMax) {
          isTooMuch = true;
          return;
        }
        room = Math.min(room * 2, eventsMax);
        [person, atMs, name] = [larger(person, room), larger(atMs, room), larger(name, room)];
      }
      let code = codes.get(what);
      if (code === undefined) {
        code = names.push(what) - 1;
        codes.set(what, code);
      }
      person[count] = whose;
      atMs[count] = whenMs;
      name[count++] = code;
    }
  });
  if (isTooMuch) return undefined;
  const order = Uint32Array.from({ length: count }, (_, i) => i).sort(
    (a, b) =>
      (person[a] as number) - (person[b] as number) ||
      (atMs[a] as number) - (atMs[b] as number) ||
      a - b,
  );
  return { names, order, person, atMs, name };
}

function forecast(
  facts: ForecastFacts,
  { names, order, person, atMs, name }: Gathered,
  documents: ReturnType<Documents['bound']>,
): ForecastReply {
  const { nowMs, days, program, reentry, triggerEvent, entry } = facts;
  const of = {
    program,
    reentry,
    ...(triggerEvent === undefined ? {} : { triggerEvent }),
    ...(entry === undefined ? {} : { entry }),
    fromMs: nowMs - days * dayMs,
    untilMs: nowMs,
  };
  const trigger = triggerEvent === undefined ? -1 : names.indexOf(triggerEvent);
  const filters = filtersAsked(facts);
  let [enrolled, completed, converted] = [0, 0, 0];
  const counts = new ForecastCounts(program, of.fromMs, nowMs);
  for (let from = 0; from < order.length; ) {
    const whose = person[order[from] as number] as PersonOrdinal;
    const theirs: PastEvent[] = [];
    let mayEnroll = entry !== undefined;
    for (; from < order.length && person[order[from] as number] === whose; from++) {
      const row = order[from] as number;
      const code = name[row] as number;
      const whenMs = atMs[row] as number;
      if (code === trigger && whenMs > of.fromMs) mayEnroll = true;
      theirs.push({ name: names[code] as string, atMs: whenMs });
    }
    const walker = mayEnroll ? ForecastPerson.read(whose, facts, filters, documents) : undefined;
    if (walker === undefined) continue;
    const replayed = replay(of, walker, theirs);
    enrolled += replayed.enrolled;
    completed += replayed.completed;
    converted += replayed.converted;
    for (const one of replayed.steps) counts.add(one);
  }
  return {
    days,
    enrolled,
    completed,
    converted,
    exited: 0,
    inFlow: enrolled - completed - converted,
    ...counts.told(),
    note: noteOn(facts),
  };
}

function filtersAsked({ program, entry }: ForecastFacts): readonly Filter[] {
  return entry === undefined ? filtersOf(program) : [...filtersOf(program), entry];
}

/** Names of events that may matter, and whether any activity may. */
function namesWanted(
  { program, triggerEvent }: ForecastFacts,
  filters: readonly Filter[],
): { readonly names: ReadonlySet<string>; readonly isAnything: boolean } {
  const names = new Set(goalEventsOf(program));
  if (triggerEvent !== undefined) names.add(triggerEvent);
  let isAnything = false;
  for (const filter of filters)
    eachCondition(filter, (condition) => {
      if ('event' in condition) names.add(condition.event);
      else if ('activeWithinDays' in condition || 'inactiveForDays' in condition) isAnything = true;
    });
  return { names, isAnything };
}

function noteOn({ entry }: ForecastFacts): string {
  const words = [
    'Events are historical. Tags, channels, preferences, quiet hours and frequency caps are current, and caps count only the sends of this forecast.',
  ];
  if (entry !== undefined)
    words.push(
      'Only entries into the segment caused by an event are included; entries caused only by a tag, a device or the passing of time are not.',
    );
  return words.join(' ');
}

function larger<Column extends Uint32Array | Float64Array | Uint16Array>(
  column: Column,
  room: number,
): Column {
  const made = new (column.constructor as new (length: number) => Column)(room);
  made.set(column);
  return made;
}
