// Writes one partition's log as its owner: first a claim, then one frame at a time. Each frame
// names the position behind which it goes, so that a claim of somebody else, which takes that
// position, refuses it, whenever it arrives. Whoever finds such a claim is fenced: nothing of
// theirs that was not committed by then is in the log, or ever will be.

import type { Bytes, Millis } from '../base/brand.ts';
import type { Frame } from './frame.ts';
import { type LogPlace, LogReader } from './log-reader.ts';
import { type Appended, hasDropped, type LoggedFrame, type PartitionLog } from './partition-log.ts';

/** Each read of the log. */
const readBytes: Bytes = 4 * 1024 * 1024;
/** Before the log is asked again. */
const againMs: Millis = 50;

/** Another process has begun a term: what was not committed was not done. */
export class Fenced extends Error {
  override readonly name = 'Fenced';
}

/** The log has dropped frames that this process has not read: it cannot learn what it would own. */
export class FramesDropped extends Error {
  override readonly name = 'FramesDropped';
}

/** The writer was closed: whether the last frame is in the log, only a reader can tell. */
export class WriterClosed extends Error {
  override readonly name = 'WriterClosed';
}

/** Why a frame is not in the log yet: somebody was first, nobody answered, or there is no room. */
export type LogTrouble = 'refused' | 'unknown' | 'full';

interface LogWriterOptions {
  readonly log: PartitionLog;
  /** Random, unlike that of any other process. */
  readonly writer: number;
  readonly from: LogPlace;
  readonly wait: (ms: Millis) => Promise<void>;
  /** It cannot append just now, and tries again. */
  readonly onTrouble?: (why: LogTrouble, reason?: string) => void;
}

/** What a frame must name: given to whoever makes its bytes. */
type FramePlace = Pick<LogPlace, 'term' | 'seq' | 'writer'> & { readonly before: number };

export class LogWriter {
  readonly #options: LogWriterOptions;
  readonly #reader: LogReader;
  #isOwner = false;
  #isClosed = false;
  #isBusy = false;

  constructor(options: LogWriterOptions) {
    this.#options = options;
    this.#reader = new LogReader(options.from);
  }

  /** What is committed. */
  get place(): LogPlace {
    return this.#reader.place;
  }

  get voids(): number {
    return this.#reader.voids;
  }

  /**
   * Begins a term and reads up to it; `fold` gets each valid frame on the way, its own claim
   * included. Rejects with `Fenced` if another process was first, and with `LogDamaged`. One that
   * cannot read up to its claim claims nothing, if it can know: `FramesDropped`.
   */
  async claim(
    claim: Uint8Array,
    fold: (frame: Frame, place: LogPlace) => Promise<void> | void,
  ): Promise<LogPlace> {
    const { log, writer } = this.#options;
    const { position: read } = this.place;
    if (await hasDropped(log, read)) throw new FramesDropped(`frames behind ${read} are dropped`);
    // One that is appended twice is void the second time.
    const position = await this.#until(async () => {
      const end = await log.appendAnywhere(claim);
      return end.state === 'appended' ? end.position : this.#trouble(end);
    });
    while (this.place.position < position) {
      const frames = await this.#until(() => this.#read());
      for (const { position: at, bytes } of frames) {
        const frame = this.#reader.take(at, bytes);
        if (frame !== undefined) await fold(frame, this.place);
      }
      if (frames.length === 0) await this.#pause();
    }
    if (this.place.writer !== writer)
      throw new Fenced(`another process has term ${this.place.term}`);
    this.#isOwner = true;
    return this.place;
  }

  /** What the next frame must name. */
  next(kind: Frame['kind']): FramePlace {
    const { term, seq, sum, writer } = this.place;
    return { term, seq: kind === 'turn' ? seq + 1 : seq, writer, before: sum };
  }

  /**
   * Appends a frame made for `next`. Resolves once it is committed: a majority has it, and no
   * reader will skip it. Rejects with `Fenced`, `FramesDropped`, `LogDamaged` or `WriterClosed`.
   * One at a time.
   */
  async append(bytes: Uint8Array): Promise<LogPlace> {
    if (!this.#isOwner) throw new Fenced(`this process has no term`);
    if (this.#isBusy) throw new Error('one frame at a time');
    this.#isBusy = true;
    try {
      return await this.#until(() => this.#attempt(bytes));
    } catch (error) {
      this.#isOwner = false;
      throw error;
    } finally {
      this.#isBusy = false;
    }
  }

  /** Ends what is under way. */
  close(): void {
    this.#isClosed = true;
  }

  /** Committed, or `undefined`: try again. */
  async #attempt(bytes: Uint8Array): Promise<LogPlace | undefined> {
    const { position } = this.place;
    const end = await this.#options.log.append(bytes, position);
    if (this.#isClosed) return undefined;
    switch (end.state) {
      case 'appended':
        this.#reader.take(end.position, bytes);
        return this.place;
      case 'refused':
        return (await this.#look(bytes)) ?? this.#trouble(end);
      default:
        return this.#trouble(end);
    }
  }

  /** A refused frame is in the log, because an answer was lost, or somebody else's is. */
  async #look(bytes: Uint8Array): Promise<LogPlace | undefined> {
    const frames = await this.#read();
    for (const found of frames ?? []) {
      const isOurs = Buffer.compare(found.bytes, bytes) === 0;
      const frame = this.#reader.take(found.position, found.bytes);
      if (isOurs && frame !== undefined) return this.place;
      if (frame !== undefined) throw new Fenced(`another process has term ${frame.term}`);
    }
    return undefined;
  }

  /** `undefined`: nobody answered. Rejects with `FramesDropped`. */
  async #read(): Promise<readonly LoggedFrame[] | undefined> {
    const { log } = this.#options;
    const { position } = this.place;
    const frames = await log.read(position, readBytes);
    const isNext = frames !== undefined && (frames[0]?.position ?? position + 1) === position + 1;
    if (!isNext && (await hasDropped(log, position)))
      throw new FramesDropped(`frames behind ${position} are dropped`);
    return frames;
  }

  #trouble(end: Exclude<Appended, { state: 'appended' }>): undefined {
    this.#options.onTrouble?.(end.state, end.state === 'unknown' ? end.reason : undefined);
    return undefined;
  }

  async #until<T>(attempt: () => Promise<T | undefined>): Promise<T> {
    for (;;) {
      const found = this.#isClosed ? undefined : await attempt();
      if (found !== undefined) return found;
      if (this.#isClosed) throw new WriterClosed('closed while a frame was in flight');
      await this.#pause();
    }
  }

  #pause(): Promise<void> {
    return this.#options.wait(againMs);
  }
}
