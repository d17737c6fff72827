// Sends that were given up, for whoever runs the server: how many on which channel, on which lane, and why. Told by an effect, so
// that nothing is counted before it is durable, and nothing of it is state. A retry makes no line in the log: a provider that
// is down would fill it; calls that were made again are counted where they are made (`dispatch/channel-figures.ts`).

import type { Effect, Entry, Message } from '../engine/actor/message.ts';
import type { Ordinal } from '../engine/base/brand.ts';
import type { Log } from '../engine/observe/log.ts';
import { deviceIdBytes } from './audience/device-ids.ts';
import { type ChannelId, channelIds } from './channels/catalog.ts';
import type { WaveSettled } from './dispatch/entries.ts';
import type { TransactionalEntry } from './transactional/protocol.ts';

type Lane = 'transactional' | 'campaign' | 'journey';

/** What one turn gave up of an app, on a channel, for a reason. */
export interface GivenUp {
  readonly app: Ordinal;
  readonly channel: ChannelId;
  readonly lane: Lane;
  readonly reason: string;
  readonly count: number;
}

/** To the host of the partition. */
export interface GaveUp extends Message {
  readonly kind: 'sends.given_up';
  readonly sends: readonly GivenUp[];
}

/** The effect that tells of sends which these entries give up; `undefined` for nearly all. */
export function givenUpEffect(entries: readonly Entry[]): Effect | undefined {
  const counts = new Map<string, GivenUp>();
  for (const entry of entries) {
    if (entry.kind === 'attempts.settled') ofSends(entry as Settled, counts);
    else if (entry.kind === 'wave.settled') ofWave(entry as WaveSettled, counts);
  }
  if (counts.size === 0) return undefined;
  const message: GaveUp = { kind: 'sends.given_up', sends: [...counts.values()] };
  return { port: 'host', message };
}

type Settled = Extract<TransactionalEntry, { kind: 'attempts.settled' }>;

function ofSends({ owner: app, channel, items }: Settled, counts: Map<string, GivenUp>): void {
  for (const { settlement, origin } of items) {
    if (settlement.next !== 'done' || settlement.receipt.status !== 'failed') continue;
    const { reason = 'unknown' } = settlement.receipt;
    add(counts, { app, channel, lane: laneOf(origin), reason });
  }
}

function ofWave(entry: WaveSettled, counts: Map<string, GivenUp>): void {
  const { owner: app, kinds, codes, devices } = entry;
  const channel = channelIds[entry.channel];
  if (channel === undefined || kinds.every(({ status }) => status !== 'failed')) return;
  const rows = devices.length / deviceIdBytes;
  for (let row = 0; row < rows; row++) {
    const kind = kinds[codes?.[row] ?? 0];
    if (kind?.status !== 'failed') continue;
    add(counts, { app, channel, lane: 'campaign', reason: kind.reason ?? 'unknown' });
  }
}

function add(counts: Map<string, GivenUp>, one: Omit<GivenUp, 'count'>): void {
  const key = `${one.channel}|${one.lane}|${one.reason}|${one.app}`;
  counts.set(key, { ...one, count: (counts.get(key)?.count ?? 0) + 1 });
}

function laneOf(origin: { readonly journeyId?: string } | undefined): Lane {
  if (origin === undefined) return 'transactional';
  return origin.journeyId === undefined ? 'campaign' : 'journey';
}

/** How many sends were given up since the start. */
export type GivenUpFigures = readonly (readonly [channel: ChannelId, lane: Lane, count: number])[];

/** Different lines that one flush writes; what is beyond is counted in the last of them. */
const linesMax = 20;

/** Counts them for a shard, and says so in the log once a flush, however many there were. */
export class GivenUpCounter {
  readonly #log: Pick<Log, 'warn'>;
  readonly #counts = new Map<string, [ChannelId, Lane, number]>();
  readonly #unsaid = new Map<string, GivenUp>();

  constructor(log: Pick<Log, 'warn'>) {
    this.#log = log;
  }

  get figures(): GivenUpFigures {
    return [...this.#counts.values()];
  }

  add({ sends }: GaveUp): void {
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

  /** A line for each app, channel and reason since the last one. */
  flush(): void {
    for (const { app, channel, reason, count } of this.#unsaid.values())
      this.#log.warn(
        { evt: 'send.given_up', app, channel, reason, count },
        'sends were given up after their last try; they are dead letters, and can be sent again',
      );
    this.#unsaid.clear();
  }
}

function lastOf(unsaid: ReadonlyMap<string, GivenUp>): string {
  return [...unsaid.keys()].at(-1) ?? '';
}
