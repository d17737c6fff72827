// One simulated world from one seed: found it, let everything go wrong for hours or days of virtual time, heal it, wait
// until every send has ended, restart once more without faults, and read everything back.

import { type Sealer, textSealer } from '../../actors/sealer.ts';
import type { DispatchGrant } from '../../actors/transactional/protocol.ts';
import type { Message } from '../../engine/actor/message.ts';
import { hourMs, minuteMs } from '../../engine/base/brand.ts';
import { fraction, type Rng, seededRng } from '../../engine/base/rng.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { MemoryStore } from '../../storage/memory.ts';
import { createSealer } from '../../storage/sealed.ts';
import { CallLedger } from './call-ledger.ts';
import { coin, span } from './chance.ts';
import type { Client, Reply } from './client.ts';
import { type Checkpoint, type Disk, EngineProcess, type ProcessWorld } from './engine-process.ts';
import { drawFaults, type Faults, healed } from './faults.ts';
import { checkWorld } from './final-checks.ts';
import { type Finding, Findings } from './invariants.ts';
import { LogAudit } from './log-audit.ts';
import { type Model, newModel } from './model.ts';
import { Providers } from './providers.ts';
import type { Sabotage } from './sabotage.ts';
import { Timeline } from './timeline.ts';
import { Trace } from './trace.ts';
import type { Worker } from './worker.ts';
import { found, redriveAll, whoDeletes, work } from './workload.ts';

/** What a run came to. */
export interface Outcome {
  readonly seed: number;
  readonly faults: Faults;
  readonly findings: readonly Finding[];
  /** Over every event in order; equal for two runs of a seed. */
  readonly hash: string;
  readonly newest: readonly string[];
  readonly virtualMs: number;
  readonly events: number;
  readonly crashes: number;
  readonly sends: number;
  readonly calls: number;
}

export interface RunOptions {
  readonly sabotage?: Sabotage;
  /** Changes what the seed has drawn. */
  readonly adjust?: (faults: Faults) => Faults;
  /** Called with every line of the trace. */
  readonly print?: (line: string) => void;
}

const founded = Date.UTC(2026, 0, 31, 21); // three hours before a month ends
/** No run gets near; one that does turns in a circle. */
const eventsMax = 3_000_000;
/** Once nothing goes wrong, the longest wait is a quarter of an hour's back-off behind a quarter of an hour's circuit. */
const healWithinMs = 2 * hourMs;

/** Runs a seed from beginning to end. */
export function simulate(seed: number, options: RunOptions = {}): Promise<Outcome> {
  return new World(seed, options).run();
}

class World implements ProcessWorld {
  readonly timeline = new Timeline();
  readonly clock: Clock;
  readonly findings = new Findings();
  readonly sealer: Sealer = textSealer(createSealer([new Uint8Array(32).fill(7)]));
  readonly sabotage: Sabotage;
  readonly #seed: number;
  readonly #trace: Trace;
  readonly #drawn: Faults;
  readonly #rng: Rng;
  readonly #ledger: CallLedger;
  readonly #audit: LogAudit;
  readonly #providers: Providers;
  readonly #model: Model;
  readonly #workers: Worker[] = [];
  #faults: Faults;
  #process: EngineProcess | undefined;
  #checkpoints: (Checkpoint | undefined)[] = [];
  #clients = 0;
  #crashes = 0;
  #lives = 0;
  #wallOffsetMs = 0;
  /** When the wall clock last jumped ahead. */
  #jumpedAheadMs = Number.NEGATIVE_INFINITY;
  #latestMs = 0;
  #diskLow = false;
  #promises = false;
  #fatal = false;

