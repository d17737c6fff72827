// One copy of a partition on one machine: a standby that folds what the owner writes, until it
// takes over. A copy that loses its term throws its memory away, which may be ahead of the log, and
// folds its files anew: one way for every loss.

import type { PartitionStore, TurnWrite } from '../actor/store.ts';
import type { Millis } from '../base/brand.ts';
import { encodeFrame, type Frame, turnOf } from './frame.ts';
import { LogFollower } from './log-follower.ts';
import { beginning, type LogPlace } from './log-reader.ts';
import { Fenced, FramesDropped, type LogTrouble, LogWriter, WriterClosed } from './log-writer.ts';
import { LoggedStore } from './logged-store.ts';
import type { PartitionLog, Position } from './partition-log.ts';
import { decodePlace } from './place.ts';

/** Until a copy looks again whether its disk has room. */
const noRoomMs: Millis = 1_000;

/** What a copy needs of a partition's memory. */
interface CopyMemory {
  replay(seq: number, block: Uint8Array): unknown;
  start(): void;
  fenced(): void;
}

export interface CopyFiles extends PartitionStore {
  /** Where the log had the newest turn of these files. */
  readonly place?: Uint8Array | undefined;
}

export const copyRoles = [
  /** Folds what the owner writes. */
  'standby',
  'claiming',
  'owner',
  /** The log has dropped what comes next: the files must be copied from another machine. */
  'gone',
  /** The log is damaged, or an entry cannot be folded. It keeps its files and does nothing. */
  'failed',
  'closed',
] as const;
export type CopyRole = (typeof copyRoles)[number];

interface CopyOptions {
  readonly files: CopyFiles;
  readonly log: PartitionLog;
  readonly generation: number;
  /** Random, unlike that of any other process. */
  readonly writer: number;
  /** Memory from the files: the newest checkpoint and the log behind it, not started. */
  readonly open: (store: PartitionStore) => CopyMemory;
  readonly wait: (ms: Millis) => Promise<void>;
  /** For `onCommitted`. Never runs backwards. */
  readonly monotonic?: () => Millis;
  /** Each frame that is valid, behind its fold: for heartbeats and alarms. Not an owner's own. */
  readonly onFrame?: (frame: Frame, place: LogPlace) => void;
  /** A frame of this owner is committed; it was published first at this instant. */
  readonly onCommitted?: (publishedMs: Millis) => void;
  /** Between the claim and the first turn: waits until the owner before answers nothing. */
  readonly beforeStart?: () => Promise<void>;
  /** Whether the disk has room for another turn of somebody else; a fold waits until it has. */
  readonly hasRoom?: () => boolean;
  readonly onRole?: (role: CopyRole, error?: unknown) => void;
  /** The log does not take a frame just now; it is tried again. */
  readonly onTrouble?: (why: LogTrouble, reason?: string) => void;
  /** The term is over, before anything is thrown away. */
  readonly onLost?: () => void;
  /** Before memory is opened again, which may take long: others of the thread wait for it. */
  readonly beforeOpen?: () => Promise<void>;
  /** False if this process is about to end: a copy that lost its term opens no memory again. */
  readonly opensAgain?: () => boolean;
}

export class PartitionCopy {
  readonly #options: CopyOptions;
  #role: CopyRole = 'standby';
  #store: LoggedStore;
  #partition: CopyMemory;
  #follower: LogFollower | undefined;
  #writer: LogWriter | undefined;
  #place: LogPlace;

  constructor(options: CopyOptions) {
    this.#options = options;
    this.#place = this.#stored;
    this.#store = this.#newStore();
    this.#partition = options.open(this.#store);
    this.#follow();
  }

  get role(): CopyRole {
    return this.#role;
  }

  /** What this copy has folded. */
  get place(): LogPlace {
    return this.#writer?.place ?? this.#follower?.place ?? this.#place;
  }

  /** Up to here the files need the log no more. */
  get storedPosition(): Position {
    return this.#stored.position;
  }

  get partition(): CopyMemory {
    return this.#partition;
  }

  /** Whether the log has all that this copy wrote. */
  get isQuiet(): boolean {
    return this.#store.isQuiet;
  }

  /** Resolves once the files have every turn that is acknowledged by now. */
  settled(): Promise<void> {
    return this.#store.settled();
  }

