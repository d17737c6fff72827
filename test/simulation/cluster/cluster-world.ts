// One simulated cluster from one seed: three nodes with a copy of every partition, a log for each
// partition, and the clients, providers and accounts of every other world. Nodes die, are stopped
// and woken, are cut off, lose their disks and take over from one another; at the end nothing that
// was acknowledged is missing, and all copies are one.

import type { WebhookGrant } from '../../../actors/integrations/webhooks/protocol.ts';
import { type Sealer, textSealer } from '../../../actors/sealer.ts';
import type { DispatchWave } from '../../../actors/sending/dispatch/protocol.ts';
import type { DispatchGrant } from '../../../actors/sending/outbox/protocol.ts';
import type { Message } from '../../../engine/actor/message.ts';
import { partitionOf } from '../../../engine/actor/placement.ts';
import { dayMs, hourMs, type Millis } from '../../../engine/base/brand.ts';
import { parseId } from '../../../engine/base/id.ts';
import { fraction, pick, type Rng, seededRng } from '../../../engine/base/rng.ts';
import { MemoryLog } from '../../../engine/log/memory-log.ts';
import { MemoryStore } from '../../../storage/memory.ts';
import { createSealer } from '../../../storage/sealed.ts';
import { grantOfWave } from '../call-ledger.ts';
import { endCampaigns } from '../campaign-work.ts';
import { coin, span, whole } from '../chance.ts';
import type { Client } from '../client.ts';
import { ClientRunner } from '../client-runner.ts';
import { healed } from '../faults.ts';
import { checkWorld } from '../final-checks.ts';
import { type Finding, Findings, type Invariant } from '../invariants.ts';
import { endJourneys } from '../journey-work.ts';
import { LogAudit } from '../log-audit.ts';
import { type Model, newModel } from '../model.ts';
import type { Pending } from '../process-threads.ts';
import { Providers } from '../providers.ts';
import { Receivers } from '../receivers.ts';
import { wrapped } from '../sabotage.ts';
import { checkSegments } from '../segment-work.ts';
import { seenTurn } from '../sim-store.ts';
import { Timeline } from '../timeline.ts';
import { Trace } from '../trace.ts';
import { Weather } from '../weather.ts';
import type { Worker } from '../worker.ts';
import { found, liftCaps, oneWorkerAnApp, redriveAll, whoDeletes, work } from '../workload.ts';
import { type ClusterFaults, drawClusterFaults } from './cluster-faults.ts';
import { ClusterLedger } from './cluster-ledger.ts';
import { ClusterNode, type CopyDisk, type NodeWorld } from './cluster-node.ts';
import type { ClusterSabotage } from './cluster-sabotage.ts';
import { CopyChecks } from './copy-checks.ts';
import { type LogCut, logLink } from './log-link.ts';
import { ProcessTime } from './process-time.ts';
import { SharedLog } from './shared-log.ts';

/** What a run came to. */
export interface ClusterOutcome extends ClusterFigures {
  readonly seed: number;
  readonly faults: ClusterFaults;
  readonly findings: readonly Finding[];
  /** Over every event in order; equal for two runs of a seed. */
  readonly hash: string;
  readonly newest: readonly string[];
  readonly virtualMs: Millis;
  readonly events: number;
  readonly sends: number;
  readonly calls: number;
}

interface ClusterFigures {
  kills: number;
  stops: number;
  cuts: number;
  lostDisks: number;
  /** Copies made anew from another machine's files. */
  copied: number;
  takeovers: number;
  /** Claims that came second. */
  lostClaims: number;
  /** Frames that counted for nobody. */
  voids: number;
  turns: number;
  timers: number;
  /** Memories of copies that were held against one another. */
  compared: number;
  lateCalls: number;
  lateGrants: number;
  interrupted: number;
  interruptedMost: number;
  /** Calls beyond the first that a provider took for one device of a send. */
  twice: number;
  /** Requests that were sent again to another owner. */
  movedRequests: number;
}

