// One simulated world from one seed: found it, let everything go wrong for hours or days of virtual
// time, heal it, wait until every send has ended, restart once more without faults, and read
// everything back.

import type { WebhookGrant } from '../../actors/integrations/webhooks/protocol.ts';
import { type Sealer, textSealer } from '../../actors/sealer.ts';
import type { DispatchWave } from '../../actors/sending/dispatch/protocol.ts';
import type { DispatchGrant } from '../../actors/sending/outbox/protocol.ts';
import { dayMs, hourMs, minuteMs } from '../../engine/base/brand.ts';
import { type Rng, seededRng } from '../../engine/base/rng.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { MemoryStore } from '../../storage/memory.ts';
import { createSealer } from '../../storage/sealed.ts';
import { CallLedger, grantOfWave } from './call-ledger.ts';
import { endCampaigns } from './campaign-work.ts';
import { coin, span } from './chance.ts';
import type { Client } from './client.ts';
import { ClientRunner } from './client-runner.ts';
import { EngineProcess } from './engine-process.ts';
import { drawFaults, type Faults, healed, withMailRelays } from './faults.ts';
import { checkWorld } from './final-checks.ts';
import { type Finding, Findings } from './invariants.ts';
import { endJourneys } from './journey-work.ts';
import { LogAudit } from './log-audit.ts';
import { type Model, newModel } from './model.ts';
import type { Checkpoint, Disk } from './partition-life.ts';
import type { ProcessWorld } from './process-world.ts';
import { Providers } from './providers.ts';
import { Receivers } from './receivers.ts';
import type { Sabotage } from './sabotage.ts';
import { checkSegments } from './segment-work.ts';
import { Timeline } from './timeline.ts';
import { Trace } from './trace.ts';
import { Weather } from './weather.ts';
import type { Worker } from './worker.ts';
import { found, liftCaps, oneWorkerAnApp, redriveAll, whoDeletes, work } from './workload.ts';

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
  /** Occurrences of campaigns, and what they sent; beside the sends above. */
  readonly occurrences: number;
  readonly campaignSends: number;
  /** Enrollments in journeys, and what those sent. */
  readonly journeyRuns: number;
  readonly journeySends: number;
  /** Answers about segments that were compared with the truth, each for one instant. */
  readonly judged: number;
  /** Starts whose clock was wrong for minutes, and those of which the product said so. */
  readonly wrongStarts: number;
  readonly wrongStartsTold: number;
}

interface RunOptions {
  readonly sabotage?: Sabotage;
  /** Changes what the seed has drawn. */
  readonly adjust?: (faults: Faults) => Faults;
  /** Called with every line of the trace. */
  readonly print?: (line: string) => void;
}

/** No run gets near; one that does turns in a circle. */
const eventsMax = 3_000_000;
/**
 * Once nothing goes wrong, the longest wait is a quarter of an hour's back-off behind a quarter of
 * an hour's circuit.
 */
const healWithinMs = 2 * hourMs;
/** What of a webhook failed for the fifth time waits for its last attempt. */
const deliveriesWithinMs = 9 * hourMs;

/** So many callbacks of promises, one behind the other, belong to the event that settles one. */
const promiseHops = 8;

