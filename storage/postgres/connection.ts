// A process's connections to PostgreSQL, loaded where a cluster is configured and nowhere else. A
// statement that was not answered in time keeps its connection until the server answers: with a new
// one for each try, a server that waits for its standby would soon have no more.

import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Millis } from '../../engine/base/brand.ts';
import { Arrivals } from './arrivals.ts';
import { failureOf, isServerLeaving } from './failure.ts';
import { findLeader, identityOf, type Leader } from './leader.ts';
import { ensureSchema, schemaOf } from './schema.ts';
import { PostgresSession, type Statement, type StatementOutcome } from './session.ts';

/** A call that is not answered by then may have been done. */
const answerMs: Millis = 2_000;
/** Between looks at a server that does not answer, and what counts as no answer there. */
const lookMs: Millis = 2_000;
const lateMs: Millis = 1_000;
/** For the schema, which other processes may be making just now. */
const schemaMs: Millis = 30_000;
/** Between attempts to connect: the first, doubled up to the most. */
const againMs = { first: 100, most: 5_000 } as const;

export interface PostgresOptions {
  /** Connection strings, `postgres://…?sslmode=verify-full`; any of the servers may lead. */
  readonly servers: readonly string[];
  /** Small letters, digits and `_`. Clusters of other names may have the same database. */
  readonly cluster: string;
  /** Names this process in the server's views. */
  readonly name: string;
  /** At most so many connections for statements; one more listens. */
  readonly connectionsMax?: number;
  /** Takes a server that may lose what it acknowledged, with a warning. */
  readonly allowsUnsafe?: boolean;
  /** Sentences for the operator, each once for a server that leads. */
  readonly onWarning: (sentence: string) => void;
}

const closedReason = 'the connection was closed';
const silence = 'it is slow, or waits for a synchronous standby that is missing';

/**
 * Connects, and makes the cluster's schema unless it is there. Rejects with a sentence if no server
 * passes the gate, or if a newer build made the schema; afterwards it reconnects for good.
 */
export async function connectPostgres(options: PostgresOptions): Promise<Postgres> {
  const { default: library } = await import('pg');
  const postgres = new Postgres(library, options);
  try {
    await postgres.open();
  } catch (error) {
    await postgres.close();
    throw error;
  }
  return postgres;
}

export class Postgres {
  readonly #library: typeof pg;
  readonly #options: PostgresOptions;
  readonly schema: string;
  readonly arrivals = new Arrivals(this);
  readonly #sessions = new Set<PostgresSession>();
  #idle: PostgresSession[] = [];
  /** Connections for statements that are being made. */
  #opening = 0;
  readonly #listening = new Set<PostgresSession>();
  readonly #waiting: (() => void)[] = [];
  #leader: Leader | undefined;
  #leading: Promise<void> | undefined;
  #timeline = 0;
  #attempts = 0;
  #againAtMs: Millis = 0;
  #reason = 'not connected yet';
  #looking: Promise<void> | undefined;
  /** Their statement was no longer under way on the server at the look before. */
  #suspects: ReadonlySet<PostgresSession> = new Set();
  readonly #closing = new AbortController();

  constructor(library: typeof pg, options: PostgresOptions) {
    this.#library = library;
    this.#options = options;
    this.schema = schemaOf(options.cluster);
  }

  async open(): Promise<void> {
    await this.#lead();
    const session = this.#idle.pop();
    if (session === undefined) throw new Error(`no PostgreSQL can keep the log: ${this.#reason}`);
    const late = Symbol();
    if ((await first(ensureSchema(session, this.schema), schemaMs, late)) === late)
      throw new Error(`PostgreSQL did not make schema ${this.schema} in time: ${silence}`);
    this.#release(session);
  }

  /** Without a synchronous standby nothing is appended. */
  get isStrict(): boolean {
    return this.#options.allowsUnsafe !== true;
  }

