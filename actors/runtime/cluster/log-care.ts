// Looks after the logs of a member's copies: lets the servers drop what no copy needs, and finds a
// log that has less than a copy has read of it.

import { type Bytes, type Millis, secondMs } from '../../../engine/base/brand.ts';
import type { ClusterNode } from '../../../engine/cluster/node.ts';
import type { CopyRole, PartitionCopy } from '../../../engine/log/copy.ts';
import type { LogRange } from '../../../engine/log/partition-log.ts';
import type { Log } from '../../../engine/observe/log.ts';
import { LogTrim } from './log-trim.ts';
import type { ClusterPorts } from './ports.ts';
import { type ClusterData, logBytesMaxDefault } from './protocol.ts';

const lookMs: Millis = 10 * secondMs;
/** Looks in a row that find a log short: servers that elect a leader may tell less for a moment. */
const shortLooks = 2;

/** Copies that read on. */
const readers: ReadonlySet<CopyRole> = new Set(['standby', 'claiming', 'owner']);

interface LogCareOptions {
  readonly node: Pick<ClusterNode, 'copies' | 'members'>;
  readonly copyOf: (
    partition: number,
  ) => Pick<PartitionCopy, 'place' | 'storedPosition'> | undefined;
  readonly ports: Pick<ClusterPorts, 'log'> & { readonly time: { monotonic(): Millis } };
  readonly cluster: Pick<ClusterData, 'logBytesMax'>;
  readonly log: Pick<Log, 'error'>;
}

export class LogCare {
  readonly #options: LogCareOptions;
  readonly #bytesMax: Bytes;
  readonly #trims = new Map<number, LogTrim>();
  /** How often in a row a partition's log was found short. */
  readonly #short = new Map<number, number>();
  #lookedMs: Millis = Number.NEGATIVE_INFINITY;
  #isLooking = false;

  constructor(options: LogCareOptions) {
    this.#options = options;
    this.#bytesMax = options.cluster.logBytesMax ?? logBytesMaxDefault;
  }

  /** Often; it looks each ten seconds. */
  tick(): void {
    const nowMs = this.#options.ports.time.monotonic();
    if (this.#isLooking || nowMs - this.#lookedMs < lookMs) return;
    this.#lookedMs = nowMs;
    this.#isLooking = true;
    void this.look(nowMs).finally(() => {
      this.#isLooking = false;
    });
  }

  async look(nowMs: Millis): Promise<void> {
    const { node, ports } = this.#options;
    for (const { partition, role, position } of node.copies) {
      if (!readers.has(role)) continue;
      const log = ports.log(partition);
      const range = await log.range();
      if (range === undefined) continue;
      this.#judge(partition, position, range);
      const through = role === 'owner' ? this.#through(partition, range, nowMs) : undefined;
      if (through !== undefined) await log.trim(through);
    }
  }

  #judge(partition: number, position: number, { newest }: LogRange): void {
    if (newest >= position) {
      this.#short.delete(partition);
      return;
    }
    const looks = (this.#short.get(partition) ?? 0) + 1;
    this.#short.set(partition, looks);
    if (looks !== shortLooks) return;
    this.#options.log.error(
      { evt: 'cluster.log_lost', partition, count: position - newest },
      'the log has less than this copy has read: the nats-servers lost what they acknowledged',
    );
  }

  #through(partition: number, range: LogRange, nowMs: Millis): number | undefined {
    const copy = this.#options.copyOf(partition);
    if (copy === undefined) return undefined;
    const trim = this.#trims.get(partition) ?? new LogTrim();
    this.#trims.set(partition, trim);
    const { storedPosition: stored } = copy;
    const read = this.#readBy(partition);
    return trim.through({ ...range, nowMs, bytesMax: this.#bytesMax, stored, read });
  }

  #readBy(partition: number): readonly number[] {
    return this.#options.node.members.others().flatMap(({ isLive, beat }) => {
      const said = beat.copies.find((one) => one.partition === partition);
      return isLive && said !== undefined && readers.has(said.role) ? [said.position] : [];
    });
  }
}