/** What does not end in time is reported as one of these. */
type Awaited =
  | 'send_ends'
  | 'accepted_recorded'
  | 'campaign_ends'
  | 'journey_ends'
  | 'webhook_ends';

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
  readonly #receivers: Receivers;
  readonly #providers: Providers;
  readonly #model: Model;
  readonly #weather: Weather;
  readonly #clients: ClientRunner;
  readonly #workers: Worker[] = [];
  #faults: Faults;
  #process: EngineProcess | undefined;
  #checkpoints: (Checkpoint | undefined)[] = [];
  #crashes = 0;
  #lives = 0;
  #judged = 0;
  #wrongStarts = 0;
  #wrongStartsTold = 0;
  #promises = false;
  #fatal = false;

  constructor(seed: number, { sabotage, adjust, print }: RunOptions) {
    const drawn = withMailRelays(drawFaults(seededRng(seed, 'faults')), seed);
    this.#seed = seed;
    this.sabotage = sabotage ?? {};
    this.#trace = new Trace(print);
    this.#drawn = adjust?.(drawn) ?? drawn;
    this.#faults = healed(this.#drawn);
    this.#rng = seededRng(seed, 'world');
    this.#weather = new Weather(this.timeline, this.#rng, (text) => this.note(text));
    this.clock = this.#weather.clock;
    this.#clients = new ClientRunner({
      timeline: this.timeline,
      rng: this.#rng,
      findings: this.findings,
      weather: this.#weather,
      process: () => this.#process,
      note: (text) => this.note(text),
    });
    this.#ledger = new CallLedger(this.findings);
    this.#audit = new LogAudit(
      this.findings,
      this.#drawn.partitions,
      (target) => this.#ledger.settled(target),
      this.#isClockWorld ? () => this.#weather.trueMs : undefined,
      (sendId, deviceId) => this.#ledger.answerOf(sendId, deviceId),
      this.#drawn.mailRelays,
    );
    this.#receivers = new Receivers({
      timeline: this.timeline,
      rng: seededRng(seed, 'receivers'),
      findings: this.findings,
      note: (text) => this.note(text),
      onPromise: () => this.onPromise(),
      isHealed: () => this.#faults !== this.#drawn,
      order: this.#audit.webhooks.order,
    });
    this.#providers = new Providers({
      timeline: this.timeline,
      rng: seededRng(seed, 'providers'),
      ledger: this.#ledger,
      audit: this.#audit,
      faults: () => this.#faults,
      note: (text) => this.note(text),
      onPromise: () => this.onPromise(),
    });
    this.#model = newModel(this.#drawn, this.sealer);
  }

  get #isClockWorld(): boolean {
    return this.#drawn.startClocks !== undefined;
  }

  faults(): Faults {
    return this.#faults;
  }

  diskLow(): boolean {
    return this.#weather.diskLow;
  }

  diskFull(): boolean {
    return this.#weather.diskFull;
  }

  adapter() {
    const life = this.#lives;
    return this.#providers.adapter(() => this.#lives === life && this.#process?.alive === true);
  }

  receiver(): ReturnType<ProcessWorld['receiver']> {
    const life = this.#lives;
    const isAlive = () => this.#lives === life && this.#process?.alive === true;
    return (attempt) => this.#receivers.deliver(attempt, life, isAlive);
  }

  onDurable: ProcessWorld['onDurable'] = (partition, turn) => {
    const { seq, entries, checksum } = turn;
    this.note(`p${partition} turn ${seq} ${entries.map(({ kind }) => kind).join(' ')} ${checksum}`);
    this.#audit.durable(partition, turn.atMs, entries, turn.written, turn.behindMs);
  };

  onGrant(grant: DispatchGrant | DispatchWave): void {
    const granted = grant.kind === 'dispatch.wave' ? grantOfWave(grant) : grant;
    this.note(`grant ${grant.app} ${grant.channel} ${granted.attempts.length}`);
    this.#ledger.granted(granted, this.#audit, this.#model.optedOut);
  }

  onWebhookGrant(grant: WebhookGrant): void {
    this.#audit.webhooks.granted(grant);
  }

  onJudged(): void {
    this.#judged++;
  }

  onPromise(): void {
    this.#promises = true;
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
      sends: [...this.#audit.sends.values()].filter(({ isCampaign }) => !isCampaign).length,
      ...this.#audit.campaigns.figures,
      ...this.#audit.journeys.figures,
      calls: this.#ledger.count,
      judged: this.#judged,
      wrongStarts: this.#wrongStarts,
      wrongStartsTold: this.#wrongStartsTold,
    };
  }

  async #live(): Promise<void> {
    const stores = Array.from(
      { length: this.#drawn.partitions },
      () => new MemoryStore({ settle: 'manual' }),
    );
    this.#start(stores.map((store) => ({ store, checkpoint: undefined, memory: undefined })));
    this.#clients.run(found(this.#surroundings(), this.#workers));
    await this.#until(() => this.#clients.running === 0, hourMs, 'accepted_recorded');

    this.note('faults begin');
    this.#faults = this.#drawn;
    const endMs = this.timeline.nowMs + this.#drawn.chaosMs;
    const isOver = () => this.#faults !== this.#drawn || this.timeline.nowMs >= endMs;
    const deleter = this.#drawn.appDeletion ? whoDeletes(this.#workers, this.#rng) : undefined;
    for (const worker of this.#workers)
      this.#clients.run(work(worker, () => endMs - this.timeline.nowMs, worker === deleter));
    this.#weather.plan(this.#drawn, isOver, () => this.#checkpointAll());
    await this.#until(
      () => isOver() || this.#clients.running === 0,
      this.#drawn.chaosMs + hourMs,
      'send_ends',
    );

    this.note('faults end');
    this.#faults = healed(this.#drawn);
    this.#weather.diskLow = false;
    this.#weather.diskFull = false;
    this.#weather.setClock();
    const { campaigns, journeys } = this.#drawn;
    if (campaigns) await this.#endMarketing(endCampaigns, 'campaign_ends');
    if (journeys) await this.#endMarketing(endJourneys, 'journey_ends');
    await this.#rest();
    this.#clients.run(redriveAll(this.#workers));
    await this.#rest();
    this.#checkRestart();
    this.#clients.run(
      checkWorld({
        ...this.#surroundings(),
        ledger: this.#ledger,
        receivedOf: (deliveryId) => this.#receivers.bodyOf(deliveryId),
      }),
    );
    for (const worker of oneWorkerAnApp(this.#workers))
      if (!worker.app.leaving) this.#clients.run(checkSegments(worker, this.#workers));
    await this.#rest();
  }

  /**
   * No campaign or journey goes on forever: what holds people back ends within days, a cap of
   * sends a day with the cap.
   */
  async #endMarketing(
    end: (worker: Worker) => Client,
    invariant: 'campaign_ends' | 'journey_ends',
  ): Promise<void> {
    await this.#until(() => this.#clients.running === 0, healWithinMs, 'send_ends');
    this.#clients.run(liftCaps(this.#model));
    for (const worker of oneWorkerAnApp(this.#workers))
      if (!worker.app.leaving) this.#clients.run(end(worker));
    const behindMs = Math.max(0, this.#weather.latestMs - this.clock.now());
    await this.#until(() => this.#clients.running === 0, behindMs + 5 * dayMs, invariant);
  }

  /** Waits until every client is done and every send has ended. */
  async #rest(): Promise<void> {
    // Where the wall clock is behind what the partitions have seen, time stands still for them
    // until it has caught up.
    const behindMs = Math.max(0, this.#weather.latestMs - this.clock.now());
    const isAtRest = () =>
      this.#clients.running === 0 &&
      this.#process !== undefined &&
      this.#process.openSends() === 0 &&
      this.#process.running.every(
        ({ store, partition }) => store.inFlight === 0 && partition.mailboxSize === 0,
      );
    // What is sent again of a campaign or a journey may meet quiet hours.
    // Without a source, a day of running confirms the clock; then what may have expired does.
    const isUnsure = this.#isClockWorld && !this.#drawn.kernelConfirms;
    const heldMs = this.#drawn.campaigns || this.#drawn.journeys || isUnsure ? 25 * hourMs : 0;
    await this.#until(isAtRest, behindMs + healWithinMs + heldMs, 'send_ends');
    await this.#until(
      () => isAtRest() && this.#process?.openDeliveries() === 0,
      behindMs + deliveriesWithinMs,
      'webhook_ends',
    );
    const open = this.#audit.open()[0];
    this.findings.expect(
      open === undefined,
      'send_ends',
      () => `${open?.sendId}/${open?.deviceId} is ${open?.state} in the log and nowhere in memory`,
    );
  }

  /**
   * Runs events until the condition holds; reports the invariant when it does not within the time.
   */
  async #until(condition: () => boolean, withinMs: number, invariant: Awaited): Promise<void> {
    const deadlineMs = this.timeline.nowMs + withinMs;
    while (this.findings.first === undefined && !condition()) {
      if (this.timeline.nextMs > deadlineMs || this.timeline.executed > eventsMax) {
        const open = this.#process?.openSends();
        this.findings.add(
          invariant,
          `${this.#clients.running} clients, ${open} sends and ${this.#process?.openDeliveries()} deliveries have not ended in time`,
        );
        return;
      }
      this.timeline.step();
      if (this.#promises || this.#process?.draining) {
        this.#promises = false;
        for (let i = 0; i < promiseHops; i++) await Promise.resolve();
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
    if (this.#drawn.startClocks !== undefined) this.#watchClock(this.#process);
  }

  /** As the host of a shard does it, though less often. */
  #watchClock(process: EngineProcess): void {
    if (this.#drawn.kernelConfirms)
      this.timeline.after(span(this.#rng, 1_000, 60_000), () => {
        if (process.alive && this.#weather.errorMs === 0)
          for (const { partition } of process.running) partition.confirmClock('kernel');
      });
    const { errorMs } = this.#weather;
    this.timeline.after(5 * minuteMs, () => {
      // A clock that is behind by less than the data is old contradicts nothing.
      const isSeen = errorMs > 0 || errorMs < -2 * hourMs;
      if (!process.alive || this.#weather.errorMs !== errorMs || !isSeen) return;
      this.#wrongStarts++;
      const told = process.running.filter(
        ({ partition: { clock } }) => clock.unconfirmedMs > 0 || clock.behindMs > minuteMs,
      );
      const isTold = errorMs > 0 ? told.length === process.running.length : told.length > 0;
      if (isTold) this.#wrongStartsTold++;
    });
    const acceptsClock = coin(this.#rng, 0.3);
    const watch = () => {
      if (!process.alive) return;
      if (acceptsClock && this.#weather.errorMs === 0)
        for (const { partition } of process.running)
          if (partition.clock.behindMs > minuteMs) partition.acceptClock();
      for (const { partition } of process.running) partition.watchClock();
      this.timeline.after(minuteMs, watch);
    };
    watch();
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
      this.#weather.starts(this.#faults);
      this.#start(disks);
    });
  }

  /**
   * With nothing in flight: the start compares memory from the log, and from a checkpoint made just
   * now.
   */
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

  #checkpointAll(): void {
    this.#process?.running.forEach((_, index) => {
      const made = this.#process?.checkpoint(index);
      if (made !== undefined) this.#checkpoints[index] = made;
    });
  }

  #surroundings() {
    return {
      model: this.#model,
      rng: seededRng(this.#seed, `clients ${this.#lives}`),
      findings: this.findings,
      audit: this.#audit,
      providers: this.#providers,
      latestMs: () => (this.#isClockWorld ? this.#weather.trueMs : this.#weather.latestMs),
      spawn: (client: Client) => this.#clients.run(client),
    };
  }
}