interface RunOptions {
  readonly sabotage?: ClusterSabotage;
  /** Changes what the seed has drawn. */
  readonly adjust?: (faults: ClusterFaults) => ClusterFaults;
  /** Called with every line of the trace. */
  readonly print?: (line: string) => void;
}

/** Of instants at which something is under way, one in so many brings a blow. */
const busyPerBlow = 40;
/** Beats, polls and looks once nothing goes wrong any more: days may pass. */
const calmMs: Millis = 30_000;
/** Who is silent for so long has lost its partitions. */
const silentMs: Millis = 3_000;
const eventsMax = 4_000_000;
const healWithinMs: Millis = 2 * hourMs;
const deliveriesWithinMs: Millis = 9 * hourMs;

/** A machine: what outlives its processes. */
interface Machine {
  readonly index: number;
  readonly skewMs: Millis;
  readonly cut: LogCut;
  disks: CopyDisk[];
  node: ClusterNode | undefined;
  time: ProcessTime;
}

/** Of a partition: the machine that is said to own it, and when it last was well. */
interface Ownership {
  readonly machine: number | undefined;
  wellMs: Millis;
}

/** Runs a seed from beginning to end. */
export function simulateCluster(seed: number, options: RunOptions = {}): Promise<ClusterOutcome> {
  return new ClusterWorld(seed, options).run();
}

