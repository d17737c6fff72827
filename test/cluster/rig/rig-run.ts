// One run of the rig: load and faults for some minutes, then everything is healed, read back and
// judged.

import { below, type Rng, seededRng } from '../../../engine/base/rng.ts';
import { verdictOf } from './checker.ts';
import { Clients, makeTenant, type Tenant } from './clients.ts';
import { type FaultKind, faultKinds } from './faults.ts';
import { Fronts } from './fronts.ts';
import { type FaultWindow, type History, Recorder } from './history.ts';
import { outagesOf } from './outages.ts';
import { allDelivered, framesOf, readBackOf } from './read-back.ts';
import { Rig } from './rig.ts';
import { Sink } from './sink.ts';
import { lateFrames } from './stream-problems.ts';

interface RigRun {
  readonly minutes: number;
  readonly seed: number;
  /** One engine and no nats-servers. */
  readonly isEmbedded?: boolean;
  /** Names of the faults that may strike; all without it. */
  readonly only?: readonly string[];
  /** Of an outage; beside other work no bound of a quiet machine holds. */
  readonly outageMsMax?: number;
  readonly say: (line: string) => void;
}

interface RigReport {
  readonly problems: readonly string[];
  /** For people. */
  readonly table: string;
  readonly acknowledged: number;
  readonly faults: number;
}

const tenantsPerEngine = 2;
const boundsOfQuiet = {
  /** 12 s to be missed and taken over, and an election of the log. */
  outageMsMax: 21_000,
  inFlightMs: 2_000,
} as const;
const progressMs = 10_000;
const faultMs = { least: 1_000, most: 9_000 } as const;
const restMs = { least: 4_000, most: 11_000 } as const;

export async function runRig(options: RigRun): Promise<RigReport> {
  const { seed, isEmbedded = false, say } = options;
  const startedMs = performance.now();
  const nowMs = () => performance.now() - startedMs;
  const sink = await Sink.start(nowMs);
  const rig = await Rig.start({
    engines: isEmbedded ? 1 : 3,
    servers: isEmbedded ? 0 : 3,
    diskSize: '512m',
    environment: { ...settings, ...sink.environment },
  }).catch((error: unknown) => {
    sink.close();
    throw error;
  });
  try {
    return await new Run(options, rig, sink, nowMs).result();
  } catch (error) {
    for (const { name, program } of [...rig.engines, ...rig.servers])
      say(`--- the end of the log of ${name} ---\n${program.lastWords()}`);
    throw error;
  } finally {
    await rig.stop();
    sink.close();
    say(`seed ${seed}`);
  }
}

const settings = {
  ENGAGE_MODE: 'live',
  ENGAGE_VAPID_SUBJECT: 'mailto:rig@example.com',
  ENGAGE_PUBLIC_URL: 'http://127.0.0.1:8400',
  ENGAGE_PER_IP_PER_MINUTE: '0',
  ENGAGE_SHARDS: '1',
  ENGAGE_DISPATCHERS: '1',
} as const;

class Run {
  readonly #options: RigRun;
  readonly #rig: Rig;
  readonly #sink: Sink;
  readonly #nowMs: () => number;
  readonly #recorder = new Recorder();
  readonly #faults: FaultWindow[] = [];
  readonly #rng: Rng;
  readonly #fronts: Fronts;

  constructor(options: RigRun, rig: Rig, sink: Sink, nowMs: () => number) {
    this.#options = options;
    this.#rig = rig;
    this.#sink = sink;
    this.#nowMs = nowMs;
    this.#rng = seededRng(options.seed, 'faults');
    const urls = rig.engines.map(({ url }) => url);
    this.#fronts = new Fronts(urls, seededRng(options.seed, 'fronts'));
  }