  /**
   * Says in the log that its owner lives, if no turn does; call it every second. So an owner that
   * nobody asks anything finds out that it is the owner no more.
   */
  idle(): void {
    if (this.#is('owner')) this.#store.idle();
  }

  /**
   * Ends its own term with a `handed` frame, behind the turns that wait, and folds anew. What is
   * asked later gets `moved`. False if the term was lost first.
   */
  async handOver(content: Uint8Array): Promise<boolean> {
    if (!this.#is('owner') || !(await this.#store.handOver(content))) return false;
    await this.#lost();
    return true;
  }

  /**
   * Begins a term and becomes its owner, started. False if the log does not answer, if another
   * process was first, or if this copy cannot own: it goes on as a standby, or is `gone`.
   * `content` says who claims.
   */
  async takeOver(term: number, content: Uint8Array): Promise<boolean> {
    const { log, writer, wait, onTrouble } = this.#options;
    if (!this.#is('standby')) return false;
    this.#become('claiming');
    const isReached = (await log.range()) !== undefined;
    if (!this.#is('claiming')) return false;
    if (!isReached) {
      this.#become('standby');
      return false;
    }
    await this.#follower?.stop();
    if (!this.#is('claiming')) return false;
    const told = onTrouble && { onTrouble };
    const claimed = new LogWriter({ log, writer, from: this.place, wait, ...told });
    this.#follower = undefined;
    this.#writer = claimed;
    const head = {
      kind: 'claim',
      term,
      epoch: this.#store.epoch,
      seq: 0,
      writer,
      before: 0,
    } as const;
    try {
      await claimed.claim(encodeFrame(head, content), (frame, place) => this.#fold(frame, place));
      await Promise.all([this.#store.stored(), this.#options.beforeStart?.()]);
    } catch (error) {
      this.#place = claimed.place;
      this.#writer = undefined;
      if (error instanceof WriterClosed || !this.#is('claiming')) return false;
      if (error instanceof FramesDropped) this.#become('gone');
      else if (error instanceof Fenced) this.#follow();
      else this.#fail(error);
      return false;
    }
    if (!this.#is('claiming')) return false;
    this.#store.own(claimed);
    this.#become('owner');
    this.#partition.start();
    return true;
  }

  /** Stops writing and folding. The files stay open. */
  async close(): Promise<void> {
    this.#become('closed');
    this.#writer?.close();
    await this.#follower?.stop();
    await this.#store.release();
  }

  /** Where a fold of the files reads on. */
  get #stored(): LogPlace {
    const { place } = this.#options.files;
    return (place === undefined ? undefined : decodePlace(place)) ?? beginning;
  }

  #newStore(): LoggedStore {
    const { files, generation } = this.#options;
    const store = new LoggedStore({
      inner: files,
      generation,
      monotonic: this.#options.monotonic ?? (() => 0),
      onCommitted: (publishedMs) => this.#options.onCommitted?.(publishedMs),
      onFenced: () => void this.#lost(),
      // Callers get no answer, as if the process had died: their turns may be done.
      onGone: () => {
        this.#options.onLost?.();
        this.#become('gone');
      },
      onDamaged: (error) => {
        this.#partition.fenced();
        this.#fail(error);
      },
    });
    return store;
  }

  #follow(): void {
    const { log, wait } = this.#options;
    this.#follower = new LogFollower({
      log,
      from: this.#place,
      wait,
      fold: (frame, place) => this.#fold(frame, place),
      onGone: () => this.#become('gone'),
      onFailed: (error) => this.#fail(error),
    });
    this.#become('standby');
    this.#follower.start();
  }

  async #fold(frame: Frame, place: LogPlace): Promise<void> {
    if (frame.kind === 'turn') {
      while (this.#options.hasRoom?.() === false) {
        if (this.#is('closed')) return;
        await this.#options.wait(noRoomMs);
      }
      const turn: TurnWrite = turnOf(frame);
      this.#partition.replay(turn.seq, turn.block);
      await this.#store.take(turn, place);
    }
    this.#options.onFrame?.(frame, place);
  }

  /** Whether the log answers, and has what this copy has not read yet. */
  async reachesLog(): Promise<boolean> {
    const range = await this.#options.log.range();
    return range !== undefined && range.oldest <= this.place.position + 1;
  }

  /** Another process has the term, or may take it. */
  async #lost(): Promise<void> {
    try {
      await this.#lose();
    } catch (error) {
      this.#fail(error);
    }
  }

  async #lose(): Promise<void> {
    this.#options.onLost?.();
    this.#partition.fenced();
    await this.#store.release();
    if (!this.#is('owner')) return;
    this.#place = this.#stored;
    this.#writer = undefined;
    if (this.#options.opensAgain?.() === false) {
      this.#become('closed');
      return;
    }
    await this.#options.beforeOpen?.();
    if (!this.#is('owner')) return;
    this.#store = this.#newStore();
    this.#partition = this.#options.open(this.#store);
    this.#follow();
  }

  #is(role: CopyRole): boolean {
    return this.#role === role;
  }

  #fail(error: unknown): void {
    this.#become('failed', error);
  }

  #become(role: CopyRole, error?: unknown): void {
    if (this.#role === 'closed') return;
    this.#role = role;
    this.#options.onRole?.(role, error);
  }
}
