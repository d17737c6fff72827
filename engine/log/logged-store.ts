// The store of a copy. An owner's turn goes to the log that machines share, and is durable once the
// log has it. Then it goes to this machine's own files, as a standby's turns do that come from the
// log. The files are never ahead of the log: whoever restarts only reads on.

import type { KeyRange, PartitionStore, StoredRow, TurnWrite } from '../actor/store.ts';
import { assert } from '../base/assert.ts';
import type { Millis, Seq } from '../base/brand.ts';
import { encodeFrame, encodeTurnFrame } from './frame.ts';
import type { LogPlace } from './log-reader.ts';
import { Fenced, FramesDropped, type LogWriter, WriterClosed } from './log-writer.ts';
import { encodePlace } from './place.ts';

interface LoggedStoreOptions {
  /** This machine's files. */
  readonly inner: PartitionStore;
  readonly generation: number;
  /** Another process has begun a term: nothing that waits was done. Called once. */
  readonly onFenced: () => void;
  /** As `onFenced`, but whether the frame under way was done, nobody can tell any more. */
  readonly onGone: () => void;
  /** The log lost or changed something. Called once; nothing more is committed. */
  readonly onDamaged: (error: unknown) => void;
  /** For `onCommitted`. Never runs backwards. */
  readonly monotonic: () => Millis;
  /** A frame of this owner is committed; it was published first at this instant. */
  readonly onCommitted: (publishedMs: Millis) => void;
}

/** A standby that folds faster than its disk waits at this many turns. */
const unstoredMax = 64;

interface WaitingTurn {
  readonly kind: 'turn';
  readonly turn: TurnWrite;
  readonly durable: () => void;
  readonly stored: (() => void) | undefined;
}

/** A frame without a turn. `done` says whether it is committed. */
interface WaitingSign {
  readonly kind: 'idle' | 'handed';
  readonly content: Uint8Array;
  readonly done: (isCommitted: boolean) => void;
}

type Waiting = WaitingTurn | WaitingSign;

const nothing = new Uint8Array(0);

export class LoggedStore implements PartitionStore {
  readonly #options: LoggedStoreOptions;
  readonly #inner: PartitionStore;
  /** What the log does not have yet; the first is under way. */
  readonly #waiting: Waiting[] = [];
  #writer: LogWriter | undefined;
  #isAppending = false;
  /** Turns that the files do not have yet. */
  #unstored = 0;
  #isOver = false;
  #idle: (() => void)[] = [];
  /** The newest turn that the log has. */
  #acknowledged: Seq = 0;
  /** Who waits until the files have a turn. */
  #awaiting: { readonly seq: Seq; readonly resolve: () => void }[] = [];
  #appending: Promise<void> | undefined;

  constructor(options: LoggedStoreOptions) {
    this.#options = options;
    this.#inner = options.inner;
  }

  get epoch(): number {
    return this.#inner.epoch;
  }

  /** Of this machine's files, as are all reads. */
  get durableSeq(): Seq {
    return this.#inner.durableSeq;
  }

  get oldestSeq(): Seq {
    return this.#inner.oldestSeq;
  }

  get kinds(): ReadonlySet<string> {
    return this.#inner.kinds ?? new Set();
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#inner.get(key);
  }

