// Lets the servers drop, of the logs that this member owns, what no copy needs.

import { type Bytes, type Millis, secondMs } from '../../../engine/base/brand.ts';
import type { ClusterNode } from '../../../engine/cluster/node.ts';
import type { CopyRole } from '../../../engine/log/copy.ts';
import type { Copies } from './copies.ts';
import { LogTrim } from './log-trim.ts';
import type { ClusterPorts } from './ports.ts';
import { type ClusterData, logBytesMaxDefault } from './protocol.ts';

const lookMs: Millis = 10 * secondMs;

/** Copies that read on. */
const readers: ReadonlySet<CopyRole> = new Set(['standby', 'claiming', 'owner']);

interface LogTrimsOptions {
  readonly node: ClusterNode;
  readonly copies: Copies;
  readonly ports: Pick<ClusterPorts, 'log' | 'time'>;
  readonly cluster: ClusterData;
}

export class LogTrims {
  readonly #options: LogTrimsOptions;
  readonly #bytesMax: Bytes;
  readonly #trims = new Map<number, LogTrim>();
  #lookedMs: Millis = Number.NEGATIVE_INFINITY;
  #isLooking = false;

  constructor(options: LogTrimsOptions) {
    this.#options = options;
    this.#bytesMax = options.cluster.logBytesMax ?? logBytesMaxDefault;
  }

  tick(): void {
    const nowMs = this.#options.ports.time.monotonic();
    if (this.#isLooking || nowMs - this.#lookedMs < lookMs) return;
    this.#lookedMs = nowMs;
    this.#isLooking = true;
    void this.#look(nowMs).finally(() => {
      this.#isLooking = false;
    });
  }

  async #look(nowMs: Millis): Promise<void> {
    const { node, copies, ports } = this.#options;
    for (const { partition, role } of node.copies) {
      const copy = copies.of(partition);
      if (role !== 'owner' || copy === undefined) {
        this.#trims.delete(partition);
        continue;
      }
      const trim = this.#trims.get(partition) ?? new LogTrim();
      this.#trims.set(partition, trim);
      const log = ports.log(partition);
      const range = await log.range();
      if (range === undefined) continue;
      const through = trim.through({
        ...range,
        ...{ nowMs, bytesMax: this.#bytesMax },
        stored: copy.storedPosition,
        read: this.#readBy(partition),
      });
      if (through !== undefined) await log.trim(through);
    }
  }

  #readBy(partition: number): readonly number[] {
    return this.#options.node.members.others().flatMap(({ isLive, beat }) => {
      const said = beat.copies.find((one) => one.partition === partition);
      return isLive && said !== undefined && readers.has(said.role) ? [said.position] : [];
    });
  }
}
