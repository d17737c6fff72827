// Holds every answer about a segment against the oracle, in the turn that gives it: records,
// opt-outs and raw events of the log, never the product's columns. The question is repeated for
// instants at, before and after the edge of a window, which virtual time would hardly hit.

import {
  type Condition,
  eachCondition,
  type Filter,
  windowDaysOf,
} from '../../actors/audiences/segments/filter.ts';
import type {
  CountedTimes,
  FilterRef,
  SegmentsProtocol,
} from '../../actors/audiences/segments/protocol.ts';
import type { ChannelId } from '../../actors/channels/channel-ids.ts';
import { limits } from '../../actors/limits.ts';
import { identityKey } from '../../actors/people/audience/identity.ts';
import type { AudienceEntry } from '../../actors/people/audience/protocol.ts';
import { eventsOf } from '../../actors/runtime/facts.ts';
import type { Product } from '../../actors/runtime/machine.ts';
import { keptFromMs } from '../../actors/tenants/accounts/records.ts';
import type { Machine } from '../../engine/actor/machine.ts';
import type { Context, Decision, Entry, Message } from '../../engine/actor/message.ts';
import { dayMs, type Millis, type Ordinal, type PersonOrdinal } from '../../engine/base/brand.ts';
import { type SubscriberRow, subscribers } from '../../storage/tables/subscriber.ts';
import { suppressions } from '../../storage/tables/suppression.ts';
import { oracle, type RawPerson } from '../support/segment-oracle.ts';
import type { Findings } from './invariants.ts';

interface RawEvent {
  readonly name: string;
  readonly atMs: Millis;
  /** Its number in the app. */
  readonly seq: number;
}

/** One person with the record that says who they are. */
interface Known {
  readonly row: SubscriberRow;
  readonly person: RawPerson;
}

type Merged = Extract<AudienceEntry, { kind: 'subscriber.merged' }>;
type Preview = SegmentsProtocol['segment.preview']['reply'];
type Explained = SegmentsProtocol['segment.explain']['reply'];

/** Edges of windows that one question is asked again for. */
const edgesMax = 9;

// How far a read of counted events went, by what it read: the number of the app's newest event that
// was durable then.
const readThrough = new WeakMap<CountedTimes, number>();

/** Notes how far `times` go. */
export function noteRead(times: CountedTimes, newestEvent: number): CountedTimes {
  readThrough.set(times, newestEvent);
  return times;
}

/** The truth about segments in one partition. */
export class SegmentTruth {
  readonly #findings: Findings;
  readonly #onJudged: () => void;
  readonly #events = new Map<Ordinal, Map<PersonOrdinal, RawEvent[]>>();
  readonly #into = new Map<string, PersonOrdinal>();

  /** `onJudged` is called for every answer and instant that was compared. */
  constructor(findings: Findings, onJudged: () => void) {
    this.#findings = findings;
    this.#onJudged = onJudged;
  }

  /** Takes an entry that memory has, whether applied now or by a checkpoint. */
  take(entry: Entry): void {
    if (entry.kind === 'app.deleted') this.#events.delete(entry.owner);
    if (entry.kind === 'subscriber.merged') this.#merge(entry as Merged);
    for (const events of eventsOf(entry)) {
      let people = this.#events.get(entry.owner);
      if (people === undefined) this.#events.set(entry.owner, (people = new Map()));
      for (let row = 0; row < events.count; row++) {
        const person = this.#whole(entry.owner, events.person(row));
        const one = { name: events.name(row), atMs: events.atMs(row), seq: events.seq(row) };
        const list = people.get(person);
        if (list === undefined) people.set(person, [one]);
        else list.push(one);
      }
    }
  }