  lend(key: Uint8Array, use: (value: Uint8Array) => void): boolean {
    if (this.#inner.lend !== undefined) return this.#inner.lend(key, use);
    const value = this.#inner.get(key);
    if (value !== undefined) use(value);
    return value !== undefined;
  }

  range(range: KeyRange): StoredRow[] {
    return this.#inner.range(range);
  }

  /** A standby's turn, from the log. Resolves once the next one may come. */
  take(turn: TurnWrite, place: LogPlace): Promise<void> {
    this.#store(turn, place);
    return this.#unstored < unstoredMax ? Promise.resolve() : this.stored();
  }

  /** Resolves once the files have all that was given to them. */
  stored(): Promise<void> {
    if (this.#unstored === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Resolves once the files have every turn that is acknowledged by now. */
  settled(): Promise<void> {
    const seq = this.#acknowledged;
    if (this.#inner.durableSeq >= seq) return Promise.resolve();
    return new Promise((resolve) => this.#awaiting.push({ seq, resolve }));
  }

  /** From here on turns are this process's own. It must have the term. */
  own(writer: LogWriter): void {
    assert(this.#writer === undefined, 'a store is owned once');
    this.#writer = writer;
  }

  commit(turn: TurnWrite, durable: () => void, stored?: () => void): void {
    if (this.#isOver) return; // nothing is acknowledged any more
    assert(this.#writer !== undefined, 'only an owner has turns of its own');
    this.#enqueue({ kind: 'turn', turn, durable, stored });
  }

  /** Nothing waits for the log. */
  get isQuiet(): boolean {
    return this.#waiting.length === 0;
  }

  /** Says in the log that its owner lives. Does nothing while turns say so. */
  idle(): void {
    if (this.#writer === undefined || this.#isOver || !this.isQuiet) return;
    this.#enqueue({ kind: 'idle', content: nothing, done: () => {} });
  }

  /**
   * Ends the term with a last frame, behind the turns that wait. Later turns are not done. False if
   * another process took the term first, or the store was closed.
   */
  handOver(content: Uint8Array): Promise<boolean> {
    if (this.#isOver) return Promise.resolve(false);
    return new Promise((done) => {
      this.#enqueue({ kind: 'handed', content, done });
      this.#isOver = true;
    });
  }

  blocks(from: Seq, limit: number): { readonly seq: Seq; readonly block: Uint8Array }[] {
    return this.#inner.blocks(from, limit);
  }

  dropBlocks(through: Seq, limit: number): Promise<number> {
    return this.#inner.dropBlocks(through, limit);
  }

  /** Waits until the files have all that the log took, then closes them. */
  async close(): Promise<void> {
    await this.release();
    await this.#inner.close();
  }

  /** As `close`, but the files stay open for whoever folds them anew. */
  async release(): Promise<void> {
    this.#writer?.close();
    await this.#appending;
    await this.stored();
  }

  #enqueue(next: Waiting): void {
    this.#waiting.push(next);
    if (!this.#isAppending) this.#appending = this.#append();
  }

  /** One frame is under way at a time: that is what makes the position it names a fence. */
  async #append(): Promise<void> {
    const writer = this.#writer as LogWriter;
    this.#isAppending = true;
    try {
      for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
        const bytes = this.#encoded(next, writer);
        const publishedMs = this.#options.monotonic();
        await writer.append(bytes);
        this.#waiting.shift();
        this.#options.onCommitted(publishedMs);
        if (next.kind !== 'turn') next.done(true);
        else {
          this.#acknowledged = next.turn.seq;
          next.durable();
          this.#store(next.turn, writer.place, next.stored);
        }
      }
    } catch (error) {
      this.#end(error);
    } finally {
      this.#isAppending = false;
    }
  }

  #encoded(next: Waiting, writer: LogWriter): Buffer {
    const { kind } = next;
    const head = { kind, epoch: this.#inner.epoch, ...writer.next(kind) } as const;
    if (next.kind !== 'turn') return encodeFrame(head, next.content);
    assert(head.seq === next.turn.seq, `turn ${next.turn.seq} does not follow the log's`);
    return encodeTurnFrame(head, next.turn);
  }

  #store(turn: TurnWrite, at: LogPlace, stored?: () => void): void {
    const place = encodePlace({ generation: this.#options.generation, ...at });
    this.#unstored++;
    const done = () => {
      this.#unstored--;
      stored?.();
      this.#release(turn.seq);
      if (this.#unstored === 0) for (const resolve of this.#idle.splice(0)) resolve();
    };
    this.#inner.commit({ ...turn, place }, () => {}, done);
  }

  #release(seq: Seq): void {
    if (this.#awaiting.length === 0) return;
    for (const one of this.#awaiting.splice(0)) {
      if (one.seq <= seq) one.resolve();
      else this.#awaiting.push(one);
    }
  }

  #end(error: unknown): void {
    this.#isOver = true;
    for (const waiting of this.#waiting.splice(0)) if (waiting.kind !== 'turn') waiting.done(false);
    if (error instanceof WriterClosed) return;
    if (error instanceof Fenced) this.#options.onFenced();
    else if (error instanceof FramesDropped) this.#options.onGone();
    else this.#options.onDamaged(error);
  }
}
