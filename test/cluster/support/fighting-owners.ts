// Processes that take one log from one another in real time: each claims, appends turns and claims
// again after somebody else did. What they told is for `auditOwners`.

import { encodeFrame, encodeTurnFrame } from '../../../engine/log/frame.ts';
import { beginning } from '../../../engine/log/log-reader.ts';
import { Fenced, LogWriter, WriterClosed } from '../../../engine/log/log-writer.ts';
import type { LoggedFrame, PartitionLog } from '../../../engine/log/partition-log.ts';
import type { Told } from '../../engine/log/support/owners-audit.ts';

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export class FightingOwners {
  readonly told: Told[] = [];
  readonly troubles = new Set<string>();
  takeovers = 0;
  #writers: LogWriter[] = [];
  #isOver = false;
  #lives: Promise<void>[] = [];

  constructor(logs: readonly PartitionLog[], turnsATerm: number) {
    this.#lives = logs.map((log, index) => this.#live(log, index + 1, turnsATerm));
  }

  get committed(): number {
    return this.told.filter(({ end }) => end === 'committed').length;
  }

  /** Resolves once so many more turns are committed. */
  async more(count: number): Promise<void> {
    const enough = this.committed + count;
    for (let tries = 0; this.committed < enough; tries++) {
      if (tries > 6_000) throw new Error(`no progress: ${[...this.troubles].join(', ')}`);
      await wait(5);
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    for (const writer of this.#writers) writer.close();
    await Promise.all(this.#lives);
  }

  async #live(log: PartitionLog, id: number, turnsATerm: number): Promise<void> {
    const writer = new LogWriter({
      log,
      writer: id,
      from: beginning,
      wait,
      onTrouble: (why, reason) => this.troubles.add(reason ?? why),
    });
    this.#writers.push(writer);
    while (!this.#isOver)
      try {
        await this.#own(writer, id, turnsATerm);
      } catch (error) {
        if (error instanceof WriterClosed) return;
        if (!(error instanceof Fenced)) throw error;
      }
  }

  async #own(writer: LogWriter, id: number, turnsATerm: number): Promise<void> {
    const term = writer.place.term + 1;
    const head = { kind: 'claim', term, epoch: 1, seq: 0, before: 0, writer: id } as const;
    await writer.claim(encodeFrame(head, Buffer.from(`process ${id}`)), () => {});
    this.takeovers++;
    for (let turn = 0; turn < turnsATerm && !this.#isOver; turn++) {
      const next = writer.next('turn');
      const payload = `${id}/${term}/${next.seq}/${turn}`;
      const block = Buffer.from(payload.padEnd(1_000));
      const frame = { kind: 'turn', epoch: 1, ...next } as const;
      const tell = (end: Told['end']) =>
        this.told.push({ seq: next.seq, payload: block.toString(), end });
      try {
        await writer.append(encodeTurnFrame(frame, { seq: next.seq, block, documents: [] }));
        tell('committed');
      } catch (error) {
        tell(error instanceof Fenced ? 'fenced' : 'unknown');
        throw error;
      }
    }
  }
}

/** All that a log has. Throws if nobody answers. */
export async function wholeLog(log: PartitionLog): Promise<readonly LoggedFrame[]> {
  const frames: LoggedFrame[] = [];
  for (let tries = 0; tries < 50; ) {
    const more = await log.read(frames.length, 1024 * 1024);
    if (more?.length === 0) return frames;
    frames.push(...(more ?? []));
    if (more === undefined) {
      tries++;
      await wait(200);
    }
  }
  throw new Error('the log does not answer');
}