class ClusterWorld {
  readonly #timeline = new Timeline();
  readonly #findings = new Findings();
  readonly #sealer: Sealer = textSealer(createSealer([new Uint8Array(32).fill(7)]));
  readonly #seed: number;
  readonly #planted: ClusterSabotage;
  readonly #trace: Trace;
  readonly #drawn: ClusterFaults;
  readonly #rng: Rng;
  readonly #weather: Weather;
  readonly #audit: LogAudit;
  readonly #ledger: ClusterLedger;
  readonly #receivers: Receivers;
  readonly #providers: Providers;
  readonly #model: Model;
  readonly #clients: ClientRunner;
  readonly #checks: CopyChecks;
  readonly #logs: SharedLog[];
  readonly #machines: Machine[];
  readonly #workers: Worker[] = [];
  readonly #owners: Ownership[];
  /** Newest term that each memory of a partition has seen. */
  readonly #terms = new Map<string, number>();
  readonly #machineOf = new Map<number, Machine>();
  readonly #figures: ClusterFigures = {
    ...{
      kills: 0,
      stops: 0,
      cuts: 0,
      lostDisks: 0,
      copied: 0,
      twice: 0,
      takeovers: 0,
      lostClaims: 0,
      voids: 0,
    },
    ...{ turns: 0, timers: 0, compared: 0, lateCalls: 0, lateGrants: 0 },
    ...{ interrupted: 0, interruptedMost: 0, movedRequests: 0 },
  };
  #faults: ClusterFaults;
  #lives = 0;
  #blowsLeft: number;
  readonly #fatal = new Set<number>();

  constructor(seed: number, { sabotage, adjust, print }: RunOptions) {
    const drawn = drawClusterFaults(seededRng(seed, 'cluster faults'));
    this.#seed = seed;
    this.#planted = sabotage ?? {};
    this.#trace = new Trace(print);
    this.#drawn = adjust?.(drawn) ?? drawn;
    this.#faults = calm(this.#drawn);
    this.#blowsLeft = this.#drawn.blows;
    this.#rng = seededRng(seed, 'cluster');
    const { partitions, nodes, skewMaxMs, mailRelays } = this.#drawn;
    const findings = this.#findings;
    this.#weather = new Weather(this.#timeline, this.#rng, (text) => this.#note(text));
    this.#audit = new LogAudit(
      findings,
      partitions,
      (target) => this.#ledger.settled(target),
      undefined,
      (sendId, deviceId) => this.#ledger.answerOf(sendId, deviceId),
      mailRelays,
    );
    this.#checks = new CopyChecks(findings);
    this.#logs = Array.from({ length: partitions }, (_, index) => this.#newLog(index));
    this.#ledger = new ClusterLedger({
      findings,
      audit: () => this.#audit,
      partitionOf: (app) => this.#partitionOf(app),
      termOf: (partition) => this.#log(partition).term,
      writerOf: (partition) => this.#log(partition).writer,
    });
    const around = {
      timeline: this.#timeline,
      note: (text: string) => this.#note(text),
      onPromise: () => {},
    };
    this.#receivers = new Receivers({
      ...around,
      rng: seededRng(seed, 'cluster receivers'),
      findings,
      isHealed: () => this.#isHealed,
      order: this.#audit.webhooks.order,
    });
    this.#providers = new Providers({
      ...around,
      rng: seededRng(seed, 'cluster providers'),
      ledger: this.#ledger.of(0),
      audit: this.#audit,
      faults: () => this.#faults,
    });
    this.#clients = new ClientRunner({
      timeline: this.#timeline,
      rng: this.#rng,
      findings,
      weather: this.#weather,
      process: () => ({
        ask: (to, message, options, answer) => this.#ask(to, message, options, answer),
      }),
      note: (text) => this.#note(text),
    });
    this.#model = newModel(this.#drawn, this.#sealer);
    this.#owners = this.#logs.map(() => ({ machine: undefined, wellMs: -silentMs }));
    this.#machines = Array.from({ length: nodes }, (_, index) => ({
      index,
      skewMs: index === 0 ? 0 : -whole(this.#rng, 0, skewMaxMs),
      cut: { calls: false, answers: false },
      disks: this.#logs.map(newDisk),
      node: undefined,
      time: new ProcessTime(this.#timeline),
    }));
  }

  async run(): Promise<ClusterOutcome> {
    try {
      await this.#live();
    } catch (error) {
      this.#findings.add('no_throw', error instanceof Error ? `${error.stack}` : String(error));
    }
    const { late, lateGrants, interrupted, interruptedMost, count } = this.#ledger;
    return {
      ...this.#figures,
      ...{ lateCalls: late, lateGrants, interrupted, interruptedMost, calls: count },
      twice: this.#ledger.twice,
      timers: this.#logs.reduce((sum, { fired }) => sum + fired, 0),
      compared: this.#checks.count,
      seed: this.#seed,
      faults: this.#drawn,
      findings: this.#findings.all,
      hash: this.#trace.hash,
      newest: this.#trace.newest,
      virtualMs: this.#timeline.nowMs,
      events: this.#timeline.executed,
      sends: this.#audit.sends.size,
    };
  }

  get #isHealed(): boolean {
    return this.#faults !== this.#drawn;
  }

  #note(text: string): void {
    this.#trace.add(this.#timeline.nowMs, text);
  }

  #log(partition: number): SharedLog {
    return this.#logs[partition] as SharedLog;
  }

  #partitionOf(app: number | string): number {
    const ordinal = typeof app === 'number' ? app : (parseId('app', app)?.ordinal ?? 0);
    return partitionOf(ordinal, this.#drawn.partitions);
  }

  #newLog(partition: number): SharedLog {
    return new SharedLog({
      partition,
      findings: this.#findings,
      onTurn: (lent, { writer, term }) => {
        const turn = { ...lent, block: Buffer.from(lent.block) };
        const clock = this.#clockOfMachine(this.#machineOf.get(writer) as Machine);
        const { seq, atMs, entries, checksum, written, behindMs } = seenTurn(
          turn,
          this.#findings,
          clock,
        );
        this.#figures.turns++;
        const kinds = entries.map(({ kind }) => kind).join(' ');
        this.#note(`p${partition} term ${term} turn ${seq} ${kinds} ${checksum}`);
        this.#audit.durable(partition, atMs, entries, written, behindMs);
        this.#tempt(writer);
      },
      onClaim: ({ term, writer }) => {
        this.#note(`p${partition} term ${term} is ${writer}'s`);
        this.#ledger.claimed(partition);
      },
      onVoid: () => {
        this.#figures.voids++;
      },
    });
  }

  #clockOfMachine({ skewMs }: Machine) {
    const { clock } = this.#weather;
    return { now: () => clock.now() + skewMs, monotonic: () => clock.monotonic() };
  }

  // Phases

  async #live(): Promise<void> {
    for (const machine of this.#machines) this.#start(machine);
    this.#watch();
    this.#beat();
    this.#clients.run(found(this.#surroundings(), this.#workers));
    await this.#until(() => this.#clients.running === 0, hourMs, 'accepted_recorded');

    this.#note('faults begin');
    this.#faults = this.#drawn;
    const endMs = this.#timeline.nowMs + this.#drawn.chaosMs;
    const isOver = () => this.#isHealed || this.#timeline.nowMs >= endMs;
    const deleter = this.#drawn.appDeletion ? whoDeletes(this.#workers, this.#rng) : undefined;
    for (const worker of this.#workers)
      this.#clients.run(work(worker, () => endMs - this.#timeline.nowMs, worker === deleter));
    this.#weather.plan(this.#drawn, isOver, () => {
      for (const { node } of this.#machines)
        for (const index of this.#logs.keys()) node?.checkpoint(index);
    });
    this.#strike(isOver);
    await this.#until(
      () => isOver() || this.#clients.running === 0,
      this.#drawn.chaosMs + hourMs,
      'send_ends',
    );

    this.#note('faults end');
    this.#heal();
    const { campaigns, journeys } = this.#drawn;
    if (campaigns) await this.#endMarketing(endCampaigns, 'campaign_ends');
    if (journeys) await this.#endMarketing(endJourneys, 'journey_ends');
    await this.#rest();
    this.#clients.run(redriveAll(this.#workers));
    await this.#rest();
    this.#checkCopies();
    this.#wholeRestart();
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
    this.#checkCopies();
  }

  #heal(): void {
    this.#faults = calm(this.#drawn);
    this.#weather.diskLow = false;
    this.#weather.diskFull = false;
    for (const { time, cut } of this.#machines) {
      cut.calls = false;
      cut.answers = false;
      if (time.isStopped) time.wake();
    }
  }

  async #endMarketing(
    end: (worker: Worker) => Client,
    invariant: 'campaign_ends' | 'journey_ends',
  ): Promise<void> {
    await this.#until(() => this.#clients.running === 0, healWithinMs, 'send_ends');
    this.#clients.run(liftCaps(this.#model));
    for (const worker of oneWorkerAnApp(this.#workers))
      if (!worker.app.leaving) this.#clients.run(end(worker));
    await this.#until(() => this.#clients.running === 0, 5 * dayMs, invariant);
  }

  /** Waits until every client is done, every send has ended, and every copy has all of the log. */
  async #rest(): Promise<void> {
    const isAtRest = () => this.#clients.running === 0 && this.#isQuiet(openSendsOf);
    const heldMs = this.#drawn.campaigns || this.#drawn.journeys ? 25 * hourMs : 0;
    await this.#until(isAtRest, healWithinMs + heldMs, 'send_ends');
    await this.#until(
      () => isAtRest() && this.#isQuiet(openDeliveriesOf),
      deliveriesWithinMs,
      'webhook_ends',
    );
    const open = this.#audit.open()[0];
    this.#findings.expect(
      open === undefined,
      'send_ends',
      () => `${open?.sendId}/${open?.deviceId} is ${open?.state} in the log and nowhere in memory`,
    );
  }

  #isQuiet(openOf: (node: ClusterNode, index: number) => number): boolean {
    return this.#logs.every(({ seq, writer }, index) => {
      const nodes = this.#machines.map(({ node }) => node);
      const owner = nodes.find((node) => node?.role(index) === 'owner');
      if (owner === undefined || owner.world.process !== writer) return false;
      const isWhole = nodes.every((node) => {
        const mine = node?.copies[index];
        return (
          mine?.memory.partition.seq === seq &&
          mine.store.durableSeq === seq &&
          (node === owner || node?.role(index) === 'standby')
        );
      });
      const waiting = owner.copies[index]?.memory.partition.mailboxSize ?? 0;
      return isWhole && waiting === 0 && openOf(owner, index) === 0;
    });
  }

  async #until(condition: () => boolean, withinMs: Millis, invariant: Invariant): Promise<void> {
    const deadlineMs = this.#timeline.nowMs + withinMs;
    while (this.#findings.first === undefined && !condition()) {
      if (this.#timeline.nextMs > deadlineMs || this.#timeline.executed > eventsMax) {
        this.#findings.add(invariant, `has not ended in time: ${this.#where()}`);
        return;
      }
      this.#timeline.step();
      await new Promise((resolve) => setImmediate(resolve));
      for (const index of this.#fatal) this.#kill(this.#machines[index] as Machine);
      this.#fatal.clear();
    }
  }

  /** What stands where, for a run that does not end. */
  #where(): string {
    const copies = this.#logs.map(({ seq, term, writer }, index) => {
      const each = this.#machines.map(({ node, time, cut }) => {
        const state = [time.isStopped && 'stopped', cut.calls && 'cut', cut.answers && 'deaf'];
        if (node === undefined) return 'dead';
        const mine = node.copies[index];
        const open = openSendsOf(node, index) + openDeliveriesOf(node, index);
        return `${node.role(index)}@${mine?.memory.partition.seq}/${mine?.store.durableSeq} open ${open} ${state.filter(Boolean)}`;
      });
      return `p${index} term ${term} seq ${seq} of ${writer}: ${each.join(', ')}`;
    });
    return `${this.#clients.running} clients; ${copies.join('; ')}`;
  }

  // Nodes

  #start(machine: Machine): void {
    machine.time = new ProcessTime(this.#timeline);
    const process = ++this.#lives;
    this.#machineOf.set(process, machine);
    const world = this.#nodeWorld(machine, process);
    machine.node = new ClusterNode(
      world,
      machine.disks,
      seededRng(this.#seed, `cluster life ${process}`),
    );
  }

  #nodeWorld(machine: Machine, process: number): NodeWorld {
    const { time } = machine;
    const isAlive = () => machine.time === time && machine.node?.alive === true;
    const isStarting = () => machine.time === time && machine.node?.alive !== false;
    const link = logLink({
      timeline: this.#timeline,
      rng: seededRng(this.#seed, `cluster link ${process}`),
      cut: machine.cut,
      time,
      isAlive: isStarting,
      trouble: () => this.#faults.logTrouble,
    });
    /** A stopped process hears of nothing. */
    const heard = <T>(answer: Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        answer.then(
          (value) => time.run(() => resolve(value)),
          (error: unknown) => time.run(() => reject(error)),
        );
      });
    const ledger = this.#ledger.of(process);
    const grantedIn = new Map<number, number>();
    return {
      ...{ timeline: time, clock: this.#clockOfMachine(machine) },
      ...{ findings: this.#findings, sealer: this.#sealer, checks: this.#checks },
      ...{ node: machine.index, process, planted: this.#planted },
      name: `node ${machine.index} in life ${process}`,
      partitions: this.#drawn.partitions,
      pollMs: () => (this.#isHealed ? calmMs : this.#drawn.pollMs),
      sabotage: this.#planted.hastyEffects === true ? { machine: this.#hasty(machine) } : {},
      faults: () => this.#faults,
      diskLow: () => this.#weather.diskLow,
      diskFull: () => this.#weather.diskFull,
      adapter: () => {
        const adapter = this.#providers.adapter(isAlive, ledger);
        return {
          ...adapter,
          send: (...call) => {
            this.#tempt(process);
            return heard(adapter.send(...call));
          },
        };
      },
      receiver: () => (attempt) => {
        const partition = this.#partitionOf(parseId('whd', attempt.deliveryId)?.ordinal ?? 0);
        const life = process * 100_000 + this.#log(partition).term;
        return heard(this.#receivers.deliver(attempt, life, isAlive));
      },
      log: (partition) => new MemoryLog(this.#log(partition).stream, link),
      onDurable: () => {},
      onGrant: (grant) => this.#granted(grant, process, grantedIn),
      onWebhookGrant: (grant: WebhookGrant) => this.#audit.webhooks.granted(grant),
      onJudged: () => {},
      onPromise: () => {},
      onFatal: (why) => {
        this.#note(`node ${machine.index} fatal: ${why}`);
        this.#fatal.add(machine.index);
      },
      note: (text) => this.#note(text),
      askOwner: (to, message, answer) => this.#ask(to, message, { lane: 'bulk' }, answer),
      onAnswer: (partition, term) => this.#log(partition).answered(term, process),
      onGone: (partition) => void this.#bootstrap(machine, partition),
      onTerm: (partition, term, address) => {
        grantedIn.set(partition, term);
        this.#seesTerm(`${process} ${address}`, partition, term);
      },
    };
  }

  #seesTerm(memory: string, partition: number, term: number): void {
    const before = this.#terms.get(memory) ?? 0;
    this.#terms.set(memory, Math.max(before, term));
    this.#findings.expect(
      term >= before,
      'terms_rise',
      () => `memory ${memory} sees term ${term} of partition ${partition} behind ${before}`,
    );
  }

  #granted(
    grant: DispatchGrant | DispatchWave,
    process: number,
    terms: ReadonlyMap<number, number>,
  ): void {
    this.#note(`grant by ${process} ${grant.app} ${grant.channel}`);
    const granted = grant.kind === 'dispatch.wave' ? grantOfWave(grant) : grant;
    const term = terms.get(this.#partitionOf(grant.app)) ?? 0;
    this.#ledger.granted(granted, process, term, this.#model.optedOut);
    this.#tempt(process);
  }

  #hasty(machine: Machine) {
    return (product: Parameters<typeof wrapped>[0]) =>
      wrapped(product, {
        pump: (context, budget) => {
          const result = product.pump(context, budget);
          for (const effect of result?.effects ?? []) {
            const { partition } = effect.message as Message & { readonly partition: number };
            machine.node?.emitNow(partition % this.#drawn.partitions, effect);
          }
          return result && { ...result, effects: [] };
        },
      });
  }

  /** The copy is made anew from the files of another machine. */
  async #bootstrap(machine: Machine, index: number): Promise<void> {
    const { node } = machine;
    if (node?.alive !== true || node.role(index) !== 'gone') return;
    const { oldest } = this.#log(index).stream;
    const source = this.#machines
      .map((one) => one.node?.copies[index])
      .find((one) => one !== undefined && one.copy.place.position + 1 >= oldest);
    if (source === undefined || source.copy.role === 'gone') {
      this.#timeline.after(1_000, () => void this.#bootstrap(machine, index));
      return;
    }
    this.#figures.copied++;
    this.#note(`node ${machine.index} p${index} is copied`);
    const files = source.files.copy();
    await node.replace(index, { files, checkpoint: undefined });
  }

  #kill(machine: Machine): void {
    const { node } = machine;
    if (node === undefined) return;
    this.#figures.kills++;
    this.#note(`node ${machine.index} dies`);
    machine.disks = node.kill(this.#faults.powerCuts);
    machine.node = undefined;
    this.#timeline.after(span(this.#rng, 10, 30_000), () => {
      this.#note(`node ${machine.index} starts`);
      this.#start(machine);
    });
  }

  #wholeRestart(): void {
    this.#note('all nodes die');
    for (const machine of this.#machines) this.#kill(machine);
  }

  // Faults

  #strike(isOver: () => boolean): void {
    const { chaosMs, blows } = this.#drawn;
    this.#timeline.after((fraction(this.#rng) * 2 * chaosMs) / blows, () => {
      if (isOver()) return;
      this.#blow(pick(this.#rng, this.#machines));
      this.#strike(isOver);
    });
  }

  /** Something of a process is under way: now and then that brings a blow upon it. */
  #tempt(process: number): void {
    if (this.#isHealed || this.#blowsLeft === 0 || !coin(this.#rng, 1 / busyPerBlow)) return;
    this.#blowsLeft--;
    const machine = this.#machineOf.get(process) as Machine;
    this.#timeline.after(fraction(this.#rng) * 100, () => {
      if (!this.#isHealed) this.#blow(machine);
    });
  }

  #blow(machine: Machine): void {
    const { kills, stops, cuts, lostDisks, wholeRestarts, usurpers } = this.#drawn;
    const rng = this.#rng;
    const drawn: (() => void)[] = [() => this.#trim()];
    if (kills) drawn.push(() => this.#kill(machine));
    if (stops) drawn.push(() => this.#stop(machine));
    if (cuts) drawn.push(() => this.#cutOff(machine));
    if (usurpers) drawn.push(() => this.#usurp(machine));
    if (lostDisks) drawn.push(() => this.#loseDisk(machine));
    if (wholeRestarts && coin(rng, 0.3)) drawn.push(() => this.#wholeRestart());
    if (this.#planted.startsStandbys === true)
      drawn.push(() => {
        for (const { copy, memory } of machine.node?.copies ?? [])
          if (copy.role === 'standby') memory.partition.start();
      });
    pick(rng, drawn)();
  }

  #stop({ time, node, index }: Machine): void {
    if (node === undefined || time.isStopped) return;
    this.#figures.stops++;
    this.#note(`node ${index} is stopped`);
    time.stop();
    this.#timeline.after(span(this.#rng, 500, 60_000), () => {
      if (!time.isStopped) return;
      this.#note(`node ${index} is woken`);
      time.wake();
    });
  }

  #cutOff({ cut, index }: Machine): void {
    this.#figures.cuts++;
    const way = pick(this.#rng, ['calls', 'answers'] as const);
    this.#note(`node ${index} is cut off: ${way}`);
    cut[way] = true;
    if (coin(this.#rng, 0.4)) cut[way === 'calls' ? 'answers' : 'calls'] = true;
    this.#timeline.after(span(this.#rng, 500, 40_000), () => {
      cut.calls = false;
      cut.answers = false;
    });
  }

  /** Another one claims what this one has. */
  #usurp({ index: victim }: Machine): void {
    const machine = pick(
      this.#rng,
      this.#machines.filter(({ index }) => index !== victim),
    );
    for (const index of this.#logs.keys())
      if (machine.node !== undefined && coin(this.#rng, 0.6)) this.#claim(machine, index);
  }

  /** Only where another machine has all of the log. */
  #loseDisk(machine: Machine): void {
    const others = this.#machines.filter(({ node }) => node !== undefined && node !== machine.node);
    if (machine.node === undefined || others.length < 2) return;
    this.#figures.lostDisks++;
    this.#note(`node ${machine.index} loses its disk`);
    this.#kill(machine);
    machine.disks = this.#logs.map(newDisk);
  }

  /** The logs keep what some copy needs next, or only what the best of them does. */
  #trim(): void {
    for (const [index, { stream }] of this.#logs.entries()) {
      const places = this.#machines.flatMap(({ node }) => {
        const copy = node?.copies[index]?.copy;
        const isWhole = copy?.role === 'owner' || copy?.role === 'standby';
        return isWhole ? [(copy as NonNullable<typeof copy>).storedPosition] : [];
      });
      if (places.length < 2) continue;
      const least = Math.min(...places);
      stream.trim(least);
      this.#note(`p${index} is trimmed through ${least}`);
    }
  }

  // Ownership

  /** Every second: whose owner is silent gets another. */
  #watch(): void {
    for (const [index, owner] of this.#owners.entries()) this.#lookAt(index, owner);
    this.#timeline.after(this.#isHealed ? calmMs : 1_000, () => this.#watch());
  }

  #lookAt(index: number, owner: Ownership): void {
    const { nowMs } = this.#timeline;
    const machine = owner.machine === undefined ? undefined : this.#machines[owner.machine];
    if (machine !== undefined && isWell(machine) && machine.node?.role(index) === 'owner')
      owner.wellMs = nowMs;
    if (nowMs - owner.wellMs < silentMs) return;
    owner.wellMs = nowMs;
    const { length } = this.#machines;
    const first = (owner.machine ?? index - 1) + 1;
    for (let turn = 0; turn < length; turn++) {
      const next = this.#machines[(first + turn) % length] as Machine;
      if (!isWell(next) || next.node?.role(index) !== 'standby') continue;
      this.#claim(next, index);
      return;
    }
  }

  #claim(machine: Machine, index: number): void {
    const { node } = machine;
    if (node === undefined) return;
    node.takeOver(index).then(
      (isOwner) => {
        if (!isOwner) this.#figures.lostClaims++;
        else {
          this.#figures.takeovers++;
          this.#owners[index] = { machine: machine.index, wellMs: this.#timeline.nowMs };
        }
      },
      (error: unknown) => this.#findings.add('no_throw', `${(error as Error).stack}`),
    );
  }

  #beat(): void {
    for (const { node, time } of this.#machines) if (!time.isStopped) node?.beat();
    this.#timeline.after(this.#isHealed ? calmMs : this.#drawn.beatMs, () => this.#beat());
  }

  // Clients

  /** As a front does it: asks the owner, and again where there is another by then. */
  #ask(
    to: number,
    message: Message,
    options: { lane?: 'express' | 'bulk'; bytes?: Uint8Array | undefined },
    answer: Pending,
  ): void {
    const { machine } = this.#owners[this.#partitionOf(to)] as Ownership;
    const node = machine === undefined ? undefined : this.#machines[machine]?.node;
    const again = () =>
      this.#timeline.after(50 + fraction(this.#rng) * 500, () =>
        this.#ask(to, message, options, answer),
      );
    if (node === undefined) {
      again();
      return;
    }
    node.ask(to, message, options, (reply) => {
      if (reply === 'lost' || reply.ok || reply.fault.code !== 'moved') answer(reply);
      else {
        this.#figures.movedRequests++;
        again();
      }
    });
  }

  #checkCopies(): void {
    if (this.#findings.first !== undefined) return;
    for (const index of this.#logs.keys())
      this.#checks.atRest(
        index,
        this.#machines.flatMap(({ node }) => {
          const mine = node?.copies[index];
          return mine === undefined
            ? []
            : [{ partition: mine.memory.partition, files: mine.files }];
        }),
      );
  }

  #surroundings() {
    return {
      model: this.#model,
      rng: seededRng(this.#seed, `cluster clients ${this.#lives}`),
      findings: this.#findings,
      audit: this.#audit,
      providers: this.#providers,
      latestMs: () => this.#weather.latestMs,
      spawn: (client: Client) => this.#clients.run(client),
    };
  }
}

function newDisk(): CopyDisk {
  return { files: new MemoryStore({ settle: 'manual' }), checkpoint: undefined };
}

/** Nothing goes wrong any more. */
function calm(faults: ClusterFaults): ClusterFaults {
  return { ...faults, ...healed(faults), logTrouble: 0, powerCuts: false };
}

function isWell({ node, time, cut }: Machine): boolean {
  return node !== undefined && !time.isStopped && !cut.calls && !cut.answers;
}

function openSendsOf(node: ClusterNode, index: number): number {
  let count = 0;
  for (const app of node.copies[index]?.memory.product.state.apps.values() ?? []) {
    count += app.outbox.jobs.size;
    for (const { open } of app.sending.waves.values()) count += open;
  }
  return count;
}

function openDeliveriesOf(node: ClusterNode, index: number): number {
  let count = 0;
  for (const { webhooks } of node.copies[index]?.memory.product.state.apps.values() ?? []) {
    for (const { open } of webhooks.destinations.values()) count += open;
    if (webhooks.passes.stopping !== undefined) count++;
  }
  return count;
}
