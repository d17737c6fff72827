// What one app has to send, in memory: open sends, their devices, and a queue per channel. A fold of entries; the
// words to send are in the `sends` table. A target is in exactly one state: due, started, waiting or done. Jobs come and go
// through the methods alone, since whose they are is kept beside them.

import type { Lane } from '../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import type { SendTryRow } from '../../storage/tables/send.ts';
import type { Outcome } from '../channels/adapter.ts';
import type { ChannelId } from '../channels/catalog.ts';
import { limits } from '../limits.ts';
import type { Origin, Settlement } from './protocol.ts';

export type TargetState = 'due' | 'started' | 'waiting' | 'done';

/** One device of an open send. */
export interface Target {
  readonly deviceId: string;
  readonly channel: ChannelId;
  state: TargetState;
  /** Calls made, or under way. */
  attempts: number;
  /** When a waiting target is due again. */
  dueMs: Millis;
  /** Ambiguous attempts so far: a channel without a key is sent again only once. */
  ambiguous: number;
  /** What the provider said to the newest attempt that failed. */
  lastRefusal?: string;
  /** The calls so far that another has to follow, oldest first: never changed in place, as checkpoints share it. */
  tries?: readonly SendTryRow[];
  /** Set when an operator redrives a dead letter: its id. */
  deadLetter?: string;
}

/** A send with at least one target that is not done. */
export interface Job {
  readonly sendId: string;
  /** Changes when the person is merged into another; only `reassign` does it. */
  person: PersonOrdinal;
  readonly acceptedMs: Millis;
  /** After this instant it is not sent any more. */
  readonly expiresMs: Millis | null;
  readonly targets: readonly Target[];
  open: number;
  /** Absent for a transactional send, whose words are in its row. */
  readonly origin?: Origin;
  /** Set by a restore that gives up what was pending: nothing of it starts any more, it only waits for its receipts. */
  held?: true;
  /** Set while its campaign is paused: nothing of it starts until that is resumed. */
  paused?: true;
}

/** How an (app, channel) stands with its provider. */
export interface ChannelQueue {
  readonly channel: ChannelId;
  /** Due targets of transactional sends, oldest first: pairs of send id and target index. */
  ready: [string, number][];
  head: number;
  /** Those of marketing sends, which come after. */
  bulkReady: [string, number][];
  bulkHead: number;
  inFlight: number;
  /** Nothing starts before this instant: the provider asked for a pause, or the circuit is open. */
  pausedUntilMs: Millis;
  /** `config` outcomes in a row; above 0 only one probe is in flight at a time. */
  configFailures: number;
}

type Waiting = Omit<Extract<Settlement, { next: 'waiting' }>, 'next'>;

/** The calls of a target with one more. A provider that says the same again costs no second copy of its words. */
export function withTry(
  { tries = [], attempts, lastRefusal }: Pick<Target, 'tries' | 'attempts' | 'lastRefusal'>,
  { counted, ambiguous, refusal }: Pick<Waiting, 'counted' | 'ambiguous' | 'refusal'>,
  atMs: Millis,
): readonly SendTryRow[] {
  const said = refusal === lastRefusal ? lastRefusal : refusal;
  const answer = ambiguous ? 'none' : counted ? 'not_now' : 'pause';
  const one: SendTryRow = {
    atMs,
    attempt: attempts,
    answer,
    ...(said === undefined ? {} : { said }),
  };
  return [...tries.slice(1 - limits.triesKept), one];
}

/** All that an app has to send. */
export class Outbox {
  readonly #jobs = new Map<string, Job>();
  /** Derived, never written down. Most people have one open send, and a set for each would weigh more than the job. */
  readonly #byPerson = new Map<PersonOrdinal, Job | Set<Job>>();
  /** Derived: targets that are not done, without those of paused campaigns. */
  readonly #openOn = new Map<ChannelId, number>();
  /** Open sends by id, oldest first. */
  readonly jobs: ReadonlyMap<string, Job> = this.#jobs;
  readonly channels = new Map<ChannelId, ChannelQueue>();

  /** Targets that could start now, over all channels. */
  get readyCount(): number {
    let count = 0;
    for (const { ready, head, bulkReady, bulkHead } of this.channels.values())
      count += ready.length - head + bulkReady.length - bulkHead;
    return count;
  }

  /** How many targets of open sends a channel has; those of paused campaigns wait for nothing but their author. */
  openOn(channel: ChannelId): number {
    return this.#openOn.get(channel) ?? 0;
  }

  /** How a channel stands, for who decides: nothing is made by asking. */
  standing(channel: ChannelId): Pick<ChannelQueue, 'pausedUntilMs' | 'configFailures'> {
    const { pausedUntilMs, configFailures } = this.channels.get(channel) ?? emptyQueue(channel);
    return { pausedUntilMs, configFailures };
  }

