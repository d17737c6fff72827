// What a dispatcher keeps from beginning while a provider asks for fewer calls. The shard decides
// how long that is; this is about grants that were on their way when the refusal came. So it holds
// for a second, or until the shard has a call find out.

import type { Millis } from '../../../engine/base/brand.ts';
import type { Clock } from '../../../engine/time/clock.ts';
import { catalog } from '../../channels/catalog.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { Attempt } from '../../channels/port/attempt.ts';
import type { Failure } from '../../channels/port/outcome.ts';
import { limits } from '../../limits.ts';
import { partOf } from '../outbox/account-probes.ts';

/** A report takes milliseconds to reach its shard; a pause is no shorter than this. */
const holdMs: Millis = 1_000;

type Endpoint = Attempt['endpoint'] | undefined;

export class SlowAccount {
  readonly #channel: ChannelId;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #untilMs = 0;
  readonly #parts = new Map<string, Millis>();

  constructor(channel: ChannelId, clock: Pick<Clock, 'monotonic'>) {
    this.#channel = channel;
    this.#clock = clock;
  }

  /** A call to `endpoint` was refused: which others that concerns. */
  refused({ domain }: Failure, endpoint: Endpoint): (other: Endpoint) => boolean {
    const untilMs = this.#clock.monotonic() + holdMs;
    const part = domain ?? catalog[this.#channel].accountOf?.(endpoint);
    if (part === undefined) {
      this.#untilMs = untilMs;
      return () => true;
    }
    if (this.#parts.size >= limits.circuitAccountsMax) this.#parts.clear();
    this.#parts.set(part, untilMs);
    return (other) => partOf(this.#channel, other) === part;
  }

  /** A call is to find out whether the account takes messages again. */
  probed(): void {
    this.#untilMs = 0;
  }

  probedPart(part: string): void {
    this.#parts.delete(part);
  }

  isSlow(): boolean {
    return this.#untilMs !== 0 && this.#untilMs > this.#clock.monotonic();
  }

  isPartSlow(endpoint: Endpoint): boolean {
    if (this.#parts.size === 0) return false;
    const part = partOf(this.#channel, endpoint);
    const untilMs = part === undefined ? undefined : this.#parts.get(part);
    if (part === undefined || untilMs === undefined) return false;
    if (untilMs > this.#clock.monotonic()) return true;
    this.#parts.delete(part);
    return false;
  }
}
