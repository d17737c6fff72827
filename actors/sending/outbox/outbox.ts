// The open sends of one app and a queue per channel; a fold of entries. Content is in the tables
// `sends` and `send chunks`. Change jobs only through the methods: they keep the indexes up to
// date.

import type { Rebase } from '../../../engine/actor/machine.ts';
import type { Lane } from '../../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { type IdParts, parseId } from '../../../engine/base/id.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { serverRelay } from '../../channels/port/open-relay.ts';
import type { Outcome } from '../../channels/port/outcome.ts';
import { limits } from '../../limits.ts';
import {
  bulkCount,
  type ChannelQueue,
  type DueAgain,
  emptyQueue,
  isWorthCutting,
  rest,
  trimmed,
} from './channel-queue.ts';
import { type Circuit, healthy, type ProviderHealth } from './circuit.ts';
import { type Job, type Target, type TargetWait, withTry } from './job.ts';
import { OutboxRun, type RunColumns, type RunSnapshot } from './outbox-run.ts';
import type { AttemptReport } from './protocol.ts';
import { idInRun, runKeyOf } from './send-chunk.ts';
import { isMendedByCredential, isSlowed } from './slowdown.ts';

interface DueTarget {
  readonly job: Job;
  readonly index: number;
}

/** How an attempt leaves. */
interface Started {
  readonly relay?: string | undefined;
  readonly warmed?: boolean;
  readonly copies?: number | undefined;
}

/** Open sends by id. A send of a run is built anew by every read. */
interface OpenSends {
  readonly size: number;
  has(sendId: string): boolean;
  get(sendId: string): Job | undefined;
  values(): Iterable<Job>;
}

const oldestLooksMax = 1_000;

export class Outbox {
  readonly #jobs = new Map<string, Job>();
  /** Derived. Most people have one open send, and a set for each would weigh more than the job. */
  readonly #byPerson = new Map<PersonOrdinal, Job | Set<Job>>();
  /** Derived: targets that are not done, without those of paused campaigns. */
  readonly #openOn = new Map<ChannelId, number>();
  /** By `runKeyOf`. */
  readonly #runs = new Map<string, OutboxRun>();
  #inRuns = 0;
  readonly jobs: OpenSends = this.#openSends();
  readonly channels = new Map<ChannelId, ChannelQueue>();

  /** Targets that could start now, over all channels. */
  get readyCount(): number {
    let count = 0;
    for (const queue of this.channels.values()) {
      const { channel, ready, head, again } = queue;
      count += bulkCount(queue) + again.entries.length - again.head;
      for (let place = head; place < ready.length; place++) {
        const due = ready[place] as ChannelQueue['ready'][number];
        count += due instanceof OutboxRun ? due.leftOn(channel) : 1;
      }
    }
    return count;
  }

  /** Targets of a channel that are not done, without those of paused campaigns. */
  openOn(channel: ChannelId): number {
    return this.#openOn.get(channel) ?? 0;
  }

  /** Creates no queue, so a decision may call it. */
  health(channel: ChannelId): ProviderHealth {
    const queue = this.channels.get(channel);
    if (queue === undefined) return healthy;
    const { pausedUntilMs, configFailures, unreached, accounts, because } = queue;
    const { slowed, slowedMs } = queue;
    return {
      ...{ pausedUntilMs, configFailures, unreached },
      ...(accounts === undefined ? {} : { accounts }),
      ...(because === undefined ? {} : { because }),
      ...(slowed === undefined ? {} : { slowed }),
      ...(slowedMs === undefined ? {} : { slowedMs }),
    };
  }

  /** The provider treats the channel so from now on. */
  stand(channel: ChannelId, standing: ProviderHealth): void {
    const queue = this.queue(channel);
    Object.assign(queue, standing);
    if (queue.slowed === 0) endSlowdown(queue);
  }

  /** Its circuit is probed before its time, and what slowed it down is over: a new credential. */
  probeNow(channel: ChannelId): void {
    const queue = this.channels.get(channel);
    if (queue === undefined) return;
    queue.pausedUntilMs = 0;
    if (queue.slowed !== undefined) endSlowdown(queue);
    const { accounts } = queue;
    if (accounts !== undefined)
      queue.accounts = Object.fromEntries(
        Object.entries(accounts).filter(([part, one]) => !isMendedByCredential(part, one)),
      );
  }

