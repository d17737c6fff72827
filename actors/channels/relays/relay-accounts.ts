// The accounts of relays that a dispatch thread has open. One that changed, or that nobody used for
// a while, is closed once its calls have ended: whether or not another one opens.

import { type Bytes, minuteMs, secondMs } from '../../../engine/base/brand.ts';
import type { RelayAccount } from '../email/relay-mail.ts';
import type { AdapterContext } from '../port/adapter.ts';
import { AdaptersUnavailable } from '../port/adapters-unavailable.ts';
import type { OpenRelay } from '../port/open-relay.ts';
import { boundedAccount } from './bounded-account.ts';
import { BytesInFlight } from './bytes-in-flight.ts';
import { relayServices } from './services.ts';

/** Longer than what keeps connections open. */
const idleMs = 5 * minuteMs;

const mib: Bytes = 1024 * 1024;
/** The largest mail of one relay leaves beside the share of another. As patient as a call. */
const bytesInFlight = { bytesMax: 40 * mib, shareMax: 16 * mib, waitMs: 10 * secondMs };

interface Kept {
  readonly fingerprint: string;
  readonly account: Promise<RelayAccount>;
  usedMs: number;
}

/** Runs a task once after a time. */
type After = (ms: number, task: () => void) => void;

const afterMs: After = (ms, task) => {
  setTimeout(task, ms).unref();
};

export class RelayAccounts {
  readonly #context: AdapterContext;
  readonly #after: After;
  readonly #kept = new Map<string, Kept>();
  readonly #bytes: BytesInFlight;
  #isLooking = false;

  constructor(context: AdapterContext, after: After = afterMs) {
    this.#context = context;
    this.#after = after;
    this.#bytes = new BytesInFlight(bytesInFlight, context.clock);
  }

  /** Accounts that are open. */
  get size(): number {
    return this.#kept.size;
  }

  /** Rejects with `AdaptersUnavailable` where the account cannot be opened: nothing was sent. */
  of(relay: OpenRelay): Promise<RelayAccount> {
    const nowMs = this.#context.clock.monotonic();
    let kept = this.#kept.get(relay.id);
    if (kept === undefined || kept.fingerprint !== relay.fingerprint) {
      if (kept !== undefined) closeLater(kept);
      this.#lookLater();
      kept = { fingerprint: relay.fingerprint, account: this.#open(relay), usedMs: nowMs };
      this.#kept.set(relay.id, kept);
      this.#forgetIfFailed(relay.id, kept);
    }
    kept.usedMs = nowMs;
    return kept.account;
  }

  async close(): Promise<void> {
    const all = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(all.map(async ({ account }) => (await account).close()));
  }

  async #open(relay: OpenRelay): Promise<RelayAccount> {
    try {
      const service = relayServices[relay.kind];
      if (service === undefined) throw new Error(`no relay is of the kind ${relay.kind}`);
      const account = (await service.open())(relay, this.#context);
      return service.holdsMails === true ? boundedAccount(account, relay.id, this.#bytes) : account;
    } catch (error) {
      throw new AdaptersUnavailable(error);
    }
  }

  /** The next message tries to open it again. */
  #forgetIfFailed(id: string, kept: Kept): void {
    kept.account.catch(() => {
      if (this.#kept.get(id) === kept) this.#kept.delete(id);
    });
  }

  #lookLater(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#after(idleMs, () => {
      this.#isLooking = false;
      this.#closeIdle(this.#context.clock.monotonic());
      if (this.#kept.size > 0) this.#lookLater();
    });
  }

  #closeIdle(nowMs: number): void {
    for (const [id, kept] of this.#kept) {
      if (kept.usedMs > nowMs - idleMs) continue;
      this.#kept.delete(id);
      closeLater(kept);
    }
  }
}

/** Its calls end by themselves; what fails while it closes concerns nobody. */
function closeLater({ account }: Kept): void {
  account.then((open) => open.close()).catch(() => {});
}