  /** Never rejects. */
  async run(statement: Statement, values: readonly unknown[]): Promise<StatementOutcome> {
    const untilMs = performance.now() + answerMs;
    const session = await this.#take(untilMs);
    if (typeof session === 'string') return { state: 'unknown', reason: session };
    const answered = session.run(statement, values).then((outcome) => {
      this.#settle(session, outcome);
      return outcome;
    });
    const late = Symbol();
    const end = await first(answered, untilMs - performance.now(), late);
    if (end !== late) return end as StatementOutcome;
    this.#look();
    return { state: 'unknown', reason: `PostgreSQL does not answer: ${silence}` };
  }

  /** A connection of its own, for notifications. `undefined`: there is none just now. */
  async listen(
    channel: string,
    take: (payload: string) => void,
  ): Promise<PostgresSession | undefined> {
    await this.#lead();
    const session = await this.#connect();
    if (session === undefined) return undefined;
    this.#listening.add(session);
    void session.ended.then(() => this.#listening.delete(session));
    session.onNotification(take);
    try {
      await session.plain(`listen ${channel}`);
      if (this.isClosed) throw new Error(closedReason);
    } catch {
      session.destroy();
      return undefined;
    }
    return session;
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Resolves early when this is closed. */
  async pause(ms: Millis): Promise<void> {
    await delay(ms, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.#closing.abort();
    this.#reason = closedReason;
    const sessions = [...this.#sessions, ...this.#listening];
    await Promise.all(sessions.map((session) => session.end()));
    this.#wakeAll();
    await this.#looking;
  }

  /** A connection that is free, or why there is none. */
  async #take(untilMs: Millis): Promise<PostgresSession | string> {
    const { connectionsMax = 16 } = this.#options;
    for (;;) {
      await this.#lead();
      if (this.isClosed || this.#leader === undefined) return this.#reason;
      const idle = this.#idle.pop();
      if (idle !== undefined) return idle;
      if (this.#sessions.size + this.#opening < connectionsMax) {
        this.#opening++;
        const session = await this.#connect().finally(() => this.#opening--);
        if (session === undefined) return this.#reason;
        this.#keep(session);
        return session;
      }
      if (!(await this.#freed(untilMs - performance.now()))) {
        this.#look();
        return 'all connections to PostgreSQL wait for an answer';
      }
    }
  }

  /** False: not in time. */
  async #freed(ms: Millis): Promise<boolean> {
    let wake = () => {};
    const woken = new Promise<true>((resolve) => {
      wake = () => resolve(true);
    });
    this.#waiting.push(wake);
    if ((await first(woken, ms, false)) === true) return true;
    const at = this.#waiting.indexOf(wake);
    if (at >= 0) this.#waiting.splice(at, 1);
    return false;
  }

  /** To the leader that is known. A server that is another one by now ends them all. */
  async #connect(): Promise<PostgresSession | undefined> {
    const leader = this.#leader;
    if (leader === undefined || this.isClosed) return undefined;
    try {
      const { session, facts } = await PostgresSession.open(
        this.#library,
        leader.server,
        this.#options.name,
      );
      if (identityOf(facts) === leader.identity && leader === this.#leader && !this.isClosed)
        return session;
      session.destroy();
      if (leader === this.#leader) this.#reset('PostgreSQL was restarted');
    } catch (error) {
      const failure = failureOf(error);
      this.#reason = failure.reason;
      // Too many connections: those that are open go on.
      if (leader === this.#leader && this.#sessions.size === 0) this.#reset(failure.reason);
    }
    return undefined;
  }

  #keep(session: PostgresSession): void {
    this.#sessions.add(session);
    void session.ended.then(() => {
      this.#sessions.delete(session);
      this.#idle = this.#idle.filter((one) => one !== session);
      this.#waiting.shift()?.();
    });
  }

  #settle(session: PostgresSession, outcome: StatementOutcome): void {
    if (outcome.state === 'failed' && isServerLeaving(outcome.failure))
      this.#reset(outcome.failure.reason);
    else this.#release(session);
  }

  #release(session: PostgresSession): void {
    if (session.isDead || !this.#sessions.has(session)) return;
    if (this.isClosed) {
      void session.end();
      return;
    }
    this.#idle.push(session);
    this.#waiting.shift()?.();
  }

  /** Finds a leader if there is none, at most one search at a time, with growing pauses. */
  #lead(): Promise<void> {
    if (this.#leader !== undefined || this.isClosed) return Promise.resolve();
    this.#leading ??= this.#search().finally(() => {
      this.#leading = undefined;
    });
    return this.#leading;
  }

  async #search(): Promise<void> {
    if (performance.now() < this.#againAtMs) return;
    const found = await this.#find();
    if (typeof found !== 'string') {
      this.#follow(found);
      return;
    }
    this.#reason = found;
    const ms = Math.min(againMs.most, againMs.first * 2 ** this.#attempts++);
    this.#againAtMs = performance.now() + ms * (0.5 + Math.random() / 2);
  }

  #find(): Promise<Leader | string> {
    const { servers, name, allowsUnsafe = false } = this.#options;
    const library = this.#library;
    return findLeader({ library, servers, name, allowsUnsafe, timelineMin: this.#timeline });
  }

  #follow(leader: Leader): void {
    if (this.isClosed) {
      leader.session.destroy();
      return;
    }
    this.#leader = leader;
    this.#timeline = leader.timeline;
    this.#attempts = 0;
    this.#keep(leader.session);
    this.#release(leader.session);
    for (const warning of leader.warnings) this.#options.onWarning(warning);
  }

  /** What is under way ends as unknown. */
  #reset(reason: string): void {
    this.#leader = undefined;
    this.#reason = this.isClosed ? closedReason : reason;
    for (const session of [...this.#sessions, ...this.#listening]) session.destroy();
    this.#sessions.clear();
    this.#idle = [];
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Looks at the servers as long as some call has no answer. */
  #look(): void {
    this.#looking ??= this.#lookOn().finally(() => {
      this.#looking = undefined;
    });
  }

  async #lookOn(): Promise<void> {
    while (!this.isClosed && this.#leader !== undefined && this.#late().length > 0) {
      const found = await this.#find();
      if (this.isClosed) {
        if (typeof found !== 'string') found.session.destroy();
        return;
      }
      if (typeof found === 'string') this.#reset(found);
      else if (found.identity !== this.#leader?.identity) {
        this.#reset('another server leads');
        this.#follow(found);
      } else {
        await this.#dropLost(found.session);
        await found.session.end();
      }
      await this.pause(lookMs);
    }
  }

  #late(): readonly PostgresSession[] {
    const beforeMs = performance.now() - lateMs;
    return [...this.#sessions].filter(({ busySinceMs = beforeMs + 1 }) => busySinceMs <= beforeMs);
  }

  /** Connections whose statement the server has ended, or never got: the network lost them. */
  async #dropLost(by: PostgresSession): Promise<void> {
    const text = `select pid from pg_stat_activity
      where state = 'active' and datname = current_database()`;
    const active = await by.plain<{ pid: number }>(text).catch(() => undefined);
    if (active === undefined) return;
    const pids = new Set(active.map(({ pid }) => pid));
    const lost = this.#late().filter(({ pid }) => !pids.has(pid));
    // An answer may be on its way: only the second look counts.
    for (const session of lost) if (this.#suspects.has(session)) session.destroy();
    this.#suspects = new Set(lost);
  }
}

/** `late` if it takes longer than so many ms. */
async function first<T, Late>(answer: Promise<T>, ms: Millis, late: Late): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<Late>((resolve) => {
    timer = setTimeout(() => resolve(late), Math.max(0, ms));
  });
  try {
    return await Promise.race([answer, patience]);
  } finally {
    clearTimeout(timer);
  }
}