  /** A send probes a part of the provider; the others wait for it. */
  probe(channel: ChannelId, account: string, atMs: Millis): void {
    const queue = this.queue(channel);
    const circuit = queue.accounts?.[account];
    if (circuit === undefined) return;
    const holdMs = isSlowed(circuit) ? limits.slowedProbeHoldMs : limits.circuitProbeHoldMs;
    const probingUntilMs = atMs + holdMs;
    queue.accounts = { ...queue.accounts, [account]: { ...circuit, probingUntilMs } };
  }

  /** For folds: creates the queue if there is none. */
  queue(channel: ChannelId): ChannelQueue {
    let queue = this.channels.get(channel);
    if (queue === undefined) {
      queue = emptyQueue(channel);
      this.channels.set(channel, queue);
    }
    return queue;
  }

  add(job: Job): void {
    this.#keep(job);
    this.#queueDue(job);
  }

  /** Sends of a batch, all due. */
  addRun(columns: RunColumns): void {
    const run = new OutboxRun(columns);
    if (this.#runs.size >= limits.outboxRunsMax) {
      for (const job of run.jobs()) this.add(job);
      return;
    }
    this.#runs.set(run.key, run);
    this.#inRuns += run.left;
    for (const channel of run.channels) {
      this.#countOpen(channel, run.leftOn(channel));
      this.queue(channel).ready.push(run);
    }
  }

  /** A due target was handed to a dispatcher. */
  start(sendId: string, index: number, { relay, warmed = false, copies = 0 }: Started = {}): void {
    const target = this.#target(sendId, index);
    if (target === undefined || target.state !== 'due') return;
    target.state = 'started';
    if (copies === 0) delete target.copies;
    else target.copies = copies;
    if (warmed) target.warmed = true;
    target.attempts++;
    if (relay === undefined) delete target.relay;
    else target.relay = relay;
    const queue = this.queue(target.channel);
    queue.inFlight++;
    queue.copiesInFlight += copies;
    this.#compact(queue);
  }

  /** A started target came back unsent: it is due again, and the call does not count. */
  giveBack(sendId: string, index: number): void {
    const target = this.#target(sendId, index);
    if (target === undefined || target.state !== 'started') return;
    target.attempts--;
    this.#land(target);
    this.#makeDue(sendId, index, target);
  }

  /** A started target is to be tried again, or a due one has to wait. */
  wait(sendId: string, index: number, why: TargetWait, atMs: Millis, relayName?: string): void {
    const target = this.#target(sendId, index);
    const { dueMs, counted, ambiguous, refusal, unstarted } = why;
    if (target === undefined || target.state !== (unstarted ? 'due' : 'started')) return;
    if (unstarted) {
      target.state = 'waiting';
      target.dueMs = dueMs;
      this.#compact(this.queue(target.channel));
      return;
    }
    target.tries = withTry(target, why, atMs, relayName);
    if (!counted) target.attempts--;
    if (ambiguous) target.ambiguous++;
    if (ambiguous) target.onlyBy = target.relay ?? serverRelay;
    if (refusal !== undefined) target.lastRefusal = refusal;
    target.state = 'waiting';
    target.dueMs = dueMs;
    this.#land(target);
  }

  /** Waiting targets of this send whose time has come become due. */
  wake(sendId: string, nowMs: Millis): void {
    const job = this.#jobs.get(sendId);
    job?.targets.forEach((target, index) => {
      if (target.state === 'waiting' && target.dueMs <= nowMs) this.#makeDue(sendId, index, target);
    });
  }

