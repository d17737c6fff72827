// One partition's turns: drain the mailbox, decide, apply, commit once, and only then answer and
// grant. No result of an undurable entry may leave: even a read waits for that commit.

import { assert } from '../base/assert.ts';
import { dayMs, hourMs, type Millis, minuteMs, type Ordinal, type Seq } from '../base/brand.ts';
import type { Fault } from '../base/fault.ts';
import type { Rng } from '../base/rng.ts';
import { noteDuration } from '../observe/durations.ts';
import { rebaseOf } from '../time/rebase.ts';
import { type Block, BlockPacker, decodeBlock } from './block.ts';
import type { Gap, Machine, PumpResult, SnapshotPart, TimerRef, TimerSet } from './machine.ts';
import { Mailbox } from './mailbox.ts';
import {
  type Ages,
  type Answer,
  type Decision,
  type DocumentReader,
  type Effect,
  type Entry,
  type Envelope,
  type Message,
  type Tell,
  weightOf,
} from './message.ts';
import {
  defaultTurnLimits,
  longTurnMs,
  noFigures,
  type PartitionClock,
  type PartitionOptions,
  type TurnLimits,
} from './partition-options.ts';
import {
  type Carried,
  type ClockAccepted,
  type ClockConfirmed,
  type ClockDoubted,
  type ClockSource,
  type DeadLetter,
  deadLetterOf,
  RuntimeMemory,
  type TimerFired,
} from './runtime-memory.ts';
import { TurnClock } from './turn-clock.ts';
import {
  commitFull,
  crashed,
  diskFull,
  moved,
  notStarted,
  overloaded,
  quarantinedFault,
  shuttingDown,
} from './turn-faults.ts';
import { TurnRoom } from './turn-room.ts';

type Accepted = Extract<Decision, { outcome: 'accepted' }>;

interface InFlight {
  readonly seq: Seq;
  readonly startedMs: Millis;
  readonly answers: Answered[];
  readonly effects: Effect[];
}

/** What to tell a caller once it is durable. */
interface Answered {
  readonly tell: (answer: Answer) => void;
  readonly answer: Answer;
}

/** After this many turns without an express message, turns become long, for throughput. */
const calmTurns = 64;
/** At least this many, however much the turn's timers wrote. */
const turnMessagesMin = 16;
/** While the disk is low: what two such turns write fits into the room that the store keeps. */
const lowTurnMessages = 16;
/** Delay before retrying a timer whose message failed to decide, or a pump that threw. */
const timerAgainMs: Millis = hourMs;
const pumpAgainMs: Millis = 10_000;
/** The longest wait between steps while the turn clock catches up after a jump. */
const catchUpMs: Millis = 250;
/** A wall clock that is behind by more than this confirms nothing. */
const agreesMs: Millis = minuteMs;
/** A clock that ran this long without a contradiction is taken for right. */
const runningMs: Millis = dayMs;

/** One partition's actor: create, `restore` from a checkpoint if any, `replay`, then `start`. */
export class Partition {
  readonly index: number;
  readonly figures = noFigures();
  readonly #options: PartitionOptions;
  readonly #limits: TurnLimits;
  readonly #mailbox: Mailbox;
  readonly #machine: Machine;
  readonly #memory: RuntimeMemory;
  readonly #clock: TurnClock;
  #seq: Seq;
  readonly #inFlight: InFlight[] = [];
  /** Turns that the store has not written yet. */
  #unstored = 0;
  #scheduled = false;
  #started = false;
  /** Why it takes no more messages. */
  #closed: Fault | undefined;
  #turnsSinceExpress = calmTurns;
  #wakeMs = Number.POSITIVE_INFINITY;
  /** How far the wall clock is behind the newest instant. */
  #behindMs: Millis = 0;
  /** Since when the monotonic clock counts toward `runningMs`. */
  #doubtedAt: Millis = 0;
  #confirmedBy: ClockSource | undefined;
  #isAccepting = false;
  /** Found since the last turn, and not in the log yet. */
  #doubted: Gap[] = [];
  /** Earliest next pump after a throw. */
  #pumpAgainMs: Millis = 0;

