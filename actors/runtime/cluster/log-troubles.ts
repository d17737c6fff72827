// Tells an operator that the servers do not take what a member writes: a line when it begins, one a
// minute while it goes on, for all partitions together.

import { type Millis, minuteMs } from '../../../engine/base/brand.ts';
import type { LogTrouble } from '../../../engine/log/log-writer.ts';
import type { Log } from '../../../engine/observe/log.ts';

const lineEveryMs: Millis = minuteMs;

export class LogTroubles {
  readonly #log: Pick<Log, 'error'>;
  readonly #monotonic: () => Millis;
  /** By kind: partitions since the last line, and when that was. */
  readonly #found = new Map<LogTrouble, { readonly partitions: Set<number>; saidMs: Millis }>();

  constructor(log: Pick<Log, 'error'>, monotonic: () => Millis) {
    this.#log = log;
    this.#monotonic = monotonic;
  }

  note(partition: number, why: LogTrouble, reason = ''): void {
    // Somebody was first: that is how a term ends.
    if (why === 'refused') return;
    const nowMs = this.#monotonic();
    const found = this.#found.get(why) ?? {
      partitions: new Set(),
      saidMs: Number.NEGATIVE_INFINITY,
    };
    this.#found.set(why, found);
    found.partitions.add(partition);
    if (nowMs - found.saidMs < lineEveryMs) return;
    const count = found.partitions.size;
    found.partitions.clear();
    found.saidMs = nowMs;
    if (why === 'full')
      this.#log.error(
        { evt: 'cluster.log_full', partition, count },
        'the nats-servers have no room for more of the log: writes wait',
      );
    else
      this.#log.error(
        { evt: 'cluster.log_away', partition, count, reason },
        'the nats-servers do not answer: writes wait',
      );
  }
}
