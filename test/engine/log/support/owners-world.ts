// Processes that fight for one partition's log in virtual time: each claims, appends turns, waits,
// dies and starts again, over a network that delays calls and answers, loses and repeats them. At the
// end a reader folds the log from the beginning, and everything that anybody was told is held
// against it.

import { below, fraction, type Rng, seededRng } from '../../../../engine/base/rng.ts';
import { encodeFrame, encodeTurnFrame, turnOf } from '../../../../engine/log/frame.ts';
import { beginning, LogReader, type Place } from '../../../../engine/log/log-reader.ts';
import { Fenced, LogWriter, WriterClosed } from '../../../../engine/log/log-writer.ts';
import { type Carry, MemoryLog, MemoryStream } from '../../../../engine/log/memory-log.ts';
import type { PartitionLog } from '../../../../engine/log/partition-log.ts';
import { Timeline } from '../../../simulation/timeline.ts';

/** What is done wrong on purpose; each must be found. */
export interface LogSabotage {
  /** Changes how a process reaches the log. */
  readonly log?: (log: PartitionLog) => PartitionLog;
  /** Tells callers before the log has the turn. */
  readonly hastyAnswers?: boolean;
}

interface Told {
  readonly seq: number;
  readonly payload: string;
  readonly process: number;
  readonly end: 'committed' | 'fenced' | 'unknown';
}

export interface OwnersReport {
  readonly findings: readonly string[];
  readonly committed: number;
  readonly fenced: number;
  readonly takeovers: number;
  readonly voids: number;
}

/** A process's own disk: where it was when it last wrote down its place. */
interface Disk {
  place: Place;
}

const processes = 3;

/** One world; the same seed does the same. */
export async function runOwners(seed: number, sabotage: LogSabotage = {}): Promise<OwnersReport> {
  const rng = seededRng(seed, 'owners');
  const timeline = new Timeline();
  const stream = new MemoryStream();
  const told: Told[] = [];
  const findings: string[] = [];
  const disks: Disk[] = Array.from({ length: processes }, () => ({ place: beginning }));
  let takeovers = 0;
  let writers = 0;
  const untilMs = 20_000 + below(rng, 40_000);

  const process = (index: number) => {
    const disk = disks[index] as Disk;
    const life: Life = { isAlive: true };
    const isOver = () => !life.isAlive || timeline.nowMs > untilMs;
    const log = new MemoryLog(stream, network(timeline, rng, life));
    const writer = new LogWriter({
      log: sabotage.log?.(log) ?? log,
      writer: ++writers,
      from: disk.place,
      wait: (ms) => later(timeline, ms),
    });
    void live({ index, disk, writer, life, isOver }).catch((error: unknown) => {
      if (life.isAlive) findings.push(`process ${index}: ${String(error)}`);
    });
    timeline.after(2_000 + fraction(rng) * 20_000, () => {
      life.isAlive = false;
      writer.close();
      if (timeline.nowMs < untilMs) timeline.after(fraction(rng) * 3_000, () => process(index));
    });
  };

  async function live(one: Living): Promise<void> {
    const { index, disk, writer, isOver } = one;
    await later(timeline, fraction(rng) * 4_000);
    while (!isOver()) {
      try {
        await own(one);
      } catch (error) {
        if (error instanceof WriterClosed) return;
        if (!(error instanceof Fenced)) throw error;
      }
      disk.place = writer.place;
      // As a standby that follows: it learns of terms that others have begun.
      await later(timeline, 500 + fraction(rng) * (3_000 + 2_000 * index));
    }
  }

  async function own({ index, disk, writer, isOver }: Living): Promise<void> {
    const { place } = writer;
    // A rival may know of a newer term, or not.
    const term = Math.max(place.term, fraction(rng) < 0.7 ? newestTerm(stream) : 0) + 1;
    const head = { kind: 'claim', term, epoch: 1, seq: 0, before: 0 } as const;
    const claim = encodeFrame(
      { ...head, writer: writerOf(writer) },
      Buffer.from(`process ${index}`),
    );
    await writer.claim(claim, () => {});
    takeovers++;
    disk.place = writer.place;
    const turns = 1 + below(rng, 60);
    for (let turn = 0; turn < turns && !isOver(); turn++) {
      const next = writer.next('turn');
      const payload = `${index}/${term}/${next.seq}/${below(rng, 2 ** 30)}`;
      const block = Buffer.from(payload);
      const bytes = encodeTurnFrame(
        { kind: 'turn', epoch: 1, ...next },
        { seq: next.seq, block, documents: [] },
      );
      const tell = (end: Told['end']) => told.push({ seq: next.seq, payload, process: index, end });
      if (sabotage.hastyAnswers === true) tell('committed');
      try {
        await writer.append(bytes);
        if (sabotage.hastyAnswers !== true) tell('committed');
        // Its own disk is behind the log, by chance.
        if (fraction(rng) < 0.5) disk.place = writer.place;
      } catch (error) {
        tell(error instanceof Fenced ? 'fenced' : 'unknown');
        throw error;
      }
      if (fraction(rng) < 0.3) await later(timeline, fraction(rng) * 200);
    }
  }

  const writerIds = new WeakMap<LogWriter, number>();
  const writerOf = (writer: LogWriter) => {
    let id = writerIds.get(writer);
    if (id === undefined) writerIds.set(writer, (id = writers));
    return id;
  };

  for (let index = 0; index < processes; index++) process(index);
  while (timeline.step()) await settled();
  const voids = check(stream, told, findings);
  return {
    findings,
    committed: told.filter(({ end }) => end === 'committed').length,
    fenced: told.filter(({ end }) => end === 'fenced').length,
    takeovers,
    voids,
  };
}

interface Life {
  isAlive: boolean;
}

interface Living {
  readonly index: number;
  readonly disk: Disk;
  readonly writer: LogWriter;
  readonly life: Life;
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
function network(timeline: Timeline, rng: Rng, life: Life): Carry {
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

/** Everything that was told, against what a reader makes of the log. Returns its void frames. */
function check(stream: MemoryStream, told: readonly Told[], findings: string[]): number {
  const reader = new LogReader();
  const turns = new Map<number, string>();
  let term = 0;
  try {
    for (const { position, bytes } of stream.read(0, Number.POSITIVE_INFINITY) ?? []) {
      const frame = reader.take(position, bytes);
      if (frame === undefined) continue;
      if (frame.term < term) findings.push(`term ${frame.term} after ${term}`);
      term = frame.term;
      if (frame.kind !== 'turn') continue;
      if (turns.has(frame.seq)) findings.push(`two turns ${frame.seq}`);
      turns.set(frame.seq, Buffer.from(turnOf(frame).block).toString());
    }
  } catch (error) {
    findings.push(String(error));
  }
  const inLog = new Set(turns.values());
  const committed = new Map<number, string>();
  for (const { seq, payload, end } of told) {
    if (end === 'committed' && turns.get(seq) !== payload)
      findings.push(`turn ${seq} was acknowledged and is not in the log: ${payload}`);
    if (end === 'committed') {
      const other = committed.get(seq);
      if (other !== undefined && other !== payload)
        findings.push(`turn ${seq} was acknowledged twice: ${other}, ${payload}`);
      committed.set(seq, payload);
    }
    if (end === 'fenced' && inLog.has(payload))
      findings.push(`a refused turn is in the log: ${payload}`);
  }
  return reader.voids;
}
