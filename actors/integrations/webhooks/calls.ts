// Makes granted deliveries in a dispatch thread: so many calls at once per destination, in the
// order of the line, round-robin where the thread's own bound is reached. A destination that hangs
// soon holds four slots of the thread, and an org no more of them than are free. Nothing here is
// durable: what has no report is due again.

import type { Message } from '../../../engine/actor/message.ts';
import { slotCount, slotOf } from '../../../engine/actor/placement.ts';
import { assert } from '../../../engine/base/assert.ts';
import type { Millis, Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import { type Durations, noDurations, noteDuration } from '../../../engine/observe/durations.ts';
import { callBoundsMs } from '../../sending/dispatch/channel-figures.ts';
import type { MayCall } from '../../sending/dispatch/may-call.ts';
import type { WebhookAttempt, WebhookReceiver, WebhookResult } from './call/attempt.ts';
import { deliveryId } from './delivery-id.ts';
import { personOf, type StoredEvent } from './event-chunk.ts';
import type { WebhookGrant, WebhookRecall, WebhookReport } from './protocol.ts';
import { RecentChunks } from './recent-chunks.ts';

/** Calls at once in a thread, over all destinations. */
const callsMax = 2_048;
/** Destinations looked at for a place that became free. */
const starvedLooks = 64;
/** Calls at once to a destination that has not answered yet. */
const allowedFirst = 16;
/** And to one that does not answer at all. */
const allowedLeast = 4;

interface Waiting {
  readonly grant: WebhookGrant;
  readonly receiver: WebhookReceiver;
  readonly event: StoredEvent;
  readonly place: number;
}

/** One destination's. */
interface Slots {
  readonly shard: number;
  readonly partition: number;
  readonly app: Ordinal;
  readonly destination: number;
  /** Of its newest grant; the same object for as long as nothing in it changes. */
  receiver: WebhookReceiver;
  concurrency: number;
  /** Calls at once for now: twice as many after an answer, half as many after a timeout. */
  allowed: number;
  waiting: Waiting[];
  inFlight: number;
  reports: WebhookReport[];
  isReportDue: boolean;
}

interface WebhookReported extends Message {
  readonly kind: 'webhook.report';
  readonly by: number;
  readonly destination: number;
  readonly reports: readonly WebhookReport[];
}

/** Of all attempts since the start. */
export interface WebhookCallFigures {
  readonly times: Durations;
  /** By `WebhookError`, or `delivered`. */
  readonly outcomes: ReadonlyMap<string, number>;
}

export interface WebhookCallsOptions {
  /** Never rejects. */
  readonly deliver: (attempt: WebhookAttempt) => Promise<WebhookResult>;
  /** The bytes that a destination of this type gets. */
  readonly bodyOf: (type: WebhookGrant['type'], event: StoredEvent, id: string) => Buffer;
  /** Whether what was granted from this address may begin; absent: always. */
  readonly mayCall?: MayCall | undefined;
  readonly onBug: (error: unknown) => void;
  readonly now: () => Millis;
  readonly defer: (task: () => void) => void;
  readonly report: (
    shard: number,
    partition: number,
    app: Ordinal,
    report: WebhookReported,
  ) => void;
}

const failedByUs: WebhookResult = {
  status: undefined,
  error: 'internal',
  durationMs: 0,
  answer: '',
};

export class WebhookCalls {
  readonly #options: WebhookCallsOptions;
  readonly #slots = new Map<string, Slots>();
  readonly #chunks = new RecentChunks();
  /** Calls in flight by slot, which is an org with its apps. */
  readonly #callsOf = new Uint16Array(slotCount);
  /** Destinations that have room of their own, while the thread or their org has none. */
  readonly #starved = new Set<Slots>();
  readonly #figures = { times: noDurations(callBoundsMs), outcomes: new Map<string, number>() };
  #calls = 0;
  #isStopping = false;
  #idle: (() => void) | undefined;

  constructor(options: WebhookCallsOptions) {
    this.#options = options;
  }

  /** Calls in flight. */
  get inFlight(): number {
    return this.#calls;
  }

  get figures(): WebhookCallFigures {
    return this.#figures;
  }

  grant(shard: number, grant: WebhookGrant): void {
    const slots = this.#of(shard, grant);
    slots.concurrency = grant.concurrency;
    if (!isSameReceiver(slots.receiver, grant)) slots.receiver = receiverOf(grant);
    const { receiver } = slots;
    const events = this.#chunks.eventsOf(grant.app, grant, grant.events);
    for (const place of grant.places) {
      const event = events[place];
      assert(event !== undefined, 'a granted delivery has an event');
      slots.waiting.push({ grant, receiver, event, place });
    }
    if (this.#isStopping) this.#handBack(slots, () => true);
    else this.#start(slots);
  }

  /** Returns what has not begun: of a destination that is gone. */
  recall({ app, destination }: WebhookRecall): void {
    const slots = this.#slots.get(`${app}|${destination}`);
    if (slots !== undefined) this.#handBack(slots, () => true);
  }

  /** Drops what was granted from this address and has not begun: another server owns it now. */
  disown(partition: number): void {
    for (const slots of this.#slots.values())
      if (slots.partition === partition) this.#disown(slots);
  }

  #disown(slots: Slots): void {
    slots.waiting = [];
    this.#starved.delete(slots);
    this.#slots.delete(`${slots.app}|${slots.destination}`);
  }

  /** The same of people who are erased, or of all. */
  recallPeople(app: Ordinal, people: readonly PersonOrdinal[] | undefined): void {
    const named = people && new Set(people);
    for (const slots of this.#slots.values()) {
      if (slots.app !== app) continue;
      this.#handBack(slots, ({ event }) => named?.has(personOf(event) ?? -1) ?? true);
    }
  }

  /** Returns what has not begun, and resolves when no call is in flight. */
  stop(): Promise<void> {
    this.#isStopping = true;
    for (const slots of this.#slots.values()) this.#handBack(slots, () => true);
    return new Promise((resolve) => {
      // after the last reports, which are deferred too
      this.#idle = () => this.#options.defer(resolve);
      if (this.#calls === 0) this.#idle();
    });
  }

  #of(shard: number, grant: WebhookGrant): Slots {
    const { app, destination, partition, concurrency } = grant;
    const key = `${app}|${destination}`;
    let slots = this.#slots.get(key);
    if (slots !== undefined && slots.partition !== partition) {
      this.#disown(slots);
      slots = undefined;
    }
    if (slots === undefined) {
      const none = { waiting: [], inFlight: 0, reports: [], isReportDue: false };
      const [receiver, allowed] = [receiverOf(grant), allowedFirst];
      slots = { shard, partition, app, destination, receiver, concurrency, allowed, ...none };
      this.#slots.set(key, slots);
    }
    return slots;
  }

  /** Returns how many calls have begun. */
  #start(slots: Slots): number {
    if (this.#options.mayCall?.(slots.shard, slots.partition) === false) {
      this.#handBack(slots, () => true);
      return 0;
    }
    let begun = 0;
    const atOnce = Math.min(slots.concurrency, slots.allowed);
    while (slots.inFlight < atOnce && begun < slots.waiting.length) {
      if ((this.#callsOf[slotOf(slots.app)] as number) >= callsMax - this.#calls) {
        this.#starved.add(slots);
        break;
      }
      this.#call(slots, slots.waiting[begun++] as Waiting);
    }
    if (begun > 0) slots.waiting.splice(0, begun);
    return begun;
  }

  #call(slots: Slots, one: Waiting): void {
    const { grant, receiver, event, place } = one;
    const { app, destination, atMs, chunk, type, isReplayed } = grant;
    const id = deliveryId(app, { atMs, chunk, destination, place });
    this.#count(slots, 1);
    let answering: Promise<WebhookResult>;
    try {
      answering = this.#options.deliver({
        deliveryId: id,
        type,
        event: event.kind,
        receiver,
        body: this.#options.bodyOf(type, event, id),
        isReplayed,
        atMs: this.#options.now(),
      });
    } catch (error) {
      answering = Promise.reject(error);
    }
    void answering.then(
      (result) => this.#ended(slots, one, result),
      (error: unknown) => {
        // One delivery must not end the thread, and end it again at each start.
        this.#options.onBug(error);
        this.#ended(slots, one, failedByUs);
      },
    );
  }

  #ended(slots: Slots, { grant, place }: Waiting, result: WebhookResult): void {
    this.#count(slots, -1);
    const { times, outcomes } = this.#figures;
    const outcome = result.error ?? 'delivered';
    noteDuration(times, result.durationMs);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    this.#report(slots, { atMs: grant.atMs, chunk: grant.chunk, place, result });
    slots.allowed =
      result.error === 'timeout'
        ? Math.max(allowedLeast, slots.allowed / 2)
        : Math.min(2 * slots.allowed, callsMax);
    const hasEnded = result.error === undefined || result.status === 410 || result.isFinal === true;
    // In strict order nothing passes a delivery that is tried again.
    if (slots.concurrency === 1 && !hasEnded) this.#handBack(slots, () => true);
    this.#next(slots);
  }

  #next(slots: Slots): void {
    if (this.#isStopping) {
      if (this.#calls === 0) this.#idle?.();
      return;
    }
    let looks = 0;
    for (const starved of this.#starved) {
      this.#starved.delete(starved);
      if (this.#start(starved) > 0 || ++looks === starvedLooks) break;
    }
    this.#start(slots);
    if (slots.inFlight + slots.waiting.length === 0 && !slots.isReportDue) this.#forget(slots);
  }

  #count(slots: Slots, change: 1 | -1): void {
    const slot = slotOf(slots.app);
    slots.inFlight += change;
    this.#calls += change;
    this.#callsOf[slot] = (this.#callsOf[slot] as number) + change;
  }

  #handBack(slots: Slots, isNamed: (one: Waiting) => boolean): void {
    const kept: Waiting[] = [];
    for (const one of slots.waiting) {
      if (!isNamed(one)) kept.push(one);
      else {
        const { atMs, chunk } = one.grant;
        this.#report(slots, { atMs, chunk, place: one.place, result: undefined });
      }
    }
    slots.waiting = kept;
  }

  #report(slots: Slots, report: WebhookReport): void {
    slots.reports.push(report);
    if (slots.isReportDue) return;
    slots.isReportDue = true;
    this.#options.defer(() => {
      const { shard, partition, app, destination, reports } = slots;
      slots.isReportDue = false;
      slots.reports = [];
      this.#options.report(shard, partition, app, {
        kind: 'webhook.report',
        by: -1,
        destination,
        reports,
      });
      if (slots.inFlight + slots.waiting.length === 0) this.#forget(slots);
    });
  }

  /** One that times out stays known: it would begin with many calls again. */
  #forget(slots: Slots): void {
    const key = `${slots.app}|${slots.destination}`;
    if (slots.allowed >= allowedFirst && this.#slots.get(key) === slots) this.#slots.delete(key);
  }
}

function receiverOf({ url, headers, secrets }: WebhookGrant): WebhookReceiver {
  return { url, headers, secrets };
}

function isSameReceiver(one: WebhookReceiver, other: WebhookReceiver): boolean {
  const { headers } = other;
  const names = Object.keys(headers);
  return (
    one.url === other.url &&
    one.secrets.length === other.secrets.length &&
    one.secrets.every((secret, i) => secret === other.secrets[i]) &&
    Object.keys(one.headers).length === names.length &&
    names.every((name) => one.headers[name] === headers[name])
  );
}