  async result(): Promise<RigReport> {
    const tenants: Tenant[] = [];
    for (const front of this.#rig.engines.keys())
      for (let index = 0; index < tenantsPerEngine; index++)
        tenants.push(await makeTenant(this.#fronts, `org${front}-${index}`, front));
    const clients = new Clients(this.#fronts, this.#recorder, this.#nowMs);
    const fromMs = this.#nowMs();
    const progress = setInterval(() => this.#tell(), progressMs);
    clients.start(tenants, this.#options.seed);
    try {
      await this.#strikeFor(this.#options.minutes * 60_000);
    } finally {
      clearInterval(progress);
      await clients.stop();
    }
    const untilMs = this.#nowMs();
    const { calls, served } = this.#recorder;
    const { say } = this.#options;
    say(`${seconds(untilMs)} the clients have stopped`);
    const missing = await allDelivered(calls, this.#sink);
    say(`${seconds(this.#nowMs())} ${missing} messages have not reached the provider`);
    const readBack = await readBackOf(this.#fronts, tenants, calls);
    say(
      `${seconds(this.#nowMs())} read ${readBack.events.size} events and ${readBack.sends.size} sends`,
    );
    const frames = await framesOf(this.#rig);
    const { deliveries } = this.#sink;
    return this.#judge({
      ...{ calls, deliveries, faults: this.#faults, readBack, served, frames, fromMs, untilMs },
    });
  }

  /** Faults one after the other; whatever the last one broke is healed at the end. */
  async #strikeFor(ms: number): Promise<void> {
    const endMs = this.#nowMs() + ms;
    const kinds = this.#kinds();
    await this.#pause(restMs);
    for (let turn = 0; this.#nowMs() < endMs; turn++) {
      // Each kind once before any comes again.
      if (turn % kinds.length === 0) shuffle(kinds, this.#rng);
      await this.#strike(kinds[turn % kinds.length] as FaultKind);
      await this.#pause(restMs);
    }
  }

  #kinds(): FaultKind[] {
    const { only } = this.#options;
    const kinds = faultKinds.filter(
      (kind) => kind.suits(this.#rig) && (only === undefined || only.includes(kind.name)),
    );
    if (kinds.length === 0) throw new Error('no fault that this rig can have');
    return kinds;
  }

  async #strike(kind: FaultKind): Promise<void> {
    const { name, mayRepeatSends } = kind;
    const isTotal = kind.isTotal || this.#rig.engines.length === 1;
    const fromMs = this.#nowMs();
    // Open until it is healed, so that a failed run tells of it.
    const index =
      this.#faults.push({ kind: name, fromMs, untilMs: Infinity, mayRepeatSends, isTotal }) - 1;
    const undo = await kind.strike(this.#rig, this.#rng);
    await this.#pause(faultMs);
    await undo?.();
    await this.#rig.healed();
    const untilMs = this.#nowMs();
    this.#faults[index] = { kind: name, fromMs, untilMs, mayRepeatSends, isTotal };
    this.#options.say(`${seconds(fromMs)} to ${seconds(untilMs)} ${name}`);
  }

  #pause({ least, most }: { readonly least: number; readonly most: number }): Promise<void> {
    const ms = least + below(this.#rng, most - least);
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  #tell(): void {
    const { ends } = this.#recorder;
    const parts = Object.entries(ends).map(([name, count]) => `${name} ${count}`);
    const { deliveries } = this.#sink;
    this.#options.say(`${seconds(this.#nowMs())} ${parts.join(', ')}, sent ${deliveries.length}`);
  }

  #judge(history: History): RigReport {
    const { outageMsMax = boundsOfQuiet.outageMsMax } = this.#options;
    const bounds = { ...boundsOfQuiet, outageMsMax };
    const { problems, excused, unexcused } = verdictOf(history, bounds);
    const { ends } = this.#recorder;
    const longest = outagesOf(history);
    const rows = [...new Set(history.faults.map(({ kind }) => kind))].sort().map((kind) => {
      const count = history.faults.filter((fault) => fault.kind === kind).length;
      const outage = longest.find((one) => one.kind === kind);
      return `${kind.padEnd(18)}${String(count).padStart(4)}${outage === undefined ? '' : `   longest outage ${seconds(outage.ms)}`}`;
    });
    const table = [
      `acknowledged ${ends.acknowledged}, refused ${ends.refused}, unknown ${ends.unknown}`,
      `statuses ${[...this.#fronts.statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}`,
      ...rows,
      `messages ${history.deliveries.length}, repeated ${excused} with an excuse, ${unexcused} without`,
      `frames ${history.frames.length}, of them late ${lateFrames(history.frames)}`,
    ].join('\n');
    return { problems, table, acknowledged: ends.acknowledged, faults: history.faults.length };
  }
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

function shuffle<T>(items: T[], rng: Rng): void {
  for (let last = items.length - 1; last > 0; last--) {
    const other = below(rng, last + 1);
    [items[last], items[other]] = [items[other] as T, items[last] as T];
  }
}
