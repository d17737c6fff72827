// Reports failed and retried sends in log and metrics: by an effect, so that only durable results
// count, and those of tests do not. Retries get one line a minute per app and channel, so that a
// provider's outage cannot fill the log.

import type { Effect, Message } from '../../engine/actor/message.ts';
import type { Ordinal } from '../../engine/base/brand.ts';
import type { Log } from '../../engine/observe/log.ts';
import type { ChannelId } from '../channels/channel-ids.ts';
import type { EntryFacts } from '../events/log/entry-facts.ts';
import { WaveFacts } from '../programs/campaigns/facts.ts';
import { SettledFacts } from '../sending/outbox/facts.ts';
import { type SendSource, sourceOf } from '../sending/outbox/job.ts';

/** Sends of an app that exhausted their retries in one turn, per channel and reason. */
interface Exhausted {
  readonly app: Ordinal;
  readonly channel: ChannelId;
  readonly lane: SendSource;
  readonly reason: string;
  readonly count: number;
}

/** To the partition's host. */
export interface SendsExhausted extends Message {
  readonly kind: 'sends.given_up';
  readonly sends: readonly Exhausted[];
  readonly retried: readonly Retried[];
}

/** Tries of one turn that will be repeated, per app and channel. */
interface Retried {
  readonly app: Ordinal;
  readonly channel: ChannelId;
  readonly count: number;
  /** The provider's answer to the last of them. */
  readonly said?: string;
}

/** Mostly `undefined`: nothing failed and nothing is retried. */
export function exhaustedEffect(app: Ordinal, facts: readonly EntryFacts[]): Effect | undefined {
  if (!facts.some((one) => one instanceof SettledFacts || one instanceof WaveFacts)) return;
  const counts = new Map<string, Exhausted>();
  const retried: Retried[] = [];
  for (const one of facts) {
    if (one instanceof SettledFacts) {
      ofSends(app, one, counts);
      retried.push(...retriedIn(app, one));
    } else if (one instanceof WaveFacts) ofWave(app, one, counts);
  }
  if (counts.size === 0 && retried.length === 0) return undefined;
  const message: SendsExhausted = { kind: 'sends.given_up', sends: [...counts.values()], retried };
  return { port: 'host', message };
}

function ofSends(
  app: Ordinal,
  { entry: { channel }, ended }: SettledFacts,
  counts: Map<string, Exhausted>,
): void {
  for (const { settlement, origin } of ended) {
    const { status, reason = 'unknown', test } = settlement.receipt;
    if (status === 'failed' && test !== true)
      add(counts, { app, channel, lane: sourceOf(origin), reason });
  }
}

function retriedIn(app: Ordinal, { entry: { channel, items } }: SettledFacts): Retried[] {
  let count = 0;
  let said: string | undefined;
  for (const { settlement } of items) {
    if (settlement.next !== 'waiting' || settlement.unstarted) continue;
    count++;
    said = settlement.refusal ?? said;
  }
  if (count === 0) return [];
  return [{ app, channel, count, ...(said === undefined ? {} : { said }) }];
}

function ofWave(app: Ordinal, facts: WaveFacts, counts: Map<string, Exhausted>): void {
  const { kinds, codes } = facts.entry;
  const channel = facts.channel();
  if (channel === undefined || kinds.every(({ status }) => status !== 'failed')) return;
  const { count } = facts.rows();
  for (let row = 0; row < count; row++) {
    const kind = kinds[codes?.[row] ?? 0];
    if (kind?.status !== 'failed') continue;
    add(counts, { app, channel, lane: 'campaign', reason: kind.reason ?? 'unknown' });
  }
}

function add(counts: Map<string, Exhausted>, one: Omit<Exhausted, 'count'>): void {
  const key = `${one.channel}|${one.lane}|${one.reason}|${one.app}`;
  counts.set(key, { ...one, count: (counts.get(key)?.count ?? 0) + 1 });
}

/** Since the start. */
export type ExhaustedFigures = readonly (readonly [
  channel: ChannelId,
  lane: SendSource,
  count: number,
])[];

/** Lines per flush; the last one counts the rest. */
const linesMax = 20;
/** Flushes, one per second, between lines about retries. */
const retriedFlushes = 60;

/** Counts for a shard's metrics, and logs sums at each flush. */
export class ExhaustedCounter {
  readonly #log: Pick<Log, 'warn' | 'info'>;
  readonly #counts = new Map<string, [ChannelId, SendSource, number]>();
  readonly #unsaid = new Map<string, Exhausted>();
  readonly #retried = new Map<string, Retried>();
  #flushes = 0;

  constructor(log: Pick<Log, 'warn' | 'info'>) {
    this.#log = log;
  }

  get figures(): ExhaustedFigures {
    return [...this.#counts.values()];
  }

  add({ sends, retried }: SendsExhausted): void {
    for (const one of retried) {
      const place = `${one.channel}|${one.app}`;
      const key = this.#retried.size < linesMax ? place : lastOf(this.#retried);
      const count = (this.#retried.get(key)?.count ?? 0) + one.count;
      this.#retried.set(key, { ...(this.#retried.get(key) ?? one), ...one, count });
    }
    for (const one of sends) {
      const { app, channel, lane, reason, count } = one;
      const place = `${channel}|${lane}`;
      const before = this.#counts.get(place)?.[2] ?? 0;
      this.#counts.set(place, [channel, lane, before + count]);
      const key =
        this.#unsaid.size < linesMax ? `${channel}|${lane}|${reason}|${app}` : lastOf(this.#unsaid);
      const known = this.#unsaid.get(key) ?? { ...one, count: 0 };
      this.#unsaid.set(key, { ...known, count: known.count + count });
    }
  }

  /** One line per app, channel and reason since the last flush. */
  flush(): void {
    for (const { app, channel, reason, count } of this.#unsaid.values())
      this.#log.warn(
        { evt: 'send.given_up', app, channel, reason, count },
        'sends failed after their last retry; they are dead letters and can be redriven',
      );
    this.#unsaid.clear();
    if (++this.#flushes % retriedFlushes === 0) this.#flushRetried();
  }

  #flushRetried(): void {
    for (const { app, channel, count, said } of this.#retried.values())
      this.#log.info(
        { evt: 'send.retried', app, channel, count, ...(said === undefined ? {} : { said }) },
        'calls to a provider are being retried',
      );
    this.#retried.clear();
  }
}

function lastOf(unsaid: ReadonlyMap<string, unknown>): string {
  return [...unsaid.keys()].at(-1) ?? '';
}