  /** What somebody did is what the one did who they turned out to be. */
  #merge({ owner, person, into }: Merged): void {
    this.#into.set(`${owner}|${person}`, into);
    const people = this.#events.get(owner);
    const moved = people?.get(person);
    if (people === undefined || moved === undefined) return;
    people.delete(person);
    const whole = this.#whole(owner, into);
    people.set(whole, [...(people.get(whole) ?? []), ...moved]);
  }

  #whole(owner: Ordinal, person: PersonOrdinal): PersonOrdinal {
    const into = this.#into.get(`${owner}|${person}`);
    return into === undefined ? person : this.#whole(owner, into);
  }

  /**
   * The machine with its answers judged. `product` is asked for saved filters and how many people
   * there ever were.
   */
  watch(machine: Machine, product: Product): Machine {
    return {
      ages: machine.ages,
      documentsOf: (owner, stored) => machine.documentsOf(owner, stored),
      decide: (message, context) => {
        const decision = machine.decide(message, context);
        if (decision.outcome === 'accepted') {
          if (message.kind === 'segment.preview' || message.kind === 'segment.explain')
            this.#judge(message, context, decision.reply, machine, product);
        }
        return decision;
      },
      apply: (entry) => {
        machine.apply(entry);
        this.take(entry);
      },
      rebase: (to) => machine.rebase(to),
      timerMessage: (timer, ref, dueMs) => machine.timerMessage(timer, ref, dueMs),
      due: (nowMs, wallMs) => machine.due?.(nowMs, wallMs) ?? [],
      nextDueMs: () => machine.nextDueMs?.(),
      pump: (context, budget) => machine.pump(context, budget),
      recover: (nowMs) => machine.recover(nowMs),
      parts: () => machine.parts(),
      restore: (parts) => machine.restore(parts),
    };
  }

  #judge(
    message: Message,
    context: Context,
    reply: unknown,
    machine: Machine,
    product: Product,
  ): void {
    const app = product.state.apps.get(context.owner);
    const { asked, times } = message as Message & {
      readonly asked: FilterRef;
      readonly times?: CountedTimes;
    };
    const saved = 'id' in asked ? asked.id : 'segmentId' in asked ? asked.segmentId : undefined;
    const filter =
      saved === undefined
        ? ((asked as { readonly filter: unknown }).filter as Filter | undefined)
        : app?.segments.get(saved)?.filter;
    if (app === undefined || filter === undefined) {
      this.#findings.add('segments_exact', `${message.kind} was answered without a filter`);
      return;
    }
    const { goneBeforeMs = 0 } = app.settings;
    const known = this.#people(context, app.people.next, times, goneBeforeMs);
    const keptFrom = (atMs: Millis) => keptFromMs(app.settings, machine.ages, atMs);
    this.#compare(message, filter, known, context.nowMs, reply, keptFrom);
    for (const atMs of edgesOf(filter, known, context.nowMs)) {
      const again: Decision = machine.decide(message, { ...context, nowMs: atMs });
      if (again.outcome === 'accepted')
        this.#compare(message, filter, known, atMs, again.reply, keptFrom);
      else this.#findings.add('segments_exact', `${message.kind} is refused at an edge`);
    }
  }

  #compare(
    message: Message,
    filter: Filter,
    known: readonly Known[],
    atMs: Millis,
    reply: unknown,
    keptFrom: (atMs: Millis) => Millis,
  ): void {
    this.#onJudged();
    const wrong = (what: string) =>
      this.#findings.add(
        'segments_exact',
        `${message.kind} ${JSON.stringify(filter)} at ${atMs}: ${what}`,
      );
    if (message.kind === 'segment.explain') {
      const { ref } = message as Message & { ref: { id?: string; externalUserId?: string } };
      const one = known.find(
        ({ row }) => row.id === ref.id || row.externalUserId === ref.externalUserId,
      );
      if (one === undefined) wrong('it explains somebody who is not there');
      else explained(filter, one.person, atMs, keptFrom(atMs), reply as Explained, wrong);
      return;
    }
    const { count, total, sample } = reply as Preview;
    const matching = known.filter(({ person }) => oracle(filter, person, atMs));
    if (count !== matching.length) wrong(`it counts ${count}, not ${matching.length}`);
    if (total !== known.length) wrong(`there are ${total} people, not ${known.length}`);
    const first = matching.slice(0, sample.length).map(({ row }) => row.id);
    if (sample.some(({ id }, index) => id !== first[index])) wrong('its sample are others');
  }

  /** Events before `goneBeforeMs` went with a shorter retention, and count nowhere any more. */
  #people(
    context: Context,
    next: PersonOrdinal,
    times: CountedTimes | undefined,
    goneBeforeMs: Millis,
  ): Known[] {
    const read = new Set(times?.map(([name]) => name));
    const through = times === undefined ? 0 : (readThrough.get(times) ?? 0);
    const known: Known[] = [];
    for (let person = 0; person < next; person++) {
      const row = context.documents.get(subscribers, [person]);
      if (row === undefined) continue;
      const events = this.#events.get(context.owner)?.get(person) ?? [];
      known.push({
        row,
        person: {
          createdMs: row.createdMs,
          tags: new Map(Object.entries(row.tags)),
          reach: reachOf(row, context),
          // What was read for this one question goes as far as the read did; all else to this turn.
          events: events.filter(
            ({ name, seq, atMs }) => atMs >= goneBeforeMs && (!read.has(name) || seq <= through),
          ),
          erased: false,
        },
      });
    }
    return known;
  }
}