  /** For folds: a channel that had nothing yet has a queue from now on. */
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
    job.targets.forEach((target, index) => {
      if (target.state === 'due') this.#line(job, index, target);
    });
  }

  /** A due target was handed to a dispatcher. */
  start(sendId: string, index: number): void {
    const target = this.#target(sendId, index);
    if (target === undefined || target.state !== 'due') return;
    target.state = 'started';
    target.attempts++;
    const queue = this.queue(target.channel);
    queue.inFlight++;
    this.#compact(queue);
  }

  /** A started target came back unsent: it is due again and the call is not counted. */
  giveBack(sendId: string, index: number): void {
    const target = this.#target(sendId, index);
    if (target === undefined || target.state !== 'started') return;
    target.attempts--;
    this.queue(target.channel).inFlight--;
    this.#makeDue(sendId, index, target);
  }

  /** A started target has to be tried again, or a due one has to wait. */
  wait(sendId: string, index: number, why: Waiting, atMs: Millis): void {
    const target = this.#target(sendId, index);
    const { dueMs, counted, ambiguous, refusal, unstarted } = why;
    if (target === undefined || target.state !== (unstarted ? 'due' : 'started')) return;
    if (unstarted) {
      target.state = 'waiting';
      target.dueMs = dueMs;
      this.#compact(this.queue(target.channel));
      return;
    }
    target.tries = withTry(target, why, atMs);
    if (!counted) target.attempts--;
    if (ambiguous) target.ambiguous++;
    if (refusal !== undefined) target.lastRefusal = refusal;
    target.state = 'waiting';
    target.dueMs = dueMs;
    this.queue(target.channel).inFlight--;
  }

  /** Waiting targets of this send whose time has come are due. */
  wake(sendId: string, nowMs: Millis): void {
    const job = this.jobs.get(sendId);
    job?.targets.forEach((target, index) => {
      if (target.state === 'waiting' && target.dueMs <= nowMs) this.#makeDue(sendId, index, target);
    });
  }

  /** A target has its receipt. The job goes with its last one. */
  finish(sendId: string, index: number): void {
    const job = this.jobs.get(sendId);
    const target = job?.targets[index];
    if (job === undefined || target === undefined || target.state === 'done') return;
    const queue = this.queue(target.channel);
    if (target.state === 'started') queue.inFlight--;
    target.state = 'done';
    job.open--;
    if (job.paused !== true) this.#countOpen(target.channel, -1);
    this.#compact(queue);
    if (job.open === 0) this.#drop(job);
  }

  /** Keeps open sends from starting, for good; `held` finds them. */
  hold(which: 'all' | 'marketing' = 'all'): void {
    for (const job of this.jobs.values())
      if (which === 'all' || job.origin !== undefined) job.held = true;
    for (const queue of this.channels.values()) this.#compact(queue);
  }

  /** A campaign is paused: what is due of its sends leaves the line, what comes due later does not get into it. */
  pause(campaignId: string): void {
    for (const job of this.jobs.values()) {
      if (!isOf(job, campaignId) || job.paused === true) continue;
      this.#countJob(job, -1);
      job.paused = true;
    }
    for (const queue of this.channels.values()) {
      const { bulkReady, bulkHead } = queue;
      queue.bulkReady = bulkReady.slice(bulkHead).filter(([id]) => !this.jobs.get(id)?.paused);
      queue.bulkHead = 0;
    }
  }

  /** A paused campaign goes on, or is canceled: its sends are in line again. */
  resume(campaignId: string): void {
    for (const job of this.jobs.values()) {
      if (!isOf(job, campaignId) || job.paused !== true) continue;
      delete job.paused;
      this.#countJob(job, 1);
      job.targets.forEach((target, index) => {
        if (target.state === 'due') this.#line(job, index, target);
      });
    }
  }

  /** The oldest held sends, at most `limit`. Looks at those that are open until it has found them. */
  held(limit: number): Job[] {
    const found: Job[] = [];
    for (const job of this.jobs.values()) {
      if (found.length === limit) break;
      if (job.held === true) found.push(job);
    }
    return found;
  }

  /** The open sends of a person. Costs what they have, not what the app has. */
  of(person: PersonOrdinal): Job[] {
    const theirs = this.#byPerson.get(person);
    if (theirs === undefined) return [];
    return theirs instanceof Set ? [...theirs] : [theirs];
  }

  /** The open sends of one person are another's from now on; what is in flight comes back to that one. */
  reassign(from: PersonOrdinal, into: PersonOrdinal): void {
    for (const job of this.of(from)) {
      this.#unlist(job);
      job.person = into;
      this.#list(job);
    }
  }

  /** Drops everything of an erased person; what is in flight comes back to nobody. */
  forget(person: PersonOrdinal): void {
    for (const job of this.of(person)) {
      this.#drop(job);
      for (const target of job.targets) {
        if (target.state === 'started') this.queue(target.channel).inFlight--;
        target.state = 'done';
      }
    }
    for (const queue of this.channels.values()) this.#compact(queue);
  }

  /** The due target at a place of a lane, or `undefined` when it is due no more. */
  dueAt(
    queue: ChannelQueue,
    place: number,
    lane: Lane = 'express',
  ): { readonly job: Job; readonly index: number } | undefined {
    const entry = (lane === 'express' ? queue.ready : queue.bulkReady)[place];
    if (entry === undefined) return undefined;
    const job = this.jobs.get(entry[0]);
    if (job === undefined || job.held === true) return undefined;
    return job.targets[entry[1]]?.state === 'due' ? { job, index: entry[1] } : undefined;
  }

  /** What was in flight when the process ended, as reports of an outcome that nobody knows. */
  interrupted(): Map<
    ChannelId,
    { sendId: string; target: number; attempt: number; outcome: Outcome }[]
  > {
    const found = new Map<
      ChannelId,
      { sendId: string; target: number; attempt: number; outcome: Outcome }[]
    >();
    for (const job of this.jobs.values()) {
      if (job.held === true) continue; // its receipt is on its way
      job.targets.forEach((target, index) => {
        if (target.state !== 'started') return;
        const list = found.get(target.channel) ?? [];
        const outcome: Outcome = { outcome: 'ambiguous', reason: 'interrupted' };
        list.push({ sendId: job.sendId, target: index, attempt: target.attempts, outcome });
        found.set(target.channel, list);
      });
    }
    return found;
  }

  snapshot(): unknown {
    return { jobs: [...this.jobs.values()], channels: [...this.channels.values()].map(trimmed) };
  }

  static restore(from: unknown): Outbox {
    const { jobs, channels } = from as { jobs: Job[]; channels: ChannelQueue[] };
    const outbox = new Outbox();
    for (const job of jobs)
      outbox.#keep({ ...job, targets: job.targets.map((one) => ({ ...one })) });
    for (const queue of channels)
      outbox.channels.set(queue.channel, {
        ...emptyQueue(queue.channel), // older checkpoints have no marketing sends
        ...queue,
        ready: [...queue.ready],
        bulkReady: [...(queue.bulkReady ?? [])],
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

  #countJob({ targets, paused }: Job, by: 1 | -1): void {
    if (paused === true) return;
    for (const { state, channel } of targets) if (state !== 'done') this.#countOpen(channel, by);
  }

  #countOpen(channel: ChannelId, by: 1 | -1): void {
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

  #target(sendId: string, index: number): Target | undefined {
    return this.jobs.get(sendId)?.targets[index];
  }

  #makeDue(sendId: string, index: number, target: Target): void {
    target.state = 'due';
    const job = this.#jobs.get(sendId);
    if (job !== undefined) this.#line(job, index, target);
  }

  #line(job: Job, index: number, target: Target): void {
    const { ready, bulkReady } = this.queue(target.channel);
    if (job.paused === true) return;
    (job.origin === undefined ? ready : bulkReady).push([job.sendId, index]);
  }

  /** Moves the heads past what is due no more, and gives memory back now and then. */
  #compact(queue: ChannelQueue): void {
    const { ready, bulkReady } = queue;
    while (queue.head < ready.length && this.dueAt(queue, queue.head) === undefined) queue.head++;
    while (
      queue.bulkHead < bulkReady.length &&
      this.dueAt(queue, queue.bulkHead, 'bulk') === undefined
    )
      queue.bulkHead++;
    if (isWorthCutting(ready, queue.head)) {
      queue.ready = ready.slice(queue.head);
      queue.head = 0;
    }
    if (isWorthCutting(bulkReady, queue.bulkHead)) {
      queue.bulkReady = bulkReady.slice(queue.bulkHead);
      queue.bulkHead = 0;
    }
  }
}

function isOf({ origin }: Job, campaignId: string): boolean {
  return origin?.campaignId === campaignId;
}

function isWorthCutting({ length }: readonly unknown[], head: number): boolean {
  return (head > 0 && head === length) || (head > 4096 && head > length / 2);
}

function emptyQueue(channel: ChannelId): ChannelQueue {
  return {
    channel,
    ready: [],
    head: 0,
    bulkReady: [],
    bulkHead: 0,
    inFlight: 0,
    pausedUntilMs: 0,
    configFailures: 0,
  };
}

function trimmed(queue: ChannelQueue): ChannelQueue {
  const { ready, head, bulkReady, bulkHead } = queue;
  return {
    ...queue,
    ready: ready.slice(head),
    head: 0,
    bulkReady: bulkReady.slice(bulkHead),
    bulkHead: 0,
  };
}