  /** What waits on a channel is due, but for messages that may have been accepted. */
  wakeOn(channel: ChannelId): void {
    for (const job of this.#jobs.values())
      job.targets.forEach((target, index) => {
        const { state, tries } = target;
        if (target.channel !== channel || state !== 'waiting' || tries?.at(-1)?.answer === 'none')
          return;
        this.#makeDue(job.sendId, index, target);
      });
  }

  /** A target has its receipt. The job ends with its last target. */
  finish(sendId: string, index: number): void {
    const job = this.#own(sendId);
    const target = job?.targets[index];
    if (job === undefined || target === undefined || target.state === 'done') return;
    const queue = this.queue(target.channel);
    if (target.state === 'started') this.#land(target);
    target.state = 'done';
    job.open--;
    if (job.paused !== true) this.#countOpen(target.channel, -1);
    this.#compact(queue);
    if (job.open === 0) this.#drop(job);
  }

  /** Awaited instants, and the lives of sends accepted at a wrong time. */
  rebase(to: Rebase): void {
    for (const job of this.#jobs.values()) {
      const acceptedMs = to.stamp(job.acceptedMs);
      if (job.expiresMs !== null) job.expiresMs -= job.acceptedMs - acceptedMs;
      job.acceptedMs = acceptedMs;
      for (const target of job.targets) target.dueMs = to.due(target.dueMs);
    }
    for (const run of this.#runs.values()) run.rebase(to);
    for (const queue of this.channels.values()) {
      queue.pausedUntilMs = to.due(queue.pausedUntilMs);
      if (queue.slowedMs !== undefined) queue.slowedMs = to.stamp(queue.slowedMs);
      if (queue.accounts !== undefined) queue.accounts = rebasedCircuits(queue.accounts, to);
    }
  }

  /** Keeps open sends from starting, for good; `held` finds them. */
  hold(which: 'all' | 'marketing' = 'all'): void {
    for (const job of this.#jobs.values())
      if (which === 'all' || job.origin !== undefined) job.held = true;
    if (which === 'all') for (const run of this.#runs.values()) run.held = true;
    for (const queue of this.channels.values()) this.#compact(queue);
  }

  /** Takes a paused campaign's due targets out of the queues; later ones do not enter. */
  pause(campaignId: string): void {
    for (const job of this.#jobs.values()) {
      if (!isOf(job, campaignId) || job.paused === true) continue;
      this.#countJob(job, -1);
      job.paused = true;
    }
    for (const queue of this.channels.values()) {
      const isPaused = ([id]: [string, number]) => this.#jobs.get(id)?.paused === true;
      queue.bulkReady = queue.bulkReady.slice(queue.bulkHead).filter((one) => !isPaused(one));
      queue.bulkHead = 0;
      const entries = rest(queue.bulkAgain).entries.filter((one) => !isPaused(one));
      queue.bulkAgain = { entries, head: 0 };
    }
  }

  /** Queues the due targets of a campaign again, once it is resumed or canceled. */
  resume(campaignId: string): void {
    for (const job of this.#jobs.values()) {
      if (!isOf(job, campaignId) || job.paused !== true) continue;
      delete job.paused;
      this.#countJob(job, 1);
      this.#queueDue(job);
    }
  }

  /** Marks the sends of a journey that is switched off, and makes those that wait due. */
  endJourney(journeyId: string): void {
    for (const job of this.#jobs.values()) {
      if (job.origin?.journeyId !== journeyId) continue;
      job.off = true;
      job.targets.forEach((target, index) => {
        if (target.state === 'waiting' && target.deadLetter === undefined)
          this.#makeDue(job.sendId, index, target);
      });
    }
  }

  /**
   * When the oldest open send was accepted, paused and held ones aside. Sends are in that order but
   * for those that left their run, so it looks at the first thousand.
   */
  get oldestMs(): Millis | undefined {
    let oldest: Millis | undefined;
    const note = (ms: Millis) => {
      oldest = Math.min(oldest ?? ms, ms);
    };
    let left = oldestLooksMax;
    for (const { acceptedMs, held, paused } of this.#jobs.values()) {
      if (left-- === 0) break;
      if (held !== true && paused !== true) note(acceptedMs);
    }
    for (const run of this.#runs.values()) if (!run.held && run.left > 0) note(run.acceptedMs);
    return oldest;
  }

  /** Held sends, at most `limit`. Skips runs that are not held. */
  held(limit: number): Job[] {
    const found: Job[] = [];
    const add = (jobs: Iterable<Job>) => {
      for (const job of jobs) {
        if (found.length === limit) break;
        if (job.held === true) found.push(job);
      }
    };
    add(this.#jobs.values());
    for (const run of this.#runs.values()) if (run.held) add(run.jobs());
    return found;
  }

  /** A person's open sends. Scans all runs: half a millisecond for a million sends. */
  of(person: PersonOrdinal): Job[] {
    const found = this.begunOf(person);
    for (const run of this.#runs.values())
      for (const place of run.placesOf(person)) found.push(run.jobAt(place));
    return found;
  }

  /** Those of some people who have open sends. One scan of all runs for any number of people. */
  openAmong(people: ReadonlySet<PersonOrdinal>): ReadonlySet<PersonOrdinal> {
    const open = new Set<PersonOrdinal>();
    for (const person of people) if (this.#byPerson.has(person)) open.add(person);
    if (people.size > open.size)
      for (const run of this.#runs.values()) run.addOpenAmong(people, open);
    return open;
  }

  /** A person's open sends outside runs. Costs what the person has, not what the app has. */
  begunOf(person: PersonOrdinal): Job[] {
    const theirs = this.#byPerson.get(person);
    if (theirs === undefined) return [];
    return theirs instanceof Set ? [...theirs] : [theirs];
  }

  /** Moves a person's open sends to the person they were merged into. */
  reassign(from: PersonOrdinal, into: PersonOrdinal): void {
    for (const job of this.begunOf(from)) {
      this.#unlist(job);
      job.person = into;
      this.#list(job);
    }
    for (const run of this.#runs.values()) run.reassign(from, into);
  }

  /** Drops everything of an erased person; outcomes of attempts in flight are then ignored. */
  forget(person: PersonOrdinal): void {
    for (const run of this.#runs.values()) {
      for (const place of run.placesOf(person)) {
        this.#countJob(run.jobAt(place), -1);
        this.#remove(run, place);
      }
    }
    for (const job of this.begunOf(person)) {
      this.#drop(job);
      for (const target of job.targets) {
        if (target.state === 'started') this.#land(target);
        target.state = 'done';
      }
    }
    for (const queue of this.channels.values()) this.#compact(queue);
  }

  /** The due targets of a lane, in order. The outbox must not change during the iteration. */
  *due(queue: ChannelQueue, lane: Lane = 'express'): Generator<DueTarget> {
    yield* this.dueAgain(queue, lane);
    yield* this.dueFirst(queue, lane);
  }

  /** Those of them that were tried before. */
  *dueAgain(queue: ChannelQueue, lane: Lane): Generator<DueTarget> {
    const { entries, head } = lane === 'bulk' ? queue.bulkAgain : queue.again;
    for (let place = head; place < entries.length; place++)
      yield* some(this.#ifDue(...(entries[place] as [string, number])));
  }

  /** Those of them that were not. */
  *dueFirst(queue: ChannelQueue, lane: Lane): Generator<DueTarget> {
    if (lane === 'bulk') {
      for (let place = queue.bulkHead; place < queue.bulkReady.length; place++)
        yield* some(this.#ifDue(...(queue.bulkReady[place] as [string, number])));
      return;
    }
    for (let place = queue.head; place < queue.ready.length; place++) {
      const entry = queue.ready[place] as ChannelQueue['ready'][number];
      if (!(entry instanceof OutboxRun)) yield* some(this.#ifDue(...entry));
      else if (!entry.held)
        for (const [send, index] of entry.devicesOn(queue.channel))
          yield* some(this.#dueInRun(entry, send, index));
    }
  }

  #ifDue(sendId: string, index: number): DueTarget | undefined {
    const job = this.#jobs.get(sendId);
    if (job === undefined || job.held === true) return undefined;
    return job.targets[index]?.state === 'due' ? { job, index } : undefined;
  }

  /** Finds a send that has left its run as a job; nothing if it was forgotten. */
  #dueInRun(run: OutboxRun, place: number, index: number): DueTarget | undefined {
    if (run.has(place)) return { job: run.jobAt(place), index };
    return this.#ifDue(idInRun(run.run, place), index);
  }

  /** Attempts in flight when the process ended, as reports of an ambiguous outcome. */
  interrupted(): Map<ChannelId, AttemptReport[]> {
    const found = new Map<ChannelId, AttemptReport[]>();
    for (const job of this.#jobs.values()) {
      if (job.held === true) continue; // its receipt is on its way
      job.targets.forEach((target, index) => {
        if (target.state !== 'started') return;
        const list = found.get(target.channel) ?? [];
        const account = target.relay === undefined ? {} : { account: target.relay };
        const outcome: Outcome = { outcome: 'ambiguous', reason: 'interrupted', ...account };
        list.push({ sendId: job.sendId, target: index, attempt: target.attempts, outcome });
        found.set(target.channel, list);
      });
    }
    return found;
  }

  snapshot(): unknown {
    return {
      jobs: [...this.#jobs.values()],
      channels: [...this.channels.values()].map(trimmed),
      runs: [...this.#runs.values()].map((run) => run.snapshot()),
    };
  }

  static restore(from: unknown): Outbox {
    const { jobs, channels, runs } = from as {
      jobs: Job[];
      channels: (Omit<ChannelQueue, 'ready'> & { ready: ([string, number] | string)[] })[];
      runs: RunSnapshot[];
    };
    const outbox = new Outbox();
    for (const one of runs) {
      const run = OutboxRun.restore(one);
      outbox.#runs.set(run.key, run);
      outbox.#inRuns += run.left;
      for (const job of run.jobs()) outbox.#countJob(job, 1);
    }
    for (const job of jobs)
      outbox.#keep({ ...job, targets: job.targets.map((one) => ({ ...one })) });
    for (const queue of channels)
      outbox.channels.set(queue.channel, {
        ...emptyQueue(queue.channel), // older snapshots have fewer members
        ...queue,
        ready: queue.ready.flatMap((entry): ChannelQueue['ready'] =>
          typeof entry === 'string' ? [...some(outbox.#runs.get(entry))] : [entry],
        ),
        bulkReady: [...queue.bulkReady],
        again: rest(queue.again ?? emptyQueue(queue.channel).again),
        bulkAgain: rest(queue.bulkAgain ?? emptyQueue(queue.channel).bulkAgain),
      });
    return outbox;
  }

  #keep(job: Job): void {
    const before = this.#jobs.get(job.sendId);
    if (before !== undefined) this.#drop(before);
    this.#jobs.set(job.sendId, job);
    this.#list(job);
    this.#countJob(job, 1);
  }

  #drop(job: Job): void {
    this.#jobs.delete(job.sendId);
    this.#unlist(job);
    this.#countJob(job, -1);
  }

  /** A send as a job of its own; takes it out of its run first. */
  #own(sendId: string): Job | undefined {
    const job = this.#jobs.get(sendId);
    if (job !== undefined) return job;
    const found = this.#inRun(sendId);
    if (found === undefined) return undefined;
    const own = found.run.jobAt(found.place);
    this.#remove(found.run, found.place);
    this.#jobs.set(sendId, own);
    this.#list(own);
    return own;
  }

  #inRun(sendId: string): { readonly run: OutboxRun; readonly place: number } | undefined {
    if (this.#runs.size === 0) return undefined;
    const parts = parseId('ntf', sendId);
    const run = parts && this.#runs.get(runKeyOf(parts));
    const place = run === undefined ? -1 : run.placeOf(parts as IdParts);
    return run === undefined || place < 0 ? undefined : { run, place };
  }

  #remove(run: OutboxRun, place: number): void {
    run.remove(place);
    this.#inRuns--;
    if (run.isOver) this.#runs.delete(run.key);
  }

  #openSends(): OpenSends {
    const [jobs, runs] = [this.#jobs, this.#runs];
    const size = () => jobs.size + this.#inRuns;
    const found = (id: string) => this.#inRun(id);
    return {
      get size() {
        return size();
      },
      has: (id) => jobs.has(id) || found(id) !== undefined,
      get: (id) => {
        const own = jobs.get(id);
        const place = own === undefined ? found(id) : undefined;
        return place === undefined ? own : place.run.jobAt(place.place);
      },
      *values() {
        yield* jobs.values();
        for (const run of runs.values()) yield* run.jobs();
      },
    };
  }

  #countJob({ targets, paused }: Job, by: 1 | -1): void {
    if (paused === true) return;
    for (const { state, channel } of targets) if (state !== 'done') this.#countOpen(channel, by);
  }

  #countOpen(channel: ChannelId, by: number): void {
    this.#openOn.set(channel, this.openOn(channel) + by);
  }

  #list(job: Job): void {
    const theirs = this.#byPerson.get(job.person);
    if (theirs === undefined) this.#byPerson.set(job.person, job);
    else if (theirs instanceof Set) theirs.add(job);
    else this.#byPerson.set(job.person, new Set([theirs, job]));
  }

  #unlist(job: Job): void {
    const theirs = this.#byPerson.get(job.person);
    if (!(theirs instanceof Set)) this.#byPerson.delete(job.person);
    else {
      theirs.delete(job);
      if (theirs.size === 0) this.#byPerson.delete(job.person);
    }
  }

  /** A call of a target is over. */
  #land({ channel, copies = 0 }: Target): void {
    const queue = this.queue(channel);
    queue.inFlight--;
    queue.copiesInFlight -= copies;
  }

  #target(sendId: string, index: number): Target | undefined {
    return this.#own(sendId)?.targets[index];
  }

  #makeDue(sendId: string, index: number, target: Target): void {
    target.state = 'due';
    const job = this.#jobs.get(sendId);
    if (job === undefined || job.paused === true) return;
    const { again, bulkAgain } = this.queue(target.channel);
    (job.origin === undefined ? again : bulkAgain).entries.push([sendId, index]);
  }

  #queueDue(job: Job): void {
    job.targets.forEach((target, index) => {
      if (target.state === 'due') this.#enqueue(job, index, target);
    });
  }

  #enqueue(job: Job, index: number, target: Target): void {
    const { ready, bulkReady } = this.queue(target.channel);
    if (job.paused === true) return;
    (job.origin === undefined ? ready : bulkReady).push([job.sendId, index]);
  }

  /** Whether nothing at a place of the queue is due. Advances a run as far as that holds. */
  #isPast({ channel, ready }: ChannelQueue, place: number): boolean {
    const entry = ready[place] as ChannelQueue['ready'][number];
    if (!(entry instanceof OutboxRun)) return this.#ifDue(...entry) === undefined;
    for (const [send, index] of entry.devicesOn(channel)) {
      if (!entry.held && this.#dueInRun(entry, send, index) !== undefined) return false;
      entry.passOn(channel, send, index);
    }
    if (entry.isOver) this.#runs.delete(entry.key);
    return true;
  }

  /** Moves the heads past targets that are no longer due, and frees memory now and then. */
  #compact(queue: ChannelQueue): void {
    const { ready, bulkReady } = queue;
    while (queue.head < ready.length && this.#isPast(queue, queue.head)) queue.head++;
    while (
      queue.bulkHead < bulkReady.length &&
      this.#ifDue(...(bulkReady[queue.bulkHead] as [string, number])) === undefined
    )
      queue.bulkHead++;
    this.#compactAgain(queue.again);
    this.#compactAgain(queue.bulkAgain);
    if (isWorthCutting(ready, queue.head)) {
      queue.ready = ready.slice(queue.head);
      queue.head = 0;
    }
    if (isWorthCutting(bulkReady, queue.bulkHead)) {
      queue.bulkReady = bulkReady.slice(queue.bulkHead);
      queue.bulkHead = 0;
    }
  }

  #compactAgain(again: DueAgain): void {
    const { entries } = again;
    while (
      again.head < entries.length &&
      this.#ifDue(...(entries[again.head] as [string, number])) === undefined
    )
      again.head++;
    if (isWorthCutting(entries, again.head)) Object.assign(again, rest(again));
  }
}

function some<One>(one: One | undefined): readonly One[] {
  return one === undefined ? [] : [one];
}

function isOf({ origin }: Job, campaignId: string): boolean {
  return origin?.campaignId === campaignId;
}

/** The circuits of parts of a provider; their pauses keep what is left of them. */
function rebasedCircuits(
  accounts: NonNullable<ProviderHealth['accounts']>,
  to: Rebase,
): NonNullable<ProviderHealth['accounts']> {
  const rebased = ([name, circuit]: [string, Circuit]) => {
    const { pausedUntilMs, probingUntilMs, slowedMs, shutMs } = circuit;
    return [
      name,
      {
        ...circuit,
        pausedUntilMs: to.due(pausedUntilMs),
        ...(probingUntilMs === undefined ? {} : { probingUntilMs: to.due(probingUntilMs) }),
        ...(slowedMs === undefined ? {} : { slowedMs: to.stamp(slowedMs) }),
        ...(shutMs === undefined ? {} : { shutMs: to.stamp(shutMs) }),
      },
    ];
  };
  return Object.fromEntries(Object.entries(accounts).map(rebased));
}

function endSlowdown(queue: ChannelQueue): void {
  delete queue.slowed;
  delete queue.slowedMs;
}