function reachOf(row: SubscriberRow, { documents }: Context): Set<string> {
  const reach = new Set<string>();
  for (const { channel, endpoint, enabled } of row.devices) {
    if (!enabled) continue;
    const key =
      typeof endpoint === 'string' ? identityKey(channel as ChannelId, endpoint) : undefined;
    if (key === undefined || documents.get(suppressions, [key]) === undefined) reach.add(channel);
  }
  return reach;
}

/**
 * Instants from now on at which somebody enters or leaves one of the filter's windows, and those
 * beside them.
 */
function edgesOf(filter: Filter, known: readonly Known[], nowMs: Millis): Millis[] {
  const instants = new Set<Millis>();
  eachCondition(filter, (condition) => {
    const days = windowDaysOf(condition);
    if (days === undefined) return;
    for (const { person } of known) {
      for (const { atMs } of person.events) add(atMs + days * dayMs);
      if ('inactiveForDays' in condition) add(person.createdMs + days * dayMs);
    }
  });
  // The nearest and the farthest.
  const sorted = [...instants].sort((a, b) => a - b);
  return sorted.length <= edgesMax
    ? sorted
    : [...sorted.slice(0, edgesMax - 3), ...sorted.slice(-3)];

  function add(edgeMs: Millis): void {
    for (const atMs of [edgeMs - 1, edgeMs, edgeMs + 1]) if (atMs > nowMs) instants.add(atMs);
  }
}

function explained(
  filter: Filter,
  person: RawPerson,
  atMs: Millis,
  keptFromMs: Millis,
  { matches, conditions }: Explained,
  wrong: (what: string) => void,
): void {
  if (matches !== oracle(filter, person, atMs)) wrong(`it says ${matches} of one person`);
  const wanted: Condition[] = [];
  eachCondition(filter, (condition) => wanted.push(condition));
  if (conditions.length !== wanted.length) wrong(`it explains ${conditions.length} conditions`);
  for (const [index, condition] of wanted.entries()) {
    const said = conditions[index];
    if (said?.holds !== oracle(condition, person, atMs))
      wrong(`condition ${index} is ${said?.holds}`);
    if (!('event' in condition)) continue;
    const times = person.events.filter(({ name }) => name === condition.event);
    const newestMs = Math.max(...times.map((one) => one.atMs));
    const lastMs = times.length === 0 || newestMs < keptFromMs ? null : newestMs;
    // A count that was read goes less far than the newest instant, which is known at once.
    if (said?.count === undefined && said?.lastMs !== lastMs)
      wrong(`condition ${index} was last at ${said?.lastMs}, not ${lastMs}`);
    if (said?.count === undefined || !('withinDays' in condition)) continue;
    const cutMs = atMs - condition.withinDays * dayMs;
    const all = times.filter((one) => one.atMs > cutMs).length;
    const count = Math.min(all, limits.filterAtLeastMax); // no filter asks for more
    if (said.count !== count) wrong(`condition ${index} counts ${said.count}, not ${count}`);
  }
}
