// Copies whose files must be made anew from another member's: one at a time, for each reads all of
// a disk, and with a rest after one that failed.

import { type Millis, secondMs } from '../../../engine/base/brand.ts';
import type { Log } from '../../../engine/observe/log.ts';
import type { Copies } from './copies.ts';
import type { ClusterPorts } from './ports.ts';

const restMs: Millis = 5 * secondMs;

interface RenewalsOptions {
  readonly copies: Pick<Copies, 'renew'>;
  readonly ports: Pick<ClusterPorts, 'fetchCopy'> & { readonly time: { monotonic(): Millis } };
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export class Renewals {
  readonly #options: RenewalsOptions;
  #isRunning = false;
  #againMs: Millis = Number.NEGATIVE_INFINITY;

  constructor(options: RenewalsOptions) {
    this.#options = options;
  }

  /** `from`: who has a whole copy, and where it is reached. False: not now. */
  async run(
    partition: number,
    { name, address }: { readonly name: string; readonly address: string },
  ): Promise<boolean> {
    const { copies, ports, log } = this.#options;
    if (this.#isRunning || ports.time.monotonic() < this.#againMs) return false;
    this.#isRunning = true;
    log.info(
      { evt: 'cluster.copying', partition, node: name },
      'the log no longer has what this copy needs: its files are copied from another server',
    );
    try {
      const fetch = (into: string) => ports.fetchCopy(address, partition, into);
      if (await copies.renew(partition, fetch)) return true;
      this.#failed(partition, name, 'the other server has no copy, or does not answer');
    } catch (error) {
      this.#failed(partition, name, error instanceof Error ? error.message : String(error));
    } finally {
      this.#isRunning = false;
    }
    return false;
  }

  #failed(partition: number, node: string, reason: string): void {
    const { ports, log } = this.#options;
    this.#againMs = ports.time.monotonic() + restMs;
    log.warn({ evt: 'cluster.copy_failed', partition, node, reason }, 'trying again');
  }
}