  constructor(seed: number, { sabotage, adjust, print }: RunOptions) {
    const drawn = drawFaults(seededRng(seed, 'faults'));
    this.#seed = seed;
    this.sabotage = sabotage ?? {};
    this.#trace = new Trace(print);
    this.#drawn = adjust?.(drawn) ?? drawn;
    this.#faults = healed(this.#drawn);
    this.#rng = seededRng(seed, 'world');
    this.clock = {
      now: () => {
        const nowMs = Math.floor(founded + this.timeline.nowMs + this.#wallOffsetMs);
        this.#latestMs = Math.max(this.#latestMs, nowMs);
        return nowMs;
      },
      monotonic: () => this.timeline.nowMs,
    };
    this.#ledger = new CallLedger(this.findings);
    this.#audit = new LogAudit(this.findings, this.#drawn.partitions, (target) =>
      this.#ledger.settled(target),
    );
    this.#providers = new Providers({
      timeline: this.timeline,
      rng: seededRng(seed, 'providers'),
      ledger: this.#ledger,
      audit: this.#audit,
      faults: () => this.#faults,
      note: (text) => this.note(text),
      onPromise: () => {
        this.#promises = true;
      },
    });
    this.#model = newModel(this.#drawn);
  }

  faults(): Faults {
    return this.#faults;
  }

  diskLow(): boolean {
    return this.#diskLow;
  }

  adapter() {
    const life = this.#lives;
    return this.#providers.adapter(() => this.#lives === life && this.#process?.alive === true);
  }

  onDurable: ProcessWorld['onDurable'] = (partition, { seq, atMs, entries, checksum }) => {
    this.note(`p${partition} turn ${seq} ${entries.map(({ kind }) => kind).join(' ')} ${checksum}`);
    this.#audit.durable(partition, atMs, entries);
  };

  onGrant(grant: DispatchGrant): void {
    this.note(`grant ${grant.app} ${grant.channel} ${grant.attempts.length}`);
    this.#ledger.granted(grant, this.#audit, this.#model.optedOut);
  }

  onFatal(why: string): void {
    this.note(`fatal: ${why}`);
    this.#fatal = true;
  }

  note(text: string): void {
    this.#trace.add(this.timeline.nowMs, text);
  }

  async run(): Promise<Outcome> {
    try {
      await this.#live();
    } catch (error) {
      this.findings.add('no_throw', error instanceof Error ? `${error.stack}` : String(error));
    }
    return {
      seed: this.#seed,
      faults: this.#drawn,
      findings: this.findings.all,
      hash: this.#trace.hash,
      newest: this.#trace.newest,
      virtualMs: this.timeline.nowMs,
      events: this.timeline.executed,
      crashes: this.#crashes,
      sends: this.#audit.sends.size,
      calls: this.#ledger.count,
    };
  }

  async #live(): Promise<void> {
    const stores = Array.from(
      { length: this.#drawn.partitions },
      () => new MemoryStore({ settle: 'manual' }),
    );
    this.#start(stores.map((store) => ({ store, checkpoint: undefined, memory: undefined })));
    this.#run(found(this.#surroundings(), this.#workers));
    await this.#until(() => this.#clients === 0, hourMs, 'accepted_recorded');

    this.note('faults begin');
    this.#faults = this.#drawn;
    const endMs = this.timeline.nowMs + this.#drawn.chaosMs;
    const isOver = () => this.timeline.nowMs >= endMs;
    const deleter = this.#drawn.appDeletion ? whoDeletes(this.#workers, this.#rng) : undefined;
    for (const worker of this.#workers)
      this.#run(work(worker, () => endMs - this.timeline.nowMs, worker === deleter));
    this.#planWeather(isOver);
    await this.#until(
      () => isOver() || this.#clients === 0,
      this.#drawn.chaosMs + hourMs,
      'send_ends',
    );

    this.note('faults end');
    this.#faults = healed(this.#drawn);
    this.#diskLow = false;
    await this.#rest();
    this.#run(redriveAll(this.#workers));
    await this.#rest();
    this.#checkRestart();
    this.#run(checkWorld({ ...this.#surroundings(), ledger: this.#ledger }));
    await this.#rest();
  }

  /** Waits until every client is done and every send has ended. */
  async #rest(): Promise<void> {
    // Where the wall clock is behind what the partitions have seen, time stands still for them until it has caught up.
    const behindMs = Math.max(0, this.#latestMs - this.clock.now());
    const isAtRest = () =>
      this.#clients === 0 &&
      this.#process !== undefined &&
      this.#process.openSends() === 0 &&
      this.#process.running.every(
        ({ store, partition }) => store.inFlight === 0 && partition.mailboxSize === 0,
      );
    await this.#until(isAtRest, behindMs + healWithinMs, 'send_ends');
    const open = this.#audit.open()[0];
    this.findings.expect(
      open === undefined,
      'send_ends',
      () => `${open?.sendId}/${open?.deviceId} is ${open?.state} in the log and nowhere in memory`,
    );
  }

  /** Runs events until the condition holds; reports the invariant when it does not within the time. */
  async #until(
    condition: () => boolean,
    withinMs: number,
    invariant: 'send_ends' | 'accepted_recorded',
  ): Promise<void> {
    const deadlineMs = this.timeline.nowMs + withinMs;
    while (this.findings.first === undefined && !condition()) {
      if (this.timeline.nextMs > deadlineMs || this.timeline.executed > eventsMax) {
        const open = this.#process?.openSends();
        this.findings.add(
          invariant,
          `${this.#clients} clients and ${open} sends have not ended in time`,
        );
        return;
      }
      this.timeline.step();
      if (this.#promises || this.#process?.draining) {
        this.#promises = false;
        await Promise.resolve();
        await Promise.resolve();
      }
      const { eventsPerCrash, eventsPerDrain } = this.#faults;
      if (this.#process === undefined) continue;
      if (this.#fatal || coin(this.#rng, 1 / eventsPerCrash)) this.#crash();
      else if (!this.#process.draining && coin(this.#rng, 1 / eventsPerDrain))
        this.#drain(this.#process);
    }
  }

  #start(disks: readonly Disk[]): void {
    const life = ++this.#lives;
    this.#process = new EngineProcess(this, disks, seededRng(this.#seed, `life ${life}`));
  }

  #crash(): void {
    if (this.#process === undefined) return;
    this.#fatal = false;
    this.#crashes++;
    this.note('crash');
    const disks = this.#process.crash(this.#checkpoints);
    this.#ledger.crashed();
    this.#restartLater(disks);
  }

  #drain(process: EngineProcess): void {
    this.note('drain');
    process.drain(this.#checkpoints, (disks) => {
      this.note('drained');
      this.#ledger.drained(this.#audit);
      this.#restartLater(disks);
    });
  }

  #restartLater(disks: readonly Disk[]): void {
    this.#process = undefined;
    this.timeline.after(span(this.#rng, 10, 30_000), () => {
      this.note('start');
      this.#start(disks);
    });
  }

  /** With nothing in flight: the start compares memory from the log, and from a checkpoint made just now. */
  #checkRestart(): void {
    const process = this.#process;
    if (process === undefined || this.findings.first !== undefined) return;
    const checkpoints = process.running.map((_, index) => process.checkpoint(index));
    this.note('restart without faults');
    const disks = process.crash(checkpoints);
    for (const [index, { memory }] of disks.entries())
      this.findings.expect(
        memory !== undefined && checkpoints[index] !== undefined,
        'memory_is_a_fold',
        () => `partition ${index} at rest has a turn that is not durable`,
      );
    this.#start(disks);
  }

  /** What happens to the machine while faults are on: clocks, disk space, checkpoints. */
  #planWeather(isOver: () => boolean): void {
    const { clockJumps, diskLow, checkpoints, chaosMs } = this.#drawn;
    const often = (meanMs: number, task: () => void) => {
      this.timeline.after(fraction(this.#rng) * 2 * meanMs, () => {
        if (isOver()) return;
        task();
        often(meanMs, task);
      });
    };
    if (clockJumps) {
      let aheadMs = 0;
      often(chaosMs / 4, () => {
        const jumpMs = coin(this.#rng, 0.6)
          ? span(this.#rng, 100, 13 * hourMs)
          : -span(this.#rng, 100, 3 * hourMs);
        // A day and a half in all: rows of sends must not reach the end of their retention.
        if (aheadMs + jumpMs > 36 * hourMs) return;
        aheadMs += jumpMs;
        this.#wallOffsetMs += jumpMs;
        if (jumpMs > 0) this.#jumpedAheadMs = this.timeline.nowMs;
        this.note(`the wall clock jumps by ${Math.round(jumpMs)}`);
      });
    }
    if (diskLow) {
      often(chaosMs / 4, () => {
        this.#diskLow = true;
        this.note('the disk is nearly full');
        this.timeline.after(span(this.#rng, 1_000, 20 * minuteMs), () => {
          this.#diskLow = false;
          this.note('the disk has room');
        });
      });
    }
    if (checkpoints) {
      often(chaosMs / 8, () => {
        this.#process?.running.forEach((_, index) => {
          const made = this.#process?.checkpoint(index);
          if (made !== undefined) this.#checkpoints[index] = made;
        });
      });
    }
  }

  #surroundings() {
    return {
      model: this.#model,
      rng: seededRng(this.#seed, `clients ${this.#lives}`),
      findings: this.findings,
      audit: this.#audit,
      providers: this.#providers,
      latestMs: () => {
        this.clock.now();
        return this.#latestMs;
      },
      spawn: (client: Client) => this.#run(client),
    };
  }

  /** Runs a client until it ends. */
  #run(client: Client): void {
    this.#clients++;
    this.timeline.after(0, () => this.#resume(client, undefined));
  }

  #resume(client: Client, value: Reply<unknown> | undefined): void {
    const next = client.next(value);
    if (next.done) {
      this.#clients--;
      return;
    }
    const step = next.value;
    if (step.step === 'pause') {
      this.timeline.after(step.ms, () => this.#resume(client, undefined));
      return;
    }
    const { to, kind, body, by, bytes, lane } = step;
    const answer = (reply: Reply<unknown>) => {
      const said = reply === 'lost' ? 'lost' : reply.ok ? 'ok' : reply.fault.code;
      this.note(`${kind} ${to} -> ${said}`);
      this.#resume(client, reply);
    };
    if (this.#process === undefined) {
      // Refused to connect: known not to have been done, but a client that cares about that looks the same as one
      // that does not.
      this.timeline.after(100, () => answer('lost'));
      return;
    }
    const askedMs = this.timeline.nowMs;
    this.#process.ask(to, { ...body, kind, by } as Message, { lane, bytes }, (reply) => {
      if (reply === 'lost') this.timeline.after(fraction(this.#rng) * 50, () => answer('lost'));
      else {
        this.#checkExpiry(kind, askedMs, reply);
        answer(reply);
      }
    });
  }

  /** Deadlines are wall-clock instants: only a jump ahead brings one closer. */
  #checkExpiry(kind: string, askedMs: number, reply: Reply<unknown>): void {
    if (reply === 'lost' || reply.ok || reply.fault.code !== 'not_started') return;
    const waitedMs = this.timeline.nowMs - askedMs;
    this.findings.expect(
      waitedMs >= 10_000 || this.#jumpedAheadMs >= askedMs,
      'expires_late',
      () => `${kind} was given up on after ${Math.round(waitedMs)} ms`,
    );
  }
}