  #entries: Entry[] = [];
  #answers: Answered[] = [];
  #effects: Effect[] = [];
  readonly #packer = new BlockPacker();
  readonly #room = new TurnRoom();
  /** Consequences of decisions. The turn's block records those left over. */
  #local: Tell[] = [];
  /** Consequences of memory: a restart finds again what is left. */
  #implied: Tell[] = [];
  /** Kinds and timers that the store has noted, or will with the next commit. */
  readonly #noted: Set<string>;
  readonly #notedTimers = new Set<number>();
  #unnoted: string[] = [];
  /** Outcomes that wait until the disk has room; bounded by the credit of dispatchers. */
  #waiting: Envelope[] = [];
  /** Whether the disk is full in this turn. */
  #isFull = false;
  readonly #context: MutableContext;

  constructor(options: PartitionOptions) {
    this.index = options.index;
    this.#options = options;
    this.#limits = { ...defaultTurnLimits, ...options.limits };
    this.#mailbox = new Mailbox(this.#limits);
    this.#machine = options.machine;
    this.#memory = new RuntimeMemory(options.machine.ages);
    this.#clock = new TurnClock(options.clock, (aheadMs) => {
      this.figures.clockJumps++;
      options.onClockJump?.(aheadMs);
    });
    this.#seq = 0;
    this.#noted = new Set(options.store.kinds);
    this.#context = {
      owner: 0,
      nowMs: 0,
      wallMs: 0,
      ages: options.machine.ages,
      rng: options.rng,
      documents: options.documents.bound(0),
      bytes: undefined,
      room: this.#room,
    };
  }

  /** The seq of the newest turn applied to memory, durable or in flight. */
  get seq(): Seq {
    return this.#seq;
  }

  /** Whether it takes turns; a standby only folds those of another process. */
  get isStarted(): boolean {
    return this.#started;
  }

  get mailboxSize(): number {
    return this.#mailbox.size;
  }

  get timersPending(): number {
    return this.#memory.wheel.count;
  }

  /** The newest instant in memory. */
  get newestMs(): Millis {
    return this.#memory.lastMs;
  }

  /** What the log and the wall clock say of each other. */
  get clock(): PartitionClock {
    const { gaps, unconfirmedMs } = this.#memory.ages;
    // With what the next turn will record.
    const found = this.#doubted.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
    const doubtedMs = (this.#doubted.at(-1) ?? gaps.at(-1))?.toMs;
    return { behindMs: this.#behindMs, unconfirmedMs: unconfirmedMs + found, doubtedMs };
  }

  /** Takes a turn where the clock needs one; call it every second. Costs nothing otherwise. */
  watchClock(): void {
    if (!this.#started) return;
    if (this.#memory.ages.gaps.length > 0 || this.#clock.hasMoved(agreesMs)) this.#schedule();
  }

  /** The wall clock is right: unconfirmed time has passed, unless that clock is behind the data. */
  confirmClock(by: ClockSource): void {
    if (!this.#started) return;
    if (this.#memory.ages.gaps.length === 0 || this.#doubted.length > 0) return;
    this.#confirmedBy = by;
    this.#schedule();
  }

  /** The operator says that the wall clock is right, even where it is behind the data. */
  acceptClock(): void {
    if (!this.#started) return;
    this.#isAccepting = true;
    this.#schedule();
  }

  /** Owners whose replay failed; this memory must not be checkpointed. */
  get quarantined(): ReadonlySet<Ordinal> {
    return this.#memory.quarantined;
  }

  get deadLetters(): readonly DeadLetter[] {
    return this.#memory.deadLetters;
  }

  /** Restores memory from a snapshot made at `seq`. Call before `replay`. */
  restore(parts: Iterable<SnapshotPart>, seq: Seq): void {
    assert(!this.#started, 'restore comes before start');
    this.#machine.restore(this.#memory.restore(parts));
    this.#seq = seq;
  }

  /** Folds one log block into memory and returns its content. Blocks arrive gapless, in order. */
  replay(seq: Seq, bytes: Uint8Array): Block {
    assert(seq === this.#seq + 1, `log block ${seq} follows ${this.#seq}: the log has a gap`);
    const block = decodeBlock(bytes);
    const memory = this.#memory;
    const { quarantined } = memory;
    const atMs = Math.max(memory.lastMs, block.atMs);
    memory.lastMs = atMs;
    for (const entry of block.entries) {
      this.#note(entry);
      // Runtime entries of all owners: skipping a timer would shift the handles of others.
      if (this.#applyOwn(entry) || quarantined.has(entry.owner)) continue;
      try {
        this.#machine.apply(entry);
      } catch (error) {
        quarantined.add(entry.owner);
        this.#options.onDeadLetter?.(deadLetterOf(entry.owner, entry.kind, error, atMs), error);
      }
    }
    this.#seq = seq;
    return block;
  }

  /** All memory at `seq` (see `SnapshotPart`). Apply nothing until the last part is read. */
  *parts(): Generator<SnapshotPart> {
    yield this.#memory.part();
    yield* this.#machine.parts();
  }

  /** All parts at once: for tests and comparisons. */
  snapshot(): readonly SnapshotPart[] {
    return [...this.parts()];
  }

  /** Accepts messages, those interrupted by a crash first. */
  start(): void {
    this.#started = true;
    this.#doubtedAt = this.#options.clock.monotonic();
    this.#local.push(...this.#memory.carried);
    this.#implied.push(...this.#machine.recover(this.#now()));
    this.#schedule();
  }

  /** Refuses new messages; resolves once everything accepted is durable and answered. */
  stop(): Promise<void> {
    this.#closed = shuttingDown;
    return new Promise((resolve) => {
      const check = () => {
        if (this.#inFlight.length > 0 || this.#mailbox.size > 0) {
          this.#options.scheduler.soon(check);
          return;
        }
        // a turn that is still scheduled would commit to a store that is being closed
        this.#started = false;
        resolve();
      };
      check();
    });
  }

  /**
   * Another process has begun a term: nothing of what was in flight was done, and this memory is of
   * no use any more. Every caller gets that as the answer, or another `fault`.
   */
  fenced(fault: Fault = moved): void {
    this.#closed = fault;
    this.#started = false;
    const answer: Answer = { ok: false, fault };
    for (const { answers } of this.#inFlight.splice(0))
      for (const { tell } of answers) tell(answer);
    for (;;) {
      const envelope = this.#waiting.shift() ?? this.#mailbox.shift();
      if (envelope === undefined) return;
      envelope.answer?.(answer);
    }
  }

  /** Queues a message, or refuses it if the mailbox is full or the partition is stopping. */
  deliver(envelope: Envelope): void {
    const closed = this.#closed ?? (this.#started ? undefined : moved);
    if (closed !== undefined) {
      envelope.answer?.({ ok: false, fault: closed });
      return;
    }
    if (!this.#mailbox.push(envelope)) {
      this.figures.refusedFull++;
      envelope.answer?.({ ok: false, fault: overloaded });
      return;
    }
    this.#schedule();
  }

  /**
   * Queues a message that cannot be refused: the outcome of a grant. One that was granted in
   * another term is of no use: whoever has the partition now has ended it as of unknown outcome.
   */
  deliverAlways(envelope: Envelope): void {
    if (!this.#started) {
      envelope.answer?.({ ok: false, fault: this.#closed ?? moved });
      return;
    }
    this.#mailbox.pushAlways({ ...envelope, isOutcome: true });
    this.#schedule();
  }

  /** Requests a turn without a message, for example when credit returns. */
  nudge(): void {
    this.#schedule();
  }

  /** For commits: the next turn begins behind one of them. */
  get #isWaiting(): boolean {
    const { commitsInFlightMax, commitsUnstoredMax } = this.#limits;
    return this.#inFlight.length >= commitsInFlightMax || this.#unstored >= commitsUnstoredMax;
  }

  #schedule(): void {
    if (this.#scheduled || !this.#started) return;
    // `durable` and `stored` schedule again
    if (this.#isWaiting) return;
    this.#scheduled = true;
    this.#options.scheduler.soon(this.#run);
  }

  readonly #run = (): void => {
    this.#scheduled = false;
    if (!this.#started || this.#isWaiting) return;
    this.#isFull = this.#options.diskFull?.() ?? false;
    if (this.#isFull) {
      this.#runFull();
      return;
    }
    if (this.#isAccepting) this.#accept();
    const nowMs = this.#now();
    const wallMs = nowMs - this.#behindMs;
    const startedMs = this.#options.clock.monotonic();
    this.#room.clear();
    this.#foldClock();
    let messages = 0;
    let bytes = 0;
    const isLow = this.#options.diskLow?.() ?? false;
    const due = isLow ? this.#machine.dueWhenFull?.() : this.#machine.due?.(nowMs, wallMs);
    if (due !== undefined) this.#implied.push(...due);
    this.#drainLocal(nowMs);
    this.#fireTimers(nowMs);
    const messagesMax = isLow ? lowTurnMessages : this.#limits.turnMessagesMax;
    this.#turnsSinceExpress++;
    while (
      messages < messagesMax &&
      bytes < this.#turnBytesMax() &&
      (messages < turnMessagesMin ||
        this.#options.documents.stagedBytes < this.#limits.turnStagedBytesMax)
    ) {
      // Express messages commit by themselves, not behind a batch that arrived with them.
      if (this.#turnsSinceExpress === 0 && this.#mailbox.expressSize === 0) break;
      const envelope = this.#waiting.shift() ?? this.#mailbox.shift();
      if (envelope === undefined) break;
      messages++;
      bytes += weightOf(envelope);
      // Reports of dispatchers are express, too, and no caller waits for them.
      if (envelope.lane === 'express' && envelope.answer !== undefined) this.#turnsSinceExpress = 0;
      bytes += this.#handle(envelope, nowMs);
      if (this.#local.length > 0) this.#drainLocal(nowMs);
    }
    this.figures.messages += messages;
    this.#pump(nowMs);
    // what it settled may have consequences in this turn
    if (this.#local.length > 0) this.#drainLocal(nowMs);
    this.#carry();
    this.#commit(nowMs);
    this.#arm(nowMs);
    this.#noteTurn(this.#options.clock.monotonic() - startedMs);
    const left = this.#local.length + this.#implied.length + this.#waiting.length;
    if (this.#mailbox.size + left > 0) this.#schedule();
  };

  #turnBytesMax(): number {
    if (this.#turnsSinceExpress === 0) return this.#limits.turnBytesExpressMax;
    const { turnBytesSharedMax, turnBytesMax } = this.#limits;
    return this.#turnsSinceExpress < calmTurns ? turnBytesSharedMax : turnBytesMax;
  }

  /** A turn on a full disk: whatever would write waits, or is refused in `#decide`. */
  #runFull(): void {
    const nowMs = this.#now();
    const startedMs = this.#options.clock.monotonic();
    this.#room.clear();
    for (let messages = 0, bytes = 0; messages < this.#limits.turnMessagesMax; messages++) {
      const envelope = bytes < this.#limits.turnBytesMax ? this.#mailbox.shift() : undefined;
      if (envelope === undefined) break;
      this.figures.messages++;
      bytes += weightOf(envelope) + this.#handle(envelope, nowMs);
    }
    this.#commit(nowMs);
    this.#arm(nowMs);
    this.#noteTurn(this.#options.clock.monotonic() - startedMs);
    if (this.#mailbox.size > 0) this.#schedule();
  }

  #noteTurn(tookMs: Millis): void {
    this.figures.turns++;
    noteDuration(this.figures.turnTimes, tookMs);
    if (tookMs > longTurnMs) this.figures.longTurns++;
  }

  /** Handles one message; returns the work its decision reports. */
  #handle(envelope: Envelope, nowMs: Millis): number {
    const { answer } = envelope;
    // By the wall clock, like the deadline: `nowMs` stands still after the clock was set back.
    if (envelope.deadlineMs < this.#options.clock.now()) {
      this.figures.expired++;
      if (answer !== undefined)
        this.#answers.push({ tell: answer, answer: { ok: false, fault: notStarted } });
      return 0;
    }
    const decision = this.#decide(envelope.to, envelope.message, envelope.bytes, nowMs);
    if (envelope.bytes !== undefined) this.#options.onRead?.(envelope.bytes);
    if (this.#isFull && envelope.isOutcome && isFullDisk(decision)) {
      this.#waiting.push(envelope);
      return 0;
    }
    const work = decision.outcome === 'accepted' ? (decision.work ?? 0) : 0;
    if (answer === undefined) return work;
    const reply: Answer =
      decision.outcome === 'accepted'
        ? { ok: true, value: decision.reply }
        : { ok: false, fault: decision.fault };
    this.#answers.push({ tell: answer, answer: reply });
    return work;
  }

  #decide(
    owner: Ordinal,
    message: Message,
    bytes: Uint8Array | undefined,
    nowMs: Millis,
  ): Decision {
    if (this.#memory.quarantined.has(owner)) return { outcome: 'refused', fault: quarantinedFault };
    if (this.#options.diskLow?.() && !this.#options.allowedWhenFull?.(message)) {
      return { outcome: 'refused', fault: commitFull };
    }
    const context = this.#context;
    context.owner = owner;
    context.nowMs = nowMs;
    context.wallMs = nowMs - this.#behindMs;
    context.documents = this.#documentsOf(owner);
    context.bytes = bytes;
    let decision: Decision;
    try {
      decision = this.#machine.decide(message, context);
      if (this.#isFull && isWrite(decision)) return { outcome: 'refused', fault: diskFull };
      if (decision.outcome === 'accepted') this.#stage(owner, decision);
    } catch (error) {
      this.figures.deadLetters++;
      const letter = deadLetterOf(owner, message.kind, error, nowMs);
      this.#options.onDeadLetter?.(letter, error);
      if (!this.#isFull) this.#record(letter);
      return { outcome: 'refused', fault: crashed };
    }
    if (decision.outcome === 'accepted') this.#perform(decision);
    return decision;
  }

  #documentsOf(owner: Ordinal): DocumentReader {
    const stored = this.#options.documents.bound(owner);
    return this.#machine.documentsOf(owner, stored);
  }

  /** Still part of deciding: a failed document write leaves nothing behind. */
  #stage(owner: Ordinal, { documents = [], records = [], entries }: Accepted): void {
    if (documents.length + records.length === 0) return;
    // A document without an entry would be missing in the log, and no commit would carry it.
    assert((entries?.length ?? 0) > 0, 'a decision that writes documents has an entry');
    this.#options.documents.stage(owner, documents, records);
  }

  #perform(decision: Accepted): void {
    if (decision.entries !== undefined) for (const entry of decision.entries) this.#record(entry);
    if (decision.tells !== undefined) this.#local.push(...decision.tells);
    if (decision.effects !== undefined) this.#effects.push(...decision.effects);
  }

  /** A program that does not know what is used here must not open it. */
  #note(entry: Entry): void {
    const { kind } = entry;
    if (kind === 'timer.set') this.#noteTimer((entry as TimerSet).timer);
    if (this.#noted.has(kind)) return;
    this.#noted.add(kind);
    this.#unnoted.push(kind);
  }

  #noteTimer(timer: number): void {
    if (this.#notedTimers.has(timer)) return;
    this.#notedTimers.add(timer);
    const name = `timer ${timer}`;
    if (!this.#noted.has(name)) this.#unnoted.push(name);
  }

  #record(entry: Entry): void {
    this.#note(entry);
    this.#entries.push(entry);
    try {
      this.#apply(entry);
    } catch (error) {
      this.#options.onFatal(error);
      throw error;
    }
  }

  #apply(entry: Entry): void {
    if (!this.#applyOwn(entry)) this.#machine.apply(entry);
  }

  /** False if the entry belongs to the machine. */
  #applyOwn(entry: Entry): boolean {
    if (!this.#memory.apply(entry)) return false;
    if (entry.kind === 'runtime.clock_accepted')
      this.#machine.rebase(rebaseOf(entry as ClockAccepted));
    return true;
  }

  #drainLocal(nowMs: Millis): void {
    // Consequences run in the turn of their cause, bounded so that a loop cannot hold the thread.
    for (let handled = 0; handled < this.#limits.turnMessagesMax; ) {
      const isLocal = this.#local.length > 0;
      const batch = isLocal ? this.#local : this.#implied;
      if (batch.length === 0) return;
      if (isLocal) this.#local = [];
      else this.#implied = [];
      for (const tell of batch) {
        this.#decide(tell.to, tell.message, undefined, nowMs);
        handled++;
      }
    }
  }

  /** The block stores the rest of a chain, so a crash before the next turn loses nothing. */
  #carry(): void {
    if (this.#local.length === 0 && this.#memory.carried.length === 0) return;
    const carried: Carried = { kind: 'runtime.carried', owner: 0, tells: [...this.#local] };
    this.#record(carried);
  }

  #fireTimers(nowMs: Millis): void {
    // On a full disk their messages would be refused, and a timer that has fired does not return.
    const { wheel } = this.#memory;
    if (wheel.count === 0 || this.#options.diskLow?.()) return;
    for (const handle of wheel.due(nowMs, this.#limits.turnTimersMax)) {
      if (!wheel.has(handle)) continue;
      const dueMs = wheel.dueMs(handle);
      const owner = wheel.owner(handle);
      const kind = wheel.kind(handle);
      const ref: TimerRef = [
        wheel.reference(handle, 0),
        wheel.reference(handle, 1),
        wheel.reference(handle, 2),
        wheel.reference(handle, 3),
      ];
      noteDuration(this.figures.timerTimes, nowMs - dueMs);
      this.figures.timerLatenessMsMax = Math.max(this.figures.timerLatenessMsMax, nowMs - dueMs);
      // Record the firing first: if `decide` throws, the timer must not return forever.
      this.#record({ kind: 'timer.fired', owner, handle } as TimerFired);
      const message = this.#machine.timerMessage(kind, ref, dueMs);
      const decision = this.#decide(owner, message, undefined, nowMs);
      // A timer often sets the next one of its chain: a throw must not end the chain.
      if (
        decision.outcome === 'refused' &&
        (decision.fault === crashed || decision.fault === quarantinedFault)
      ) {
        const again: TimerSet = {
          kind: 'timer.set',
          owner,
          timer: kind,
          dueMs: nowMs + timerAgainMs,
          ref,
        };
        this.#record(again);
      }
      if (this.#local.length > 0) this.#drainLocal(nowMs);
    }
  }

  #pump(nowMs: Millis): void {
    if (this.#options.diskLow?.() || nowMs < this.#pumpAgainMs) return;
    const documents = this.#options.documents;
    const { quarantined } = this.#memory;
    let result: PumpResult | undefined;
    try {
      result = this.#machine.pump(
        {
          nowMs,
          wallMs: nowMs - this.#behindMs,
          ages: this.#memory.ages,
          rng: this.#options.rng,
          quarantined,
          isShared: this.#turnsSinceExpress < calmTurns,
          documentsOf: (owner) => this.#documentsOf(owner),
        },
        this.#limits.turnPumpMax,
      );
    } catch (error) {
      // Pumping only reads, so nothing is half done. It would throw again at once: wait.
      this.figures.deadLetters++;
      this.#options.onDeadLetter?.(deadLetterOf(0, 'pump', error, nowMs), error);
      this.#pumpAgainMs = nowMs + pumpAgainMs;
    }
    if (result === undefined) return;
    for (const write of result.documents) documents.stage(write.owner, [write]);
    for (const entry of result.entries) this.#record(entry);
    this.#effects.push(...result.effects);
    if (result.tells !== undefined) this.#local.push(...result.tells);
  }

  #commit(nowMs: Millis): void {
    const answers = this.#answers;
    const effects = this.#effects;
    this.#answers = [];
    this.#effects = [];
    if (this.#entries.length === 0) {
      const newest = this.#inFlight[this.#inFlight.length - 1];
      if (newest === undefined) this.#release(this.#vouchedFor(answers), effects);
      else {
        for (const answer of answers) newest.answers.push(answer);
        for (const effect of effects) newest.effects.push(effect);
      }
      return;
    }
    const seq = this.#seq + 1;
    this.#seq = seq;
    const block = this.#packer.pack({ atMs: nowMs, entries: this.#entries });
    this.figures.entries += this.#entries.length;
    this.figures.blockBytes += block.byteLength;
    this.#entries = [];
    const startedMs = this.#options.clock.monotonic();
    const turn: InFlight = { seq, startedMs, answers, effects };
    this.#inFlight.push(turn);
    const documents = this.#options.documents.takeStaged(seq);
    const kinds = this.#unnoted.length === 0 ? {} : { kinds: this.#unnoted };
    if (this.#unnoted.length > 0) this.#unnoted = [];
    this.#unstored++;
    this.#options.store.commit(
      { seq, block, documents, ...kinds },
      () => this.#durable(turn),
      () => this.#stored(seq, block),
    );
  }

  /** Answers of a turn that wrote nothing: another process may own what they were read from. */
  #vouchedFor(answers: readonly Answered[]): readonly Answered[] {
    if (answers.length === 0 || (this.#options.mayAnswer?.() ?? true)) return answers;
    const answer: Answer = { ok: false, fault: moved };
    return answers.map(({ tell }) => ({ tell, answer }));
  }

  #durable(turn: InFlight): void {
    assert(this.#inFlight[0] === turn, 'turns become durable in order');
    this.#inFlight.shift();
    const tookMs = this.#options.clock.monotonic() - turn.startedMs;
    this.figures.commits++;
    noteDuration(this.figures.commitTimes, tookMs);
    this.figures.commitMsMax = Math.max(this.figures.commitMsMax, tookMs);
    this.#release(turn.answers, turn.effects);
    this.#schedule();
  }

  /** The store's own reads see it. */
  #stored(seq: Seq, block: Uint8Array): void {
    this.#unstored--;
    this.#options.documents.settled(seq);
    this.#packer.giveBack(block);
    // Only behind a log, which has turns before the store does: `durable` schedules otherwise.
    if (this.#inFlight[0]?.seq !== seq) this.#schedule();
  }

  #release(answers: readonly Answered[], effects: readonly Effect[]): void {
    // first: a front drops a deleted key before its 204
    for (const effect of effects) this.#options.emit(effect);
    for (const { tell, answer } of answers) tell(answer);
  }

  #arm(nowMs: Millis): void {
    // Timers and due sends wait for room on the disk, and nothing signals it: check every second.
    let next = this.#options.diskLow?.() ? nowMs + 1_000 : this.#memory.wheel.nextDueMs();
    const implied = this.#options.diskLow?.() ? undefined : this.#machine.nextDueMs?.();
    if (implied !== undefined) next = Math.min(next ?? implied, implied);
    if (this.#pumpAgainMs > nowMs) next = Math.min(next ?? this.#pumpAgainMs, this.#pumpAgainMs);
    if (this.#clock.isCatchingUp) {
      this.#wakeMs = Number.POSITIVE_INFINITY; // by the wall clock, which this instant is not
      this.#options.scheduler.wakeAt(this.#options.clock.now() + catchUpMs, this.#wake);
      return;
    }
    if (next === undefined) return;
    const atMs = Math.max(next, nowMs + 1);
    if (this.#wakeMs > nowMs && this.#wakeMs <= atMs) return;
    this.#wakeMs = atMs;
    this.#options.scheduler.wakeAt(atMs - this.#behindMs, this.#wake);
  }

  readonly #wake = (): void => {
    this.#wakeMs = Number.POSITIVE_INFINITY;
    this.#schedule();
  };

  #now(): Millis {
    const memory = this.#memory;
    const { nowMs, wallMs, doubted } = this.#clock.now(memory.lastMs);
    memory.lastMs = nowMs;
    this.#noteBehind(nowMs - wallMs);
    if (doubted !== undefined) {
      this.#doubted.push(doubted);
      this.#confirmedBy = undefined; // it was said of the clock before
    }
    return nowMs;
  }

  /** First in its turn: whatever else the turn decides and folds asks for ages. */
  #foldClock(): void {
    for (const gap of this.#doubted.splice(0)) this.#doubt(gap);
    if (this.#memory.ages.gaps.length > 0) this.#settleDoubt();
  }

  #noteBehind(behindMs: Millis): void {
    const wasBehind = this.#behindMs > agreesMs;
    this.#behindMs = behindMs;
    if (behindMs > agreesMs !== wasBehind) this.#options.onClockBehind?.(behindMs);
  }

  #doubt({ fromMs, toMs }: Gap): void {
    const doubted: ClockDoubted = { kind: 'runtime.clock_doubted', owner: 0, fromMs, toMs };
    this.#record(doubted);
    this.#doubtedAt = this.#options.clock.monotonic();
    this.#options.onClockDoubted?.(toMs - fromMs);
  }

  /** Before the turn's instant is read, so that nothing of the turn has an older one. */
  #accept(): void {
    this.#isAccepting = false;
    const { lastMs, ages } = this.#memory;
    const toMs = this.#options.clock.now();
    this.#doubted = [];
    if (toMs >= lastMs) {
      this.#confirmedBy = ages.gaps.length > 0 ? 'operator' : undefined;
      return;
    }
    const wrong = ages.gaps.filter((gap) => gap.toMs > toMs);
    const sinceMs = wrong[0]?.toMs ?? Number.MAX_SAFE_INTEGER;
    const lastSinceMs = wrong.at(-1)?.toMs ?? sinceMs;
    const accepted: ClockAccepted = {
      kind: 'runtime.clock_accepted',
      owner: 0,
      fromMs: lastMs,
      toMs,
      sinceMs,
      lastSinceMs,
    };
    this.#record(accepted);
    this.#clock.restart();
    this.#pumpAgainMs = 0;
    this.#wakeMs = Number.POSITIVE_INFINITY;
    this.#options.onClockConfirmed?.('operator');
  }

  #settleDoubt(): void {
    const ranMs = this.#options.clock.monotonic() - this.#doubtedAt;
    const by = this.#confirmedBy ?? (ranMs >= runningMs ? 'running' : undefined);
    if (by === undefined || this.#behindMs > agreesMs || this.#clock.isCatchingUp) return;
    const confirmed: ClockConfirmed = { kind: 'runtime.clock_confirmed', owner: 0, by };
    this.#confirmedBy = undefined;
    this.#record(confirmed);
    this.#options.onClockConfirmed?.(by);
  }
}

function isWrite(decision: Decision): boolean {
  if (decision.outcome === 'refused') return false;
  return (decision.entries?.length ?? 0) + (decision.tells?.length ?? 0) > 0;
}

function isFullDisk(decision: Decision): boolean {
  return decision.outcome === 'refused' && decision.fault === diskFull;
}

interface MutableContext {
  owner: Ordinal;
  nowMs: Millis;
  wallMs: Millis;
  readonly ages: Ages;
  readonly rng: Rng;
  documents: DocumentReader;
  bytes: Uint8Array | undefined;
  readonly room: TurnRoom;
}
