// Processes that fight for one partition's log in virtual time: each claims, appends turns, waits,
// dies and starts again, over a network that delays calls and answers, loses and repeats them. At
// the end a reader folds the log from the beginning, and everything that anybody was told is held
// against it.

import { below, fraction, type Rng, seededRng } from '../../../../engine/base/rng.ts';
import { encodeFrame, encodeTurnFrame } from '../../../../engine/log/frame.ts';
import { beginning, type LogPlace, LogReader } from '../../../../engine/log/log-reader.ts';
import { Fenced, LogWriter, WriterClosed } from '../../../../engine/log/log-writer.ts';
import { MemoryLog, MemoryStream, type Network } from '../../../../engine/log/memory-log.ts';
import type { PartitionLog } from '../../../../engine/log/partition-log.ts';
import { Timeline } from '../../../simulation/timeline.ts';
import { auditOwners, type Told } from './owners-audit.ts';

/** What is done wrong on purpose; each must be found. */
export interface LogSabotage {
  /** Changes how a process reaches the log. */
  readonly log?: (log: PartitionLog) => PartitionLog;
  /** Tells callers before the log has the turn. */
  readonly hastyAnswers?: boolean;
}

interface OwnersReport {
  readonly findings: readonly string[];
  readonly committed: number;
  readonly fenced: number;
  readonly takeovers: number;
  readonly voids: number;
}

/** A process's own disk: where it was when it last wrote down its place. */
interface Disk {
  place: LogPlace;
}

const processes = 3;

/** One world; the same seed does the same. */
export function runOwners(seed: number, sabotage: LogSabotage = {}): Promise<OwnersReport> {
  return new OwnersWorld(seed, sabotage).run();
}

class OwnersWorld {
  readonly #rng: Rng;
  readonly #sabotage: LogSabotage;
  readonly #timeline = new Timeline();
  readonly #stream = new MemoryStream();
  readonly #told: Told[] = [];
  readonly #findings: string[] = [];
  readonly #disks: Disk[] = Array.from({ length: processes }, () => ({ place: beginning }));
  readonly #untilMs: number;
  #takeovers = 0;
  #writers = 0;

  constructor(seed: number, sabotage: LogSabotage) {
    this.#rng = seededRng(seed, 'owners');
    this.#sabotage = sabotage;
    this.#untilMs = 20_000 + below(this.#rng, 40_000);
  }

  async run(): Promise<OwnersReport> {
    for (let index = 0; index < processes; index++) this.#start(index);
    while (this.#timeline.step()) await settled();
    const frames = this.#stream.read(0, Number.POSITIVE_INFINITY) ?? [];
    const voids = auditOwners(frames, this.#told, this.#findings);
    const count = (end: Told['end']) => this.#told.filter((one) => one.end === end).length;
    return {
      findings: this.#findings,
      committed: count('committed'),
      fenced: count('fenced'),
      takeovers: this.#takeovers,
      voids,
    };
  }

  #start(index: number): void {
    const [timeline, rng] = [this.#timeline, this.#rng];
    const disk = this.#disks[index] as Disk;
    const life: Life = { isAlive: true };
    const log = new MemoryLog(this.#stream, network(timeline, rng, life));
    const id = ++this.#writers;
    const writer = new LogWriter({
      log: this.#sabotage.log?.(log) ?? log,
      writer: id,
      from: disk.place,
      wait: (ms) => later(timeline, ms),
    });
    const isOver = () => !life.isAlive || timeline.nowMs > this.#untilMs;
    this.#live({ index, disk, writer, id, isOver }).catch((error: unknown) => {
      if (life.isAlive) this.#findings.push(`process ${index}: ${String(error)}`);
    });
    timeline.after(2_000 + fraction(rng) * 20_000, () => {
      life.isAlive = false;
      writer.close();
      if (timeline.nowMs < this.#untilMs)
        timeline.after(fraction(rng) * 3_000, () => this.#start(index));
    });
  }

  async #live(one: Living): Promise<void> {
    const { index, disk, writer, isOver } = one;
    await later(this.#timeline, fraction(this.#rng) * 4_000);
    while (!isOver()) {
      try {
        await this.#own(one);
      } catch (error) {
        if (error instanceof WriterClosed) return;
        if (!(error instanceof Fenced)) throw error;
      }
      disk.place = writer.place;
      const ms = 500 + fraction(this.#rng) * (3_000 + 2_000 * index);
      await later(this.#timeline, ms);
    }
  }

  async #own({ index, disk, writer, id, isOver }: Living): Promise<void> {
    const [rng, { place }] = [this.#rng, writer];
    // A rival may know of a newer term, or not.
    const term = Math.max(place.term, fraction(rng) < 0.7 ? newestTerm(this.#stream) : 0) + 1;
    const head = { kind: 'claim', term, epoch: 1, seq: 0, before: 0, writer: id } as const;
    await writer.claim(encodeFrame(head, Buffer.from(`process ${index}`)), () => {});
    this.#takeovers++;
    disk.place = writer.place;
    const turns = 1 + below(rng, 60);
    for (let turn = 0; turn < turns && !isOver(); turn++) {
      const payload = `${index}/${term}/${writer.place.seq + 1}/${below(rng, 2 ** 30)}`;
      await this.#append(writer, payload);
      // Its own disk is behind the log, by chance.
      if (fraction(rng) < 0.5) disk.place = writer.place;
      if (fraction(rng) < 0.3) await later(this.#timeline, fraction(rng) * 200);
    }
  }

  async #append(writer: LogWriter, payload: string): Promise<void> {
    const next = writer.next('turn');
    const turn = { seq: next.seq, block: Buffer.from(payload), documents: [] };
    const tell = (end: Told['end']) => this.#told.push({ seq: next.seq, payload, end });
    const isHasty = this.#sabotage.hastyAnswers === true;
    if (isHasty) tell('committed');
    try {
      await writer.append(encodeTurnFrame({ kind: 'turn', epoch: 1, ...next }, turn));
      if (!isHasty) tell('committed');
    } catch (error) {
      tell(error instanceof Fenced ? 'fenced' : 'unknown');
      throw error;
    }
  }
}

interface Life {
  isAlive: boolean;
}

interface Living {
  readonly index: number;
  readonly disk: Disk;
  readonly writer: LogWriter;
  /** The writer's. */
  readonly id: number;
  readonly isOver: () => boolean;
}

function later(timeline: Timeline, ms: number): Promise<void> {
  return new Promise((resolve) => timeline.after(ms, resolve));
}

/** All that follows from one event by promises runs before the next event. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Calls take a millisecond or seconds, arrive twice or never; so do answers. */
function network(timeline: Timeline, rng: Rng, life: Life): Network {
  const delayMs = () => (fraction(rng) < 0.05 ? fraction(rng) * 8_000 : 0.2 + fraction(rng) * 3);
  return (call) =>
    new Promise((resolve) => {
      const patience = () => resolve(undefined);
      timeline.after(2_000, patience);
      const arrivals = fraction(rng) < 0.03 ? 2 : fraction(rng) < 0.03 ? 0 : 1;
      for (let arrival = 0; arrival < arrivals; arrival++)
        timeline.after(delayMs(), () => {
          const answer = call();
          if (fraction(rng) < 0.04) return;
          timeline.after(delayMs(), () => {
            if (life.isAlive) resolve(answer);
          });
        });
    });
}

function newestTerm(stream: MemoryStream): number {
  const reader = new LogReader();
  for (const { position, bytes } of stream.read(0, Number.POSITIVE_INFINITY) ?? [])
    reader.take(position, bytes);
  return reader.place.term;
}
